"""Stores that do what the product's does, and count or fail besides."""

from __future__ import annotations

from collections.abc import Collection

from app.ports import Head, Recorded, Sitting
from app.store.queries import SqlEventStore


class Counting(SqlEventStore):
    """Counts the events that were read."""

    read = 0

    async def events(self, game_id: str, after: int, limit: int) -> list[Recorded]:
        found = await super().events(game_id, after, limit)
        self.read += len(found)
        return found

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        found = await super().commands(game_id, after, limit)
        self.read += sum(map(len, found))
        return found


class Failing(SqlEventStore):
    """Fails in all that streams read, in a way that nobody foresaw, while it is told to."""

    fails = False

    def _look(self) -> None:
        if self.fails:
            raise KeyError("secret")

    async def head(self, game_id: str) -> Head | None:
        self._look()
        return await super().head(game_id)

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        self._look()
        return await super().commands(game_id, after, limit)

    async def versions(self, game_ids: Collection[str]) -> dict[str, int]:
        self._look()
        return await super().versions(game_ids)

    async def sittings(self, player_ids: Collection[str]) -> list[Sitting]:
        self._look()
        return await super().sittings(player_ids)

    async def lobby(self, limit: int) -> dict[str, int]:
        self._look()
        return await super().lobby(limit)
