"""What match-making reads: which table waits under a key, and who ever sat where."""

from __future__ import annotations

from sqlalchemy import Text, bindparam, literal, select

from app.store import tables
from app.store.database import Database
from app.store.lanes import Query

_g = tables.games.c
_s = tables.seats.c


class Waiting:
    """The part of `app.ports.EventStore` that only match-making uses."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting = Query(
            database.dialect,
            select(_g.id).where(_g.match_key == bindparam("match_key", type_=Text)),
        )
        self._sat = Query(
            database.dialect,
            select(literal(1))
            .where(
                _s.player_id == bindparam("player_id", type_=Text),
                _s.game_id == bindparam("game_id", type_=Text),
            )
            .limit(1),
        )

    async def waiting_table(self, match_key: str) -> str | None:
        """The id of the table of match-making that waits under this key."""
        found = await self._database.reading_lanes.fetch(self._waiting, match_key=match_key)
        return found[0][0] if found else None

    async def ever_sat(self, game_id: str, player_id: str) -> bool:
        """Whether the player holds or held a seat of this game."""
        lanes = self._database.reading_lanes
        return bool(await lanes.fetch(self._sat, player_id=player_id, game_id=game_id))
