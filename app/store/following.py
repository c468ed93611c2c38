"""What followers read: the log by commands, and how far games have come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import BigInteger, Select, Text, bindparam, select

from app.ports import Recorded, Snapshot
from app.store import rows, tables
from app.store.bulk import listed, one_of
from app.store.database import Database
from app.store.lanes import Query

AT_ONCE = 500
"""Games asked for in one statement."""

_e = tables.events.c
_g = tables.games.c


class Following:
    """The part of `app.ports.EventStore` that only followers use."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = database.dialect
        after, last = bindparam("after", type_=BigInteger), bindparam("last", type_=BigInteger)
        most = bindparam("most", type_=BigInteger)
        self._some = Query(dialect, _above(after).limit(most))
        self._rest = Query(dialect, _above(after).where(_e.version <= last))
        c, game_id = tables.snapshots.c, bindparam("game_id", type_=Text)
        self._snapshot = Query(
            dialect,
            select(c.version, c.hash, c.setup, c.play)
            .where(c.game_id == game_id, c.version <= bindparam("version", type_=BigInteger))
            .order_by(c.version.desc())
            .limit(1),
        )
        self._versions = Query(
            dialect, select(_g.id, _g.version).where(one_of(dialect, _g.id, "ids"))
        )

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        """
        The events above `after`, grouped by the command that wrote them.

        About `limit` events: the last command is given whole. Where `after` lies inside of a
        command, the first group is the rest of it.
        """
        lanes = self._database.reading_lanes
        found = list(await lanes.fetch(self._some, game_id=game_id, after=after, most=limit))
        if found and found[-1][0] < (last := found[-1][3]):
            found += await lanes.fetch(self._rest, game_id=game_id, after=found[-1][0], last=last)
        return [_records(group) for _, group in groupby(found, key=lambda row: row[3])]

    async def snapshot(self, game_id: str, version: int) -> Snapshot | None:
        """The newest stored state at or before a version."""
        if version < rows.SNAPSHOT_EVERY:
            return None
        lanes = self._database.reading_lanes
        found = await lanes.fetch(self._snapshot, game_id=game_id, version=version)
        return rows.snapshot_of(found[0]) if found else None

    async def versions(self, game_ids: Collection[str]) -> dict[str, int]:
        """The versions these games have; those that are not there are left out."""
        database, ids = self._database, list(game_ids)
        found: dict[str, int] = {}
        for start in range(0, len(ids), AT_ONCE):
            asked = listed(database.dialect, "ids", ids[start : start + AT_ONCE])
            answer = await database.reading_lanes.fetch(self._versions, **asked)
            found |= {game_id: version for game_id, version in answer}  # noqa: C416
        return found


def _above(after: Any) -> Select[Any]:
    return (
        select(_e.version, _e.data, _e.hash, _e.command)
        .where(_e.game_id == bindparam("game_id", type_=Text), _e.version > after)
        .order_by(_e.version)
    )


def _records(group: Any) -> tuple[Recorded, ...]:
    found: Sequence[Sequence[Any]] = list(group)
    return tuple([Recorded(*row[:3]) for row in found])
