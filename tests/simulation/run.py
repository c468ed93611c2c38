"""One run: tables, people, processes that die, until everything is over."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

from structlog import DropEvent
from structlog.testing import capture_logs
from structlog.typing import EventDict

from app.clocks.due import Waits
from app.faultpoints import FaultPoint, watched
from app.live.frames import View
from app.live.timing import Timing
from app.service.calls import RulesAsked, TableAsked
from engine.state import Bots, Clocks, FairDice, Place
from tests.simulation.bus import Bus, Manners
from tests.simulation.chance import Chance
from tests.simulation.disk import Disk, Weather
from tests.simulation.judge import judge
from tests.simulation.loop import Died, VirtualLoop, owner
from tests.simulation.people import Acted, Follower, Person
from tests.simulation.process import Process

PROCESSES = 3
MOST_S = 3_600.0
"""Of virtual time; a run that takes longer hangs."""

RULES = (
    RulesAsked("farkle", {"target": 1_500, "opening": 300, "high_stakes": True}),
    RulesAsked("farkle", {"target": 1_000, "opening": 0, "spicy": True}),
    RulesAsked("house", {"target": 1_000, "opening": 100}),
    RulesAsked("house", {"target": 4_000, "opening": 0, "exact": True}),
    RulesAsked("jester", {}),
)


@dataclass(frozen=True)
class Run:
    """What happened, in figures."""

    seed: int
    seconds: float
    """Of virtual time."""
    commits: int
    conflicts: int
    deaths: int
    connections: int
    hints_dropped: int
    timed_out: int
    """Turns that ended on the clock."""
    own: int
    """Commands of bots and clocks."""
    gaps: int
    """Times in which nobody was there."""
    trace: str
    """A digest of all logs: the same for the same seed."""


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
            name, self.disk, self.bus, self.chance(name), self.weather, self.timing, self.waits
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


@dataclass
class Ended:
    """Everything there was, for the judge."""

    run: Run
    disk: Disk
    acted: list[Acted]
    followers: list[Follower]


async def _lived(seed: int) -> Ended:
    world = World(seed)
    with watched(world.pass_by):
        return await _live(world)


async def _live(world: World) -> Ended:
    chance = world.chance("tables")
    for place in range(PROCESSES):
        world.rise(place)
    people: list[Person] = []
    followers: list[Follower] = []

    async def table(number: int) -> None:
        seats = chance.choice((1, 2, 2, 3))
        rules = RULES[chance.randrange(len(RULES))]
        seats = max(seats, 2 if rules.preset == "house" else 1)
        mine = [
            Person(world.chance(f"player {number}/{n}"), n, world.somewhere) for n in range(seats)
        ]
        people.extend(mine)
        bots = chance.choice((0, 0, 1, 2))
        how = Bots(chance.choice((0, 300)), chance.happens(0.5))
        game_id = await _laid(mine, bots, rules, _clocks(chance), how, chance.happens(0.9))
        for n in range(chance.randrange(4)):
            name = f"follower {number}/{n}"
            view: View = "full" if n % 2 == 0 else "events"
            followers.append(Follower(world.chance(name), game_id, view, world.somewhere))
        here = [f for f in followers if f.game_id == game_id]
        following = asyncio.gather(*(f.follow() for f in here))
        until = asyncio.get_running_loop().time() + chance.uniform(10.0, 60.0)
        await asyncio.gather(*(person.play(game_id, until) for person in mine))
        if chance.happens(0.2):
            await mine[0].act(game_id, "end", lambda p, call: p.games.play.end(call, game_id))
        await following
        for _ in range(int(MOST_S)):  # those who left it do not end it: its clocks do
            if game_id not in world.disk.clocks:
                return
            await asyncio.sleep(1.0)

    darkness = asyncio.ensure_future(world.darken())
    async with asyncio.timeout(MOST_S):
        await asyncio.gather(*(table(n) for n in range(chance.randrange(1, 4))))
    darkness.cancel()
    for process in world.processes.values():
        process.die()
    seconds = asyncio.get_running_loop().time()
    digest = hashlib.sha256()
    for game_id, head in sorted(world.disk.heads.items()):
        digest.update(game_id.encode() + head.hash)
    run = Run(
        world.seed,
        seconds,
        world.disk.commits,
        world.disk.conflicts,
        world.deaths,
        sum(f.connections for f in followers),
        world.bus.dropped,
        sum(_is(r.data, "turn_timed_out") for log in world.disk.log.values() for r, _ in log),
        world.disk.commits - sum(bool(act.answers) for p in people for act in p.history),
        len(world.disk.gaps),
        digest.hexdigest(),
    )
    return Ended(run, world.disk, [act for p in people for act in p.history], followers)


async def _laid(
    people: list[Person],
    bots: int,
    rules: RulesAsked,
    clocks: Clocks | None,
    how: Bots,
    starts: bool,
) -> str:
    """A table with everybody seated, and started, where it is."""
    host, *others = people
    asked = TableAsked(
        rules=rules,
        places=(
            *(Place("human") for _ in people),
            *(Place("bot", "cautious") for _ in range(bots)),
        ),
        visibility="public",
        dice=FairDice(),
        clocks=clocks,
        pass_and_play=False,
        bots=how,
        advice=None,
        cheats=None,
    )
    opened = await host.act("", "create", lambda p, call: p.games.opening.create(call, asked))
    assert opened is not None
    assert opened.location is not None
    game_id = opened.location.rsplit("/", 1)[-1]
    host.history[-1].game_id = game_id
    for other in others:
        await other.act(
            game_id, "join", lambda p, call: p.games.tables.join(call, game_id, None, None)
        )
    if starts:
        await host.act(game_id, "start", lambda p, call: p.games.tables.start(call, game_id))
    return game_id


def _is(data: bytes, kind: str) -> bool:
    return b'"type":"%b"' % kind.encode() in data


def _clocks(chance: Chance) -> Clocks | None:
    turn_s = chance.choice((None, 5, 10, 20))
    game_s = chance.choice((None, None, 60))
    return None if turn_s is game_s is None else Clocks(turn_s, game_s)


def simulate(seed: int) -> Run:
    """
    The run of one number, judged.

    Raises: AssertionError, or what failed in the server; with the seed in a note.
    """
    try:
        end = ended(seed)
        judge(end.disk, end.acted, end.followers)
    except BaseException as error:
        error.add_note(f"seed {seed}")
        raise
    return end.run


def ended(seed: int) -> Ended:
    """The run of one number, before it is judged."""
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    try:
        with capture_logs(processors=[_of_the_living]) as said:
            try:
                end = loop.run_until_complete(_lived(seed))
            finally:
                loop.run_until_complete(_end_all())
    finally:
        asyncio.set_event_loop(None)
        loop.close()
    errors = [line for line in said if line["log_level"] == "error"]
    assert not errors, errors
    return end


def _of_the_living(_: object, __: str, line: EventDict) -> EventDict:
    """What a dead process would still say, nobody would have heard."""
    mine = owner.get()
    if mine is not None and mine.is_dead:
        raise DropEvent
    return line


async def _end_all() -> None:
    """Of the dead, some still wait for what never comes."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
