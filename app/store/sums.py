"""
`ladders`: for each ladder and player the sums over their rows of `results`.

Laws: what `add` adds up is what `make_anew` and `make_all_anew` find; rows are locked in the order
of their keys, so that no two transactions wait for each other in a circle.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Select,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from app.statistics import EVERYTHING, ladder_of_preset, ladder_of_rules
from app.store import tables
from app.store.bulk import Insert
from app.store.database import Database
from engine.figures import Figures

FIGURES = Figures._fields
COLUMNS = ("games", "wins", *FIGURES)

_e = tables.events.c
_l = tables.ladders.c
_r = tables.results.c
_EMPTY = Insert(tables.ladders, ("ladder", "player_id", *COLUMNS), keeps=True)

Pair = tuple[str, str]
"""Ladder and player."""


class Sum(NamedTuple):
    games: int
    wins: int
    figures: Figures

    def plus(self, other: Sum) -> Sum:
        return Sum(
            self.games + other.games, self.wins + other.wins, self.figures.plus(other.figures)
        )


async def add(connection: AsyncConnection, sums: Mapping[Pair, Sum]) -> None:
    """Adds these to what is there."""
    if not sums:
        return
    adding = _insert(connection.dialect.name)
    adding = adding.on_conflict_do_update(
        index_elements=[_l.ladder, _l.player_id],
        set_={name: _with(_l[name], adding.excluded[name]) for name in COLUMNS},
    )
    rows = [
        {
            "ladder": ladder,
            "player_id": player_id,
            "games": one.games,
            "wins": one.wins,
            **one.figures._asdict(),
        }
        for (ladder, player_id), one in sorted(sums.items())
    ]
    await connection.execute(adding, rows)


def _insert(dialect: str) -> Any:
    """SQLAlchemy has `on_conflict` for each database apart, and a server needs one of them."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as into_postgres

        return into_postgres(tables.ladders)
    from sqlalchemy.dialects.sqlite import insert as into_sqlite

    return into_sqlite(tables.ladders)


def _with(there: Column[Any], new: Column[Any]) -> ColumnElement[Any]:
    if there.name == "best_turn":
        return case((there >= new, there), else_=new)
    return there + new


async def make_anew(connection: AsyncConnection, pairs: Collection[Pair]) -> None:
    """Sums up again what these stand for, from the results as they are now."""
    ordered = sorted(pairs)
    await _EMPTY(connection, [(*pair, *(0 for _ in COLUMNS)) for pair in ordered])
    these = tuple_(_l.ladder, _l.player_id).in_(ordered)
    locked = select(_l.ladder).where(these).order_by(_l.ladder, _l.player_id).with_for_update()
    await connection.execute(locked)
    for ladder, player_id in ordered:
        own = _summed(_r.player_id == player_id, _on(ladder))
        row = (await connection.execute(own)).one()
        one = (_l.ladder == ladder, _l.player_id == player_id)
        if row[0]:
            values = dict(zip(COLUMNS, row, strict=True))
            await connection.execute(update(tables.ladders).where(*one).values(values))
        else:
            await connection.execute(delete(tables.ladders).where(*one))


async def make_all_anew(database: Database) -> None:
    """Every sum, from the results as they are now; those of games without a log go first."""
    async with database.writing() as connection:
        if database.dialect == "postgresql":
            await connection.execute(text("SET LOCAL statement_timeout = 0"))
            # Counting goes on up to here: whoever wrote results before has added them by then, and
            # whoever writes them later will add them to what is found now.
            await connection.execute(text("LOCK TABLE ladders IN SHARE ROW EXCLUSIVE MODE"))
        has_log = exists().where(_e.game_id == _r.game_id, _e.version == 1)
        await connection.execute(delete(tables.results).where(~has_log))
        await connection.execute(delete(tables.ladders))
        names = ("ladder", "player_id", *COLUMNS)
        for ladder, some in (
            (literal(EVERYTHING), _r.game_id.is_not(null())),
            (literal(ladder_of_preset("")) + _r.preset, _r.preset.is_not(null())),
            (literal(ladder_of_rules("")) + _r.rules_key, _r.rules_key.is_not(null())),
        ):
            sums = _summed(some).add_columns(_r.player_id, ladder.label("ladder"))
            columns = sums.group_by(_r.player_id, "ladder").subquery().c
            ordered = select(*(columns[name] for name in names))
            await connection.execute(insert(tables.ladders).from_select(names, ordered))


def _on(ladder: str) -> ColumnElement[bool]:
    kind, _, name = ladder.partition(":")
    if ladder == EVERYTHING:
        return _r.game_id.is_not(null())
    return _r.preset == name if kind == "preset" else _r.rules_key == name


def _summed(*conditions: ColumnElement[bool]) -> Select[Any]:
    """In the order of `COLUMNS`."""
    figures = [
        func.max(_r[name]) if name == "best_turn" else func.sum(_r[name]) for name in FIGURES
    ]
    # A sum of whole numbers is a decimal to Postgres.
    found = (func.count(), func.sum(_r.wins), *figures)
    named = zip(COLUMNS, found, strict=True)
    whole: list[ColumnElement[Any]] = [
        cast(func.coalesce(one, 0), BigInteger).label(name) for name, one in named
    ]
    return select(*whole).where(*conditions)
