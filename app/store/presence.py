"""
Which process has a live connection of which seat.

A process shows that it lives by a time that it renews; the database's own clock is the one that all
processes share. What a process has left behind that was not seen for a while counts for nothing,
and is swept away by whoever comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Text, bindparam, delete, select, update

from app.store import tables
from app.store.bulk import Insert, listed, one_of
from app.store.database import Database, to_the_end
from app.store.lanes import Query
from app.store.times import moment_of, now_of

Held = tuple[str, int]
"""A game and a seat of it."""

AT_ONCE = 500

_c = tables.processes.c
_p = tables.presence.c
_SEEN = Insert(tables.processes, ("process", "seen_at"), replaces=("seen_at",))
_HELD = Insert(tables.presence, ("process", "game_id", "seat"), keeps=True)


class SqlPresence:
    """
    `app.ports.PresenceStore` on a database.

    Args:
        process: names this process; unique among all that ever ran.
        forgotten_ms: a process not seen for so long has nobody connected.
    """

    def __init__(self, database: Database, process: str, forgotten_ms: int) -> None:
        self._database = database
        self._process = process
        self._now = now_of(database.dialect)
        self._cutoff = moment_of(database.dialect) - forgotten_ms
        self._elsewhere = Query(
            database.dialect,
            select(_p.game_id, _p.seat)
            .distinct()
            .select_from(tables.presence.join(tables.processes, _c.process == _p.process))
            .where(
                one_of(database.dialect, _p.game_id, "ids"),
                _p.process != bindparam("process", type_=Text),
                _c.seen_at > self._cutoff,
            ),
        )

    @to_the_end
    async def show(self, came: Iterable[Held], went: Iterable[Held]) -> bool:
        """
        This process lives; these seats came and went since it last said so.

        False: it was taken for dead meanwhile and swept away. It has to name all its seats again.
        """
        async with self._database.writing() as connection:
            seen = update(tables.processes).where(_c.process == self._process)
            there = await connection.execute(seen.values(seen_at=self._now))
            if not there.rowcount:
                now = (await connection.execute(select(self._now))).scalar_one()
                await _SEEN(connection, [(self._process, now)])
            for game_id, seat in went:
                await connection.execute(
                    delete(tables.presence).where(
                        _p.process == self._process, _p.game_id == game_id, _p.seat == seat
                    )
                )
            await _HELD(connection, [(self._process, *held) for held in came])
        return bool(there.rowcount)

    @to_the_end
    async def withdraw(self) -> None:
        """This process has nobody connected any more."""
        async with self._database.writing() as connection:
            await self._drop(connection, [self._process])

    @to_the_end
    async def sweep(self) -> None:
        """Drops what dead processes left."""
        dead = select(_c.process).where(_c.seen_at <= self._cutoff)
        async with self._database.reading() as connection:
            found = list((await connection.execute(dead)).scalars())
        if found:
            async with self._database.writing() as connection:
                still = dead.where(_c.process.in_(found)).with_for_update()
                await self._drop(connection, list((await connection.execute(still)).scalars()))

    async def _drop(self, connection: Any, names: list[str]) -> None:
        await connection.execute(delete(tables.presence).where(_p.process.in_(names)))
        await connection.execute(delete(tables.processes).where(_c.process.in_(names)))

    async def elsewhere(self, game_ids: Collection[str]) -> set[Held]:
        """Seats of these games with a connection to another process that lives."""
        dialect, ids = self._database.dialect, list(game_ids)
        found: set[Held] = set()
        for start in range(0, len(ids), AT_ONCE):
            rows = await self._database.reading_lanes.fetch(
                self._elsewhere,
                process=self._process,
                **listed(dialect, "ids", ids[start : start + AT_ONCE]),
            )
            found |= {(row[0], row[1]) for row in rows}
        return found
