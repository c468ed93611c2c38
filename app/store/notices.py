"""The outbox of notices beside the append: who wants them, what waits, what is acknowledged."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, select, tuple_

from app.notices import Notice, NoticeKey
from app.store import tables
from app.store.bulk import Insert
from app.store.database import Database, to_the_end
from app.store.times import moment_of
from engine.units import Millis

_n = tables.notices.c
_w = tables.on_call.c
_p = tables.presence.c
_c = tables.processes.c
_WANTS = Insert(tables.on_call, ("player_id",), keeps=True)


class SqlNotices:
    """
    `app.notices.NoticeBoard` on a database.

    Args:
        forgotten_ms: a process not seen for so long has nobody connected.
    """

    def __init__(self, database: Database, forgotten_ms: int) -> None:
        self._database = database
        alive = _c.seen_at > moment_of(database.dialect) - forgotten_ms
        self._connected = (
            select(_p.process)
            .join(tables.processes, _c.process == _p.process)
            .where(_p.game_id == _n.game_id, _p.seat == _n.seat, alive)
            .exists()
        )

    async def wanted_by(self, player_id: str) -> bool:
        """Whether the player wants to be told of turns."""
        query = select(_w.player_id).where(_w.player_id == player_id)
        async with self._database.reading() as connection:
            return (await connection.execute(query)).first() is not None

    @to_the_end
    async def want(self, player_id: str, wanted: bool) -> None:
        """From now on; what waits for one who does not want it is dropped."""
        async with self._database.writing() as connection:
            if wanted:
                await _WANTS(connection, [(player_id,)])
                return
            await connection.execute(delete(tables.on_call).where(_w.player_id == player_id))
            await connection.execute(delete(tables.notices).where(_n.player_id == player_id))

    async def waiting(self, since: Millis, limit: int) -> list[Notice]:
        """Notices written since then and not acknowledged, the oldest first."""
        query = (
            select(_n.game_id, _n.version, _n.seat, _n.player_id, _n.at, self._connected)
            .where(_n.at >= since)
            .order_by(_n.at, _n.game_id)
            .limit(limit)
        )
        async with self._database.reading() as connection:
            return [
                Notice(NoticeKey(row[0], row[1]), row[2], row[3], row[4], bool(row[5]))
                for row in await connection.execute(query)
            ]

    @to_the_end
    async def acknowledge(self, keys: Collection[NoticeKey]) -> int:
        """They are on their way, or not worth it; how many were waiting still."""
        these = tuple_(_n.game_id, _n.version).in_(list(keys))
        async with self._database.writing() as connection:
            return (await connection.execute(delete(tables.notices).where(these))).rowcount

    @to_the_end
    async def expire(self, before: Millis) -> None:
        """Drops what was written before then."""
        async with self._database.writing() as connection:
            await connection.execute(delete(tables.notices).where(_n.at < before))
