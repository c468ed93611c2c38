"""
How many tables with bots a player has, counted inside of the transaction that would add one.

On Postgres whoever would add a table for a player takes that player's lock first, and keeps it to
the end of its transaction: the next one sees what this one has added. On SQLite there is one writer
anyway. Tables that end meanwhile make room a moment later, never too little of it is left.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from sqlalchemy import Text, bindparam, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app.store import tables
from app.store.bulk import Dialect
from app.store.lanes import Lane, Query, Rows
from app.store.series_rows import series_of_row, series_rows

_LOCKS = 7_407_352
"""Any number of our own: it keeps these locks apart from others of the database."""

_c, _s = tables.clocks.c, tables.series.c
_player = bindparam("player", type_=Text)

_LOCK = select(func.pg_advisory_xact_lock(func.hashtextextended(_player, literal(_LOCKS))))
_TABLES = select(func.count()).select_from(tables.clocks).where(_c.bots_of == _player)
_NOT_OVER = or_(_s.status == "open", _s.status == "running")  # a list would not compile once
_SERIES = series_rows().where(_s.owner == _player, _NOT_OVER)


class BotTables:
    """
    Args:
        limit: tables with bots that a player may have at a time.
    """

    def __init__(self, dialect: Dialect, limit: int) -> None:
        self.limit = limit
        self._locks = dialect == "postgresql"
        self._lock = Query(dialect, _LOCK) if self._locks else None
        self._tables = Query(dialect, _TABLES)
        self._series = Query(dialect, _SERIES)

    async def left(self, lane: Lane, players: Iterable[str]) -> dict[str, int]:
        """How many more each of these players may have, until the transaction of the lane ends."""
        # In order, so that no two transactions wait for each other in a circle.
        return {player: await self._left_in(lane, player) for player in sorted(players)}

    async def _left_in(self, lane: Lane, player: str) -> int:
        async def fetch(query: Query) -> Rows:
            return await lane.fetch(query, query.bind(player=player))

        if self._lock is not None:
            await fetch(self._lock)
        return await self._left(lambda: fetch(self._tables), lambda: fetch(self._series))

    async def lock_on(self, connection: AsyncConnection, player: str) -> None:
        """Until the end of the transaction nobody else adds anything for this player."""
        if self._locks:
            await connection.execute(_LOCK, {"player": player})

    async def left_on(self, connection: AsyncConnection, player: str) -> int:
        """How many more a player may have; under `lock_on`."""

        async def fetch(statement: Any) -> Rows:
            return (await connection.execute(statement, {"player": player})).all()

        return await self._left(lambda: fetch(_TABLES), lambda: fetch(_SERIES))

    async def _left(
        self, tables_: Callable[[], Awaitable[Rows]], series: Callable[[], Awaitable[Rows]]
    ) -> int:
        has: int = (await tables_())[0][0]
        has += sum(series_of_row(row).bot_tables for row in await series())
        return max(self.limit - has, 0)
