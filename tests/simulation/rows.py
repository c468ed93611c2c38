"""What a process keeps on the simulated disk beside its games: who is connected, what falls due."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from app.accounts import Caller
from app.ports import Clock, Gap, Player
from engine.units import Millis
from tests.simulation.disk import Disk, Way


class SimulatedPresence:
    """`app.ports.PresenceStore`."""

    FORGOTTEN_MS = 10_000

    def __init__(self, disk: Disk, way: Way, clock: Clock, process: str) -> None:
        self._disk = disk
        self._way = way
        self._clock = clock
        self._process = process

    async def show(self, came: Iterable[tuple[str, int]], went: Iterable[tuple[str, int]]) -> bool:
        await self._way.there()
        known = self._process in self._disk.presence
        _, seats = self._disk.presence.get(self._process, (0, set()))
        self._disk.presence[self._process] = (self._clock.now(), (seats | set(came)) - set(went))
        return known

    async def withdraw(self) -> None:
        await self._way.there()
        self._disk.presence.pop(self._process, None)

    async def sweep(self) -> None:
        await self._way.there()
        for process, (seen_at, _) in list(self._disk.presence.items()):
            if seen_at < self._clock.now() - self.FORGOTTEN_MS:
                del self._disk.presence[process]

    async def elsewhere(self, game_ids: Collection[str]) -> set[tuple[str, int]]:
        await self._way.there()
        alive = self._clock.now() - self.FORGOTTEN_MS
        return {
            held
            for process, (seen_at, seats) in self._disk.presence.items()
            if process != self._process and seen_at >= alive
            for held in seats
            if held[0] in game_ids
        }


class SimulatedClockRows:
    """`app.clocks.rows.ClockRows`."""

    def __init__(self, disk: Disk, way: Way, shared_clock: Clock) -> None:
        self._disk = disk
        self._way = way
        self._shared_clock = shared_clock

    async def due(self, most: int) -> list[str]:
        await self._way.there()
        now = self._shared_clock.now()
        found = sorted((at, game_id) for game_id, at in self._disk.clocks.items() if at <= now)
        return [game_id for _, game_id in found[:most]]

    async def postpone(self, game_id: str, by_ms: Millis) -> None:
        await self._way.there()
        self._disk.clocks[game_id] = self._shared_clock.now() + by_ms

    async def games(self, after: str, most: int) -> list[str]:
        await self._way.there()
        return sorted(game_id for game_id in self._disk.clocks if game_id > after)[:most]

    async def beat(self, gap_ms: Millis) -> list[Gap]:
        await self._way.there()
        now, disk = self._shared_clock.now(), self._disk
        if disk.beat_at is not None and now - disk.beat_at > gap_ms:
            disk.gaps.append(Gap(len(disk.gaps) + 1, disk.beat_at, now, False))
        disk.beat_at = now
        return list(disk.gaps)

    async def credited(self, number: int) -> None:
        await self._way.there()
        self._disk.gaps[number - 1] = self._disk.gaps[number - 1]._replace(credited=True)


class NobodysTokens:
    """`app.ports.Accounts`, as far as streams ask: every token lives."""

    async def create(self, player: Player, token_hash: bytes) -> None: ...

    async def by_token(self, token_hash: bytes) -> Caller | None:
        return None

    async def callers(self, token_hashes: Collection[bytes]) -> dict[bytes, Caller]:
        return {}

    async def rotate(self, player_id: str, token_hash: bytes, now: Millis) -> None: ...

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        return set(token_hashes)

    async def get(self, player_id: str) -> Player | None:
        return None

    async def rename(self, player_id: str, name: str) -> None: ...

    async def unseat(self, player_id: str, now: Millis) -> None: ...

    async def forget(self, player_id: str) -> None: ...
