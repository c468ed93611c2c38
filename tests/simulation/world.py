"""What a run happens in: the disk, the bus, the weather, and processes that die and rise."""

from __future__ import annotations

import asyncio

from app.clocks.due import Waits
from app.faultpoints import FaultPoint
from app.live.timing import Timing
from tests.simulation.bus import Bus, Manners
from tests.simulation.chance import Chance
from tests.simulation.disk import Disk, Weather
from tests.simulation.loop import Died, owner
from tests.simulation.process import Process

PROCESSES = 3
MOST_S = 3_600.0
"""Of virtual time; a run that takes longer hangs."""


class World:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        chance = self.chance("knobs")
        self.disk = Disk()
        self.bus = Bus(
            self.chance("bus"),
            Manners(
                drops=chance.choice((0.0, 0.1, 0.5, 1.0)),
                doubles=chance.choice((0.0, 0.3)),
                forges=chance.choice((0.0, 0.05)),
                slow_s=chance.choice((0.002, 0.05, 1.0)),
            ),
        )
        self.weather = Weather(
            lost_before=chance.choice((0.0, 0.01, 0.05)),
            lost_after=chance.choice((0.0, 0.01, 0.05)),
            clogged=chance.choice((0.0, 0.002, 0.02)),
        )
        self.timing = Timing(
            poll=chance.choice((0.1, 0.7)), heartbeat=chance.choice((0.5, 20.0)), stall=3.0
        )
        self.waits = Waits(
            lobby=60_000,
            host=20_000,
            absent=10_000,
            abandoned=chance.choice((30_000, 90_000)),
            most_events=chance.choice((60, 20_000)),
        )
        self.dark = chance.choice((0.0, 0.0, 0.02))
        """The odds, each second, that all processes die at once."""
        self.deadly = chance.choice((0.0, 0.003, 0.02))
        """The odds of dying at each fault point."""
        self.disk.bot_tables = self.chance("bot tables").choice((1, 2, 20))
        self.deaths = 0
        self.processes: dict[int, Process] = {}
        self._reaper = self.chance("death")
        self._router = self.chance("router")

    def chance(self, name: str) -> Chance:
        return Chance(self.seed, name)

    # Processes.

    def rise(self, place: int) -> None:
        name = f"process {place}, life {self.deaths}"
        self.processes[place] = Process(
            name,
            self.disk,
            self.bus,
            self.chance(name),
            self.weather,
            self.timing,
            self.waits,
            self.chance(f"{name}, beside"),
        )

    def pass_by(self, point: FaultPoint) -> None:
        """Who passes a fault point may die there; another one rises in its place."""
        mine = owner.get()
        for place, process in self.processes.items():
            if process.owns(mine) and self._reaper.happens(self.deadly):
                del self.processes[place]
                process.die()
                self.deaths += 1
                after = self._reaper.expovariate(1)
                asyncio.get_running_loop().call_later(after, self.rise, place)
                raise Died

    async def darken(self) -> None:
        """Now and then everybody dies, and nobody is there for a while."""
        chance = self.chance("darkness")
        while True:
            await asyncio.sleep(1.0)
            if chance.happens(self.dark):
                after = chance.uniform(1.0, 40.0)
                for place, process in list(self.processes.items()):
                    del self.processes[place]
                    process.die()
                    self.deaths += 1
                    asyncio.get_running_loop().call_later(after, self.rise, place)

    async def somewhere(self) -> Process:
        for _ in range(int(MOST_S)):
            serving = sorted(place for place, p in self.processes.items() if p.serves)
            if serving:
                return self.processes[self._router.choice(serving)]
            await asyncio.sleep(0.1)
        raise AssertionError("nobody serves any more")
