"""What watchers read: whose seats run, which tables are in the lobby, and how games are."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import BigInteger, bindparam, select

from app.ports import Sitting, Summary
from app.store import rows, tables
from app.store.bulk import listed, one_of
from app.store.database import Database
from app.store.lanes import Query

AT_ONCE = 200
"""Players, or games, asked for in one statement."""

_g = tables.games.c
_s = tables.seats.c


class Watching:
    """The part of `app.ports.EventStore` that only watchers use."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = database.dialect
        self._sittings = Query(
            dialect,
            select(_s.player_id, _s.game_id, _g.version)
            .select_from(tables.seats.join(tables.games, _g.id == _s.game_id))
            .where(one_of(dialect, _s.player_id, "ids"), _s.running),
        )
        self._lobby = Query(
            dialect,
            select(_g.id, _g.version)
            .where(_g.listed, _g.status == "lobby")
            .order_by(_g.created_at.desc(), _g.id.desc())
            .limit(bindparam("most", type_=BigInteger)),
        )
        self._by_id = Query(
            dialect,
            select(*rows.HEAD_COLUMNS).where(one_of(dialect, _g.id, "ids")),
        )

    async def sittings(self, player_ids: Collection[str]) -> list[Sitting]:
        """The seats these players hold in games that are not over."""
        database, ids = self._database, list(player_ids)
        found: list[Sitting] = []
        for start in range(0, len(ids), AT_ONCE):
            asked = listed(database.dialect, "ids", ids[start : start + AT_ONCE])
            found += map(Sitting._make, await database.reading_lanes.fetch(self._sittings, **asked))
        return found

    async def lobby(self, limit: int) -> dict[str, int]:
        """The newest public tables that have not started, by id: their versions."""
        found = await self._database.reading_lanes.fetch(self._lobby, most=limit)
        return {game_id: version for game_id, version in found}  # noqa: C416

    async def summaries(self, game_ids: Collection[str]) -> dict[str, Summary]:
        """These games; those that are not there, or cannot be read, are left out."""
        database, ids = self._database, list(game_ids)
        found: dict[str, Summary] = {}
        for start in range(0, len(ids), AT_ONCE):
            asked = listed(database.dialect, "ids", ids[start : start + AT_ONCE])
            for row in await database.reading_lanes.fetch(self._by_id, **asked):
                head = rows.head_or_fault(row)
                if not isinstance(head, Exception):
                    found[row[0]] = Summary(head, row[-1])
        return found
