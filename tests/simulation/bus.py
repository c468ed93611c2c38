"""Hints on their way between processes: dropped, doubled, late, out of order, made up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from app.live.announcers import InProcessAnnouncer
from app.ports import Heard
from tests.simulation.chance import Chance
from tests.simulation.loop import Owner, as_owned


@dataclass(frozen=True)
class Manners:
    """How a bus treats a hint, as odds."""

    drops: float
    doubles: float
    forges: float
    slow_s: float


class Bus:
    def __init__(self, chance: Chance, manners: Manners) -> None:
        self.carried = 0
        self.dropped = 0
        self._chance = chance
        self._manners = manners
        self._ends: dict[str, tuple[Owner, InProcessAnnouncer]] = {}

    def connect(self, process: str, mine: Owner, local: InProcessAnnouncer) -> None:
        self._ends[process] = (mine, local)

    def cut(self, process: str) -> None:
        self._ends.pop(process, None)

    def carry(self, sender: str, game_id: str, version: int) -> None:
        chance, manners = self._chance, self._manners
        if chance.happens(manners.forges):
            version += chance.randrange(1, 1_000)
        for process in self._ends:
            if process == sender:
                continue
            if chance.happens(manners.drops):
                self.dropped += 1
                continue
            for _ in range(1 + chance.happens(manners.doubles)):
                late = chance.expovariate(1 / manners.slow_s)
                loop = asyncio.get_running_loop()
                loop.call_later(late, self._arrive, process, game_id, version)

    def _arrive(self, process: str, game_id: str, version: int) -> None:
        if (end := self._ends.get(process)) is not None:
            self.carried += 1
            as_owned(end[0], lambda: end[1].announce(game_id, version))


class SimulatedAnnouncer:
    """`app.ports.Announcer` of one process."""

    def __init__(self, process: str, bus: Bus, local: InProcessAnnouncer) -> None:
        self._process = process
        self._bus = bus
        self._local = local

    def announce(self, game_id: str, version: int) -> None:
        self._local.announce(game_id, version)
        self._bus.carry(self._process, game_id, version)

    def listen(self, heard: Heard) -> Callable[[], None]:
        return self._local.listen(heard)

    async def wait(self, game_id: str, above: int, seconds: float) -> None:
        await self._local.wait(game_id, above, seconds)
