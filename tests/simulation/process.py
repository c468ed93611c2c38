"""One process of the server, made of the real parts, and its death."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from typing import TypeVar

from pydantic_core import to_json

from app.api import render
from app.api.views import summary
from app.bots.allowance import Allowance
from app.bots.player import BotPlayer
from app.clocks.due import Waits, due_at
from app.clocks.pulse import Pulse
from app.clocks.runner import Runner
from app.errors import StoreUnavailable
from app.features import features_of
from app.limits import JoinCodeGuard
from app.live.announcers import InProcessAnnouncer
from app.live.connections import Connections
from app.live.live import Live
from app.live.loops import Loops
from app.live.presence import Presence
from app.live.source import Source
from app.live.timing import Timing
from app.ports import Head, Recorded, Summary
from app.rulebook import Rulebook
from app.service import GameService
from app.service.series import Caps
from app.settings import Settings
from app.store.codec import decode
from app.tally.counts import MemoryTally
from engine.units import Millis
from tests.simulation.bus import Bus, SimulatedAnnouncer
from tests.simulation.chance import Chance
from tests.simulation.disk import Disk, Way, Weather
from tests.simulation.loop import Died, Owner, as_owned
from tests.simulation.purses import SimulatedPurseBook
from tests.simulation.rows import NobodysTokens, SimulatedClockRows, SimulatedPresence
from tests.simulation.series import SimulatedSeries
from tests.simulation.store import SimulatedStore

T = TypeVar("T")

SERIES_S = 3.0

BEGINNING = 1_767_225_600_000


class VirtualClock:
    """`app.ports.Clock`: the loop's time as a date."""

    def __init__(self, wrong_by_ms: Millis = 0) -> None:
        self._wrong_by_ms = wrong_by_ms

    def now(self) -> Millis:
        return BEGINNING + self._wrong_by_ms + int(asyncio.get_running_loop().time() * 1000)


class Rendered:
    """`app.live.frames.Renderer`."""

    def game(self, head: Head, now: Millis) -> bytes:
        return render.game(head, (), now, None)

    def events(self, records: Sequence[Recorded]) -> bytes:
        return render.event_list(records)

    def summary(self, row: Summary) -> bytes:
        return to_json(summary(row))


class ConnectionLost(Exception):
    """What a client sees of a process that dies, or of an answer that goes astray."""


@cache
def rulebook() -> Rulebook:
    return Rulebook.shipped()


class Process:
    def __init__(
        self,
        name: str,
        disk: Disk,
        bus: Bus,
        chance: Chance,
        weather: Weather,
        timing: Timing,
        waits: Waits,
        beside: Chance,
    ) -> None:
        self.name = name
        self.mine = Owner()
        self.way = Way(chance, weather)
        self._beside = Way(beside, weather)
        """To series and purses: games' chances are the same with and without them."""
        self._bus = bus
        clock, shared_clock = VirtualClock(chance.randrange(-3_000, 3_000)), VirtualClock()
        local = InProcessAnnouncer()
        settings = Settings(rate_limits=False, _env_file=None)
        self.store = SimulatedStore(
            disk, self.way, clock, shared_clock, lambda head: due_at(head, waits)
        )
        rows = SimulatedClockRows(disk, self.way, shared_clock)
        self.pulse = Pulse(rows, lambda: asyncio.get_running_loop().time() * 1000)
        announcer = SimulatedAnnouncer(name, bus, local)
        bus.connect(name, self.mine, local)
        self.games = GameService(
            store=self.store,
            announcer=announcer,
            clock=clock,
            random_bytes=chance.bytes_of,
            rulebook=rulebook(),
            features=features_of(settings),
            guard=JoinCodeGuard(settings, MemoryTally(asyncio.get_running_loop().time)),
            decode=decode,
            new_id=chance.new_id,
            series=SimulatedSeries(disk, self._beside),
            series_caps=Caps(1_000, 16, 10),
            gaps=lambda: self.pulse.gaps,
        )
        self.purses = SimulatedPurseBook(disk, self._beside)
        presence = Presence(SimulatedPresence(disk, self.way, shared_clock, name))
        self.bots = BotPlayer(self.games.desk, Allowance(settings.bot_decisions))
        self.games.desk.moved.append(self.bots.wake)
        self.runner = Runner(
            self.games.desk, rows, self.pulse, waits, decode, presence.seats, self.bots.wake
        )
        self.live = Live(
            Source(self.store, decode, Rendered(), clock),
            announcer,
            Connections(NobodysTokens(), clock, None, timing),
            presence,
            timing,
        )
        self.games.desk.stored.append(self.live.hub.stored)
        self.serves = False
        self._loops = Loops()
        as_owned(self.mine, lambda: asyncio.ensure_future(self._start()))

    async def _start(self) -> None:
        """As a server starts: it knows of its absence before the first command."""
        while not self.serves:
            try:
                await self.pulse.beat()
                self.serves = True
            except StoreUnavailable:
                await asyncio.sleep(0.1)
        self._loops.start("clocks", self.runner.poll, self.live.timing.clocks, self.runner.more)
        self._loops.start("bots", self.bots.round, 60.0, self.bots.awake)
        self._loops.start("series", self.games.series.look, SERIES_S)

    async def serve(self, request: Callable[[], Awaitable[T]]) -> T:
        """
        Runs a request in this process, for a client outside.

        Raises: what the request raises; ConnectionLost when the process dies first.
        """
        if self.mine.is_dead:
            raise ConnectionLost

        async def handle() -> T:
            return await request()

        task: asyncio.Task[T] = as_owned(self.mine, lambda: asyncio.ensure_future(handle()))
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled() or self.mine.is_dead:
            raise ConnectionLost
        error = task.exception()
        if isinstance(error, Died):
            raise ConnectionLost
        return task.result()

    def owns(self, mine: Owner | None) -> bool:
        return mine is self.mine

    def die(self) -> None:
        """At once, without a farewell: what is under way goes no further."""
        self.way.is_cut = self._beside.is_cut = True
        self._bus.cut(self.name)
        self.mine.die()
