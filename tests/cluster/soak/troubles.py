"""What befalls the servers of a run: the bus dies, processes are replaced in turn, or killed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from tests.cluster.buses import Bus, RedisBus
from tests.live.server import Live
from tests.live.test_stop import FINE


class Troubles:
    """
    Args:
        done: how much of the run is over, 0 to 1: what befalls it is spread over that.
    """

    def __init__(
        self,
        servers: Sequence[Live],
        bus: Bus | None,
        done: Callable[[], float],
        chance: random.Random,
    ) -> None:
        self.happened: Counter[str] = Counter()
        self._servers = servers
        self._bus = bus
        self._done = done
        self._chance = chance

    async def happen(self, outages: int, rolls: int, kills: int) -> None:
        """All of it; the bus fails beside the processes, sometimes together with them."""
        processes = ["rolled"] * rolls + ["killed"] * kills
        self._chance.shuffle(processes)
        does = {"rolled": self._roll, "killed": self._kill}
        await asyncio.gather(
            self._spread("outages", [self._outage] * outages if self._bus else []),
            self._spread("processes", [does[what] for what in processes]),
        )

    async def _spread(self, kind: str, parts: Sequence[Callable[[], Awaitable[None]]]) -> None:
        for number, part in enumerate(parts, 1):
            while self._done() < number / (len(parts) + 1):  # noqa: ASYNC110 — a count, no event
                await asyncio.sleep(0.05)
            await part()

    async def _outage(self) -> None:
        assert self._bus is not None
        away_s = self._chance.uniform(0.5, 2.5)
        if isinstance(self._bus, RedisBus):
            await asyncio.to_thread(self._bus.redis.kill)
            await asyncio.sleep(away_s)
            await asyncio.to_thread(self._bus.redis.start)
        else:
            for _ in range(5):  # they come back at once
                await asyncio.to_thread(self._bus.cut)
                await asyncio.sleep(away_s / 5)
        self.happened["outages"] += 1

    async def _roll(self) -> None:
        """Each in turn, as a deployment does."""
        for server in self._servers:
            status = await asyncio.to_thread(server.terminate)
            assert status in FINE, status
            await asyncio.to_thread(server.start)
            self.happened["rolled"] += 1

    async def _kill(self) -> None:
        server = self._chance.choice(self._servers)
        server.kill()
        await asyncio.to_thread(server.start)
        self.happened["killed"] += 1
