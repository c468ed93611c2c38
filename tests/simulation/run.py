"""One run: tables, people, processes that die, until everything is over."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Iterator
from typing import Literal

from structlog import DropEvent
from structlog.testing import capture_logs
from structlog.typing import EventDict

from app.faultpoints import watched
from tests.simulation.contests import Contest, contest
from tests.simulation.ended import Ended, Run
from tests.simulation.judge import judge
from tests.simulation.loop import VirtualLoop, owner
from tests.simulation.payments import Purchases, purse
from tests.simulation.strangers import strangers
from tests.simulation.tables import Crowd, table
from tests.simulation.world import MOST_S, PROCESSES, World

Plays = Literal["all", "tables"]
"""What happens in a run: a seed of "tables" stays what it was before there was more."""

ALSO = (
    (),
    ("strangers",),
    ("strangers",),
    ("series",),
    ("series",),
    ("purses",),
    ("purses",),
    ("strangers", "series", "purses"),
)


async def _lived(seed: int, plays: Plays) -> Ended:
    world = World(seed)
    with watched(world.pass_by):
        return await _live(world, plays)


async def _live(world: World, plays: Plays) -> Ended:
    for place in range(PROCESSES):
        world.rise(place)
    crowd = Crowd(world)
    purchases = Purchases(world)
    contests: list[Contest] = []
    darkness = asyncio.ensure_future(world.darken())
    async with asyncio.timeout(MOST_S):
        await asyncio.gather(*_whatever_happens(crowd, purchases, contests, plays))
    darkness.cancel()
    for process in world.processes.values():
        process.die()
    seconds = asyncio.get_running_loop().time()
    digest = hashlib.sha256()
    for game_id, head in sorted(world.disk.heads.items()):
        digest.update(game_id.encode() + head.hash)
    people, followers = crowd.people, crowd.followers
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
        len(world.disk.meetings),
        sum(len(each.game_ids) for each in contests),
        len(world.disk.journal),
        digest.hexdigest(),
    )
    acted = [act for p in people for act in p.history]
    errands = [act for p in people for act in p.errands]
    return Ended(run, world.disk, acted, followers, errands, contests, purchases.told)


def _whatever_happens(
    crowd: Crowd, purchases: Purchases, contests: list[Contest], plays: Plays
) -> Iterator[Awaitable[None]]:
    world = crowd.world
    chance, more = world.chance("tables"), world.chance("more")
    count, also = chance.randrange(1, 4), more.choice(ALSO)
    if plays == "tables":
        also = ()
    elif also:
        count = min(count, more.choice((0, 1)))
    for number in range(count):
        carries_on = plays != "tables" and more.happens(0.5)
        yield table(crowd, chance, number, carries_on=carries_on)
    if "strangers" in also:
        yield strangers(crowd, world.chance("strangers"))
    if "series" in also:
        yield contest(crowd, world.chance("series"), contests)
    if "purses" in also:
        yield purse(crowd, world.chance("purses"), purchases)


def _is(data: bytes, kind: str) -> bool:
    return b'"type":"%b"' % kind.encode() in data


def simulate(seed: int, plays: Plays = "all") -> Run:
    """
    The run of one number, judged.

    Raises: AssertionError, or what failed in the server; with the seed in a note.
    """
    try:
        end = ended(seed, plays)
        judge(end)
    except BaseException as error:
        error.add_note(f"seed {seed}")
        raise
    return end.run


def ended(seed: int, plays: Plays = "all") -> Ended:
    """The run of one number, before it is judged."""
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    try:
        with capture_logs(processors=[_of_the_living]) as said:
            try:
                end = loop.run_until_complete(_lived(seed, plays))
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
