"""`app.statistics.Statistics` on a database: what was counted, as it is asked for."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_, select, tuple_

from app.ports import Summary
from app.statistics import EVERYTHING, PastGame, Profile, Rung, Totals
from app.store import rows, tables
from app.store.database import Database
from app.store.sums import COLUMNS, FIGURES
from engine.figures import Figures
from engine.units import Millis, Points

_g = tables.games.c
_l = tables.ladders.c
_p = tables.players.c
_r = tables.results.c
_s = tables.seats.c


class SqlStatistics:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def profile(self, player_id: str) -> Profile | None:
        """A forgotten player has one too, without a name."""
        on_it = and_(_l.player_id == _p.id, _l.ladder == EVERYTHING)
        query = (
            select(_p.id, _p.name, _p.created_at, _p.bot, *(_l[name] for name in COLUMNS))
            .select_from(tables.players.outerjoin(tables.ladders, on_it))
            .where(_p.id == player_id)
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else Profile(row[0], row[1], row[2], row[3], _totals(row[4:]))

    async def past_games(
        self,
        player_id: str,
        viewer: str | None,
        *,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[PastGame]:
        """
        Games that counted, the last to end first (ended_at, id descending).

        Args:
            viewer: a player id; private games are told to those who sat at them.
        """
        figures = [_r[name] for name in FIGURES]
        query = (
            select(*rows.HEAD_COLUMNS, _r.ended_at, _r.rules_key, _r.wins, *figures)
            .select_from(tables.results.join(tables.games, _g.id == _r.game_id))
            .where(_r.player_id == player_id, _shown_to(viewer))
            .order_by(_r.ended_at.desc(), _r.game_id.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(tuple_(_r.ended_at, _r.game_id) < tuple_(*before))
        async with self._database.reading() as connection:
            return [_past_game(row) for row in await connection.execute(query)]

    async def ladder(
        self, ladder: str, *, below: tuple[int, Points, str] | None, limit: int
    ) -> list[Rung]:
        """
        Most wins first, then the best turn, then the id, all descending.

        Args:
            below: (wins, best turn, id) of the last line before.
        """
        order = (_l.wins, _l.best_turn, _l.player_id)
        query = (
            select(_l.player_id, _p.name, *(_l[name] for name in COLUMNS))
            .select_from(tables.ladders.outerjoin(tables.players, _p.id == _l.player_id))
            .where(_l.ladder == ladder)
            .order_by(*(column.desc() for column in order))
            .limit(limit)
        )
        if below is not None:
            query = query.where(tuple_(*order) < tuple_(*below))
        async with self._database.reading() as connection:
            found = await connection.execute(query)
            return [Rung(row[0], row[1], _totals(row[2:])) for row in found]


def _shown_to(viewer: str | None) -> ColumnElement[bool]:
    """As `app.service.members.readable` says it."""
    open_to_all = _g.visibility != "private"
    if viewer is None:
        return open_to_all
    return or_(open_to_all, exists().where(_s.game_id == _g.id, _s.player_id == viewer, _s.holds))


def _totals(row: Any) -> Totals:
    games, wins, *figures = (number or 0 for number in row)
    return Totals(games, wins, Figures(*figures))


def _past_game(row: Any) -> PastGame:
    width = len(rows.HEAD_COLUMNS)
    ended_at, key, wins, *figures = row[width:]
    head = rows.head_of(row)
    return PastGame(Summary(head, head.updated_at), ended_at, key, bool(wins), Figures(*figures))
