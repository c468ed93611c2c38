"""
Which seats have a live connection: here at once, elsewhere as the database tells.

Changes are written by one task off every request's path. A process that lives says so while it has
anybody connected; one with nobody has no rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable

from app.ports import PresenceStore
from engine.units import Seat

Held = tuple[str, Seat]

SWEEP_EVERY = 5
"""Rounds between two looks for what dead processes left."""


class Presence:
    def __init__(self, store: PresenceStore) -> None:
        self.wake = asyncio.Event()
        """Set when there is something to write."""
        self._store = store
        self._here: set[Held] = set()
        self._written: set[Held] = set()
        self._elsewhere: dict[str, frozenset[Seat]] = {}
        self._shown = False
        self._rounds = 0

    def here(self, game_id: str, before: Iterable[Seat], seats: Iterable[Seat]) -> None:
        """The seats of a game with a connection to this process, and those of a moment ago."""
        self._here.difference_update((game_id, seat) for seat in before)
        self._here.update((game_id, seat) for seat in seats)
        self.wake.set()

    async def seats(self, game_id: str) -> frozenset[Seat]:
        """Those with a connection to any process, read anew."""
        elsewhere = await self._store.elsewhere([game_id])
        return frozenset(s for g, s in self._here | elsewhere if g == game_id)

    def elsewhere(self, game_id: str) -> frozenset[Seat]:
        """As last read."""
        return self._elsewhere.get(game_id, frozenset())

    def is_known(self, game_id: str) -> bool:
        return game_id in self._elsewhere

    def forget(self, game_id: str) -> None:
        """Nobody here follows the game any more."""
        self._elsewhere.pop(game_id, None)

    async def read(self, game_ids: Collection[str]) -> None:
        """Learn who is connected to other processes."""
        found: dict[str, set[Seat]] = {game_id: set() for game_id in game_ids}
        for game_id, seat in await self._store.elsewhere(game_ids):
            found[game_id].add(seat)
        self._elsewhere.update({game_id: frozenset(seats) for game_id, seats in found.items()})

    async def write(self) -> None:
        """One round: say what changed, or only that this process lives."""
        if self._here or self._written:
            now = set(self._here)
            known = await self._store.show(now - self._written, self._written - now)
            if not known and self._written:
                await self._store.show(now, ())
            self._written = now
            self._shown = True
        elif self._shown:
            await self._store.withdraw()
            self._shown = False
        self._rounds += 1
        if self._shown and self._rounds % SWEEP_EVERY == 0:
            await self._store.sweep()

    async def close(self) -> None:
        """Take everything back: this process ends."""
        if self._shown:
            self._here.clear()
            self._written.clear()
            await self._store.withdraw()
            self._shown = False
