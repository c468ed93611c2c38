"""
A database full of games, in seconds: played games, copied in SQL under new ids.

Rows of every table that knows a game are copied, so that indexes and tables grow as they would
have. A copy can be played on: its head, its seeds and its seats are there. It cannot be verified,
for the hashes in its log are those of the original, whose id went into them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    LargeBinary,
    Select,
    Table,
    Text,
    cast,
    func,
    insert,
    literal,
    make_url,
    null,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.store import tables
from tests.servers.postgres import OWNER

Rows = Mapping[Table, Sequence[Mapping[str, Any]]]

_OF_GAMES = (
    *(
        tables.games,
        tables.setups,
        tables.events,
        tables.snapshots,
        tables.seeds,
        tables.seats,
        tables.clocks,
    ),
    *(tables.ended, tables.results),
)
_LETTERS = 24
"""Of an id stay as they are; the last twelve number the copies."""


async def recorded(database_url: str, game_ids: Sequence[str]) -> Rows:
    """All rows of these games, and of the players who sit there."""
    found: dict[Table, list[Mapping[str, Any]]] = {}
    async with _opened(database_url) as engine, engine.connect() as connection:
        for table in _OF_GAMES:
            asked = select(table).where(_game_id(table).in_(game_ids))
            found[table] = [dict(row) for row in (await connection.execute(asked)).mappings()]
        seated = {row["player_id"] for row in found[tables.seats]}
        asked = select(tables.players).where(tables.players.c.id.in_(seated))
        found[tables.players] = [dict(row) for row in (await connection.execute(asked)).mappings()]
    return found


async def copied(database_url: str, rows: Rows, each: int, players: int | None = None) -> None:
    """
    Each of the games so many times.

    Args:
        rows: of the originals, which become rows here where they are not yet.
        players: how many copies of each player sit at the copies; without, the players themselves.
    """
    async with _opened(database_url) as engine:
        async with engine.begin() as connection:
            known = set((await connection.execute(select(tables.games.c.id))).scalars())
            for table in (tables.players, *_OF_GAMES):
                key = "id" if table is tables.players else _game_id(table).name
                new = [row for row in rows[table] if row.get("game_id", row.get("id")) not in known]
                if new and not known:
                    await connection.execute(insert(table), new)
                if table is not tables.players:
                    for game_id in {row[key] for row in rows[table]}:
                        await connection.execute(_statement(engine, table, game_id, each, players))
                elif players is not None:
                    for player in rows[table]:
                        await connection.execute(
                            _statement(engine, table, player["id"], players - 1, None)
                        )
        await _settled(engine)


def copy_id(own: str, number: int) -> str:
    """The id of a copy, of a game or a player; the first one's number is 1."""
    return f"{own[:_LETTERS]}{number:012x}"


def _game_id(table: Table) -> ColumnElement[str]:
    return table.c.id if table is tables.games else table.c.game_id


def _statement(engine: AsyncEngine, table: Table, own: str, count: int, players: int | None) -> Any:
    """INSERT … SELECT of the rows under one id, for each of 1 … count."""
    is_postgres = engine.dialect.name == "postgresql"
    numbers: Any
    if is_postgres:
        numbers = select(func.generate_series(1, count).column_valued("n")).subquery()
    else:
        numbers = select(literal(1, Integer).label("n")).cte(recursive=True)
        numbers = numbers.union_all(select(numbers.c.n + 1).where(numbers.c.n < count))
    n = numbers.c.n

    def numbered(column: ColumnElement[Any], number: ColumnElement[Any]) -> ColumnElement[Any]:
        digits = (
            func.lpad(func.to_hex(number), 12, "0") if is_postgres else func.printf("%012x", number)
        )
        return func.substr(column, 1, _LETTERS).concat(digits)

    def renamed(column: ColumnElement[Any]) -> ColumnElement[Any]:
        if is_postgres:
            spelled = func.convert_from(column, "UTF8")
            return func.convert_to(func.replace(spelled, own, new), "UTF8")
        return cast(func.replace(cast(column, Text), own, new), LargeBinary)

    key = table.c.id if table is tables.players else _game_id(table)
    new = numbered(key, n)
    chosen: list[ColumnElement[Any]] = []
    for column in table.columns:
        value: ColumnElement[Any] = column
        if column is key:
            value = new
        elif column.name == "player_id" and players is not None:
            value = numbered(column, 1 + n % (players - 1))
        elif column.name in ("setup", "data"):
            value = renamed(column)
        elif column.name in ("join_code", "match_key"):
            value = null()
        elif column.name in ("created_at", "updated_at", "due_at", "ended_at"):
            value = column + n
        chosen.append(value)
    source: Select[Any] = select(*chosen).select_from(numbers.join(table, key == own))
    return insert(table).from_select([column.name for column in table.columns], source)


@asynccontextmanager
async def _opened(database_url: str) -> AsyncIterator[AsyncEngine]:
    """As the role that owns the tables."""
    url = make_url(database_url)
    if url.get_backend_name() == "postgresql":
        url = url.set(username=OWNER)
    engine = create_async_engine(url)
    try:
        yield engine
    finally:
        await engine.dispose()


async def _settled(engine: AsyncEngine) -> None:
    """What the database would get round to later is done now, not while something is measured."""
    async with engine.connect() as connection:
        plain = await connection.execution_options(isolation_level="AUTOCOMMIT")
        if engine.dialect.name == "postgresql":
            await plain.execute(text("VACUUM ANALYZE"))
        else:
            await plain.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
