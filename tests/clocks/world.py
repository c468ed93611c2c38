"""Processes on one real database, whose clock is ours: time passes when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, text

from app.api.render import minimal
from app.bots.allowance import Allowance
from app.bots.player import BotPlayer
from app.bots.preparing import Preparing
from app.clock import SystemClock
from app.clocks.due import Waits, due_at
from app.clocks.pulse import Pulse
from app.clocks.runner import Runner
from app.features import features_of
from app.ids import new_id, random_bytes
from app.limits import JoinCodeGuard
from app.live.announcers import InProcessAnnouncer
from app.ports import Gap, Head, Player
from app.rulebook import Rulebook
from app.service import GameService
from app.service.calls import Call, RulesAsked, TableAsked
from app.service.series import Caps
from app.settings import Settings
from app.store import tables
from app.store.clocks import SqlClockRows
from app.store.codec import decode
from app.store.database import Database
from app.store.queries import SqlEventStore
from app.store.series import SqlSeries
from app.tally.counts import MemoryTally
from engine.events import Event
from engine.state import Bots, Clocks, FairDice, Place
from engine.units import Seat

BEGIN = 1_767_225_600_000
HOUR = 3_600_000
WAITS = Waits(
    lobby=24 * HOUR, host=600_000, absent=600_000, abandoned=168 * HOUR, most_events=20_000
)
RULEBOOK = Rulebook.shipped()
SETTINGS = Settings()
TURN_S, GAME_S = 60, 1_800


@dataclass
class SetClock:
    """`app.ports.Clock`."""

    ms: int = BEGIN

    def now(self) -> int:
        return self.ms


class RealClock(SetClock):
    """The system's, for tables beside real processes."""

    def now(self) -> int:
        return SystemClock().now()


class NeverAway(SqlClockRows):
    """For tests in which hours pass at once, and the service was there all the time."""

    async def beat(self, gap_ms: int) -> list[Gap]:
        return []


@dataclass
class Process:
    """The parts of a process that tables run by, and who seems to be connected."""

    database: Database
    clock: SetClock
    waits: Waits = WAITS
    away: bool = False
    """Whether times without service are noticed."""
    present: dict[str, Collection[Seat]] = field(default_factory=dict)
    plays_bots: bool = False
    bot_decisions: int = 1_000_000
    preparing: Preparing | None = None
    bot_tables: int = 1_000_000
    woken: list[Head] = field(default_factory=list)
    """Games in which a bot's move was overdue."""

    def __post_init__(self) -> None:
        _living.setdefault(id(self.database), []).append(self)
        waits = self.waits
        self.store = SqlEventStore(
            self.database,
            self.clock,
            due=lambda head: due_at(head, waits),
            shared_clock=self.clock,
            bot_tables=self.bot_tables,
        )
        kind: Callable[..., SqlClockRows] = SqlClockRows if self.away else NeverAway
        self.rows = kind(self.database, self.clock)
        self.pulse = Pulse(self.rows, self.clock.now)
        tally = MemoryTally()
        self.games = GameService(
            store=self.store,
            announcer=InProcessAnnouncer(),
            clock=self.clock,
            random_bytes=random_bytes,
            rulebook=RULEBOOK,
            features=features_of(SETTINGS),
            guard=JoinCodeGuard(SETTINGS, tally),
            decode=decode,
            series=SqlSeries(self.database, self.clock, bot_tables=self.bot_tables),
            series_caps=Caps(1_000, 16, 10),
            gaps=lambda: self.pulse.gaps,
        )

        async def present(game_id: str) -> Collection[Seat]:
            return self.present.get(game_id, ())

        allowance = Allowance(self.bot_decisions, every_s=0, rests=0)
        self.bots = BotPlayer(self.games.desk, allowance, self.preparing)
        self.runner = Runner(
            self.games.desk,
            self.rows,
            self.pulse,
            waits,
            decode,
            present,
            self._woken,
        )
        if self.plays_bots:
            self.games.desk.moved.append(self.bots.wake)

    def _woken(self, head: Head) -> None:
        self.woken.append(head)
        if self.plays_bots:
            self.bots.wake(head)

    async def poll(self) -> None:
        await self.runner.poll()
        await self.play()

    async def play(self) -> None:
        """The bots that are to move, as long as it is theirs."""
        while self.bots.awake.is_set():
            self.bots.awake.clear()
            await self.bots.round()


_living: dict[int, list[Process]] = {}
"""By the database they are on: what they still do has to end before that is closed."""


async def end_processes(database: Database) -> None:
    """An orderly stop of all that were made on it."""
    for process in _living.pop(id(database), ()):
        await process.games.drain()


class World:
    """A database, its clock, and a first process."""

    def __init__(
        self,
        database: Database,
        waits: Waits = WAITS,
        *,
        away: bool = False,
        plays_bots: bool = False,
        real_time: bool = False,
    ) -> None:
        self.database = database
        self.clock = RealClock() if real_time else SetClock()
        self._waits, self._away, self._plays_bots = waits, away, plays_bots
        self.one = self.process()

    def process(self, **more: Any) -> Process:
        return Process(
            self.database, self.clock, self._waits, self._away, plays_bots=self._plays_bots, **more
        )

    def call(self, player: Player) -> Call:
        return Call(player, minimal)

    async def lobby(self, players: int = 2, **how: Any) -> tuple[str, list[Player]]:
        """A table at which everybody sits, not yet started; the first is its host."""
        people = [Player(new_id(), f"player {n}", BEGIN) for n in range(players)]
        wished: dict[str, Any] = {
            "rules": RulesAsked("farkle", {}),
            "places": tuple(Place("human") for _ in people),
            "visibility": "public",
            "dice": FairDice(),
            "clocks": Clocks(TURN_S, GAME_S),
            "pass_and_play": False,
            "bots": Bots(),
            "advice": None,
            "cheats": None,
            **how,
        }
        opened = await self.one.games.opening.create(self.call(people[0]), TableAsked(**wished))
        assert opened.location is not None
        game_id = opened.location.rsplit("/", 1)[-1]
        for player in people[1:]:
            await self.one.games.tables.join(self.call(player), game_id, None, None)
        return game_id, people

    async def table(self, players: int = 2, **how: Any) -> tuple[str, list[Player]]:
        """The same, started."""
        game_id, people = await self.lobby(players, **how)
        await self.one.games.tables.start(self.call(people[0]), game_id)
        return game_id, people

    async def head(self, game_id: str) -> Head:
        head = await self.one.store.head(game_id)
        assert head is not None
        return head

    async def events(self, game_id: str, after: int = 0) -> list[Event]:
        return [decode(r.data) for r in await self.one.store.events(game_id, after, 100_000)]

    async def due(self, game_id: str) -> int | None:
        """What the game's row says."""
        async with self.database.reading() as connection:
            asked = select(tables.clocks.c.due_at).where(tables.clocks.c.game_id == game_id)
            found: int | None = (await connection.execute(asked)).scalar_one_or_none()
        return found

    async def next_due(self) -> int | None:
        async with self.database.reading() as connection:
            asked = text("SELECT min(due_at) FROM clocks")
            found: int | None = (await connection.execute(asked)).scalar_one()
        return found

    async def pass_time(self, ms: int, *processes: Process) -> None:
        """Time passes, moment by moment at which something is due; all processes look each time."""
        until = self.clock.ms + ms
        while (at := await self.next_due()) is not None and at <= until:
            self.clock.ms = max(self.clock.ms, at)
            await asyncio.gather(*(each.poll() for each in processes or (self.one,)))
        self.clock.ms = until
