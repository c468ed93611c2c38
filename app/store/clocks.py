"""Rows that say when to look at a game again, and the heartbeat of all processes together."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Text, bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.ports import Clock, Gap
from app.store import tables
from app.store.bulk import Insert
from app.store.database import Database, to_the_end
from app.store.lanes import Query
from app.store.times import moment_of, now_of
from engine.units import Millis

GAPS_KEPT = 100
"""As many are handed out; a game that is older than all of them has had its credit."""
BEAT_AGAIN_MS = 500
"""Of several processes, not everyone has to write."""

_c = tables.clocks.c
_h = tables.heartbeat.c
_gaps = tables.gaps.c
_FIRST = Insert(tables.heartbeat, ("id", "beat_at"), keeps=True)


class SqlClockRows:
    """
    `app.clocks.rows.ClockRows` on a database.

    Args:
        shared_clock: instead of the database's.
    """

    def __init__(self, database: Database, shared_clock: Clock | None = None) -> None:
        self._database = database
        self._shared_clock = shared_clock
        most = bindparam("most", type_=BigInteger)
        self._now = now_of(database.dialect)
        by = moment_of(database.dialect)
        if shared_clock is not None:
            by = bindparam("now", type_=BigInteger)
        self._due = Query(
            database.dialect,
            select(_c.game_id).where(_c.due_at <= by).order_by(_c.due_at).limit(most),
        )
        self._games = Query(
            database.dialect,
            select(_c.game_id)
            .where(_c.game_id > bindparam("after", type_=Text))
            .order_by(_c.game_id)
            .limit(most),
        )

    async def due(self, most: int) -> list[str]:
        """Games that may have something due, the longest overdue first."""
        asked: dict[str, Any] = {"most": most}
        if self._shared_clock is not None:
            asked["now"] = self._shared_clock.now()
        found = await self._database.reading_lanes.fetch(self._due, **asked)
        return [row[0] for row in found]

    @to_the_end
    async def postpone(self, game_id: str, by_ms: Millis) -> None:
        """A game that cannot be looked at now, whatever the reason."""
        async with self._database.writing() as connection:
            now = await self._read_clock(connection)
            later = update(tables.clocks).where(_c.game_id == game_id).values(due_at=now + by_ms)
            await connection.execute(later)

    async def games(self, after: str, most: int) -> list[str]:
        """Games with a row, by id, above `after`."""
        found = await self._database.reading_lanes.fetch(self._games, after=after, most=most)
        return [row[0] for row in found]

    @to_the_end
    async def beat(self, gap_ms: Millis) -> list[Gap]:
        """
        Some process is there. When none was for more than `gap_ms`, that makes a gap.

        Returns the last gaps, ascending.
        """
        async with self._database.writing() as connection:
            now = await self._read_clock(connection)
            await _FIRST(connection, [(1, now)])
            locked = select(_h.beat_at).where(_h.id == 1).with_for_update()
            last = (await connection.execute(locked)).scalar_one()
            now = await self._read_clock(connection)  # the lock may have had to be waited for
            if now - last > gap_ms:
                number = select(func.coalesce(func.max(_gaps.number), 0) + 1).scalar_subquery()
                gap = {"number": number, "began": last, "ended": now, "credited": False}
                await connection.execute(insert(tables.gaps).values(gap))
            if now - last > BEAT_AGAIN_MS:
                await connection.execute(update(tables.heartbeat).values(beat_at=now))
            newest = select(*tables.gaps.c).order_by(_gaps.number.desc()).limit(GAPS_KEPT)
            found = (await connection.execute(newest)).all()
        return [Gap(*row) for row in reversed(found)]

    @to_the_end
    async def credited(self, number: int) -> None:
        """The gap needs no more crediting."""
        async with self._database.writing() as connection:
            done = update(tables.gaps).where(_gaps.number == number).values(credited=True)
            await connection.execute(done)

    async def _read_clock(self, connection: AsyncConnection) -> Millis:
        if self._shared_clock is not None:
            return self._shared_clock.now()
        now: int = (await connection.execute(select(self._now))).scalar_one()
        return now
