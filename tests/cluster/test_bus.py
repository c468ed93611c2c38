"""Announcers on a real bus: what arrives, what is dropped, and that nobody waits for it."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.live.announcers import InProcessAnnouncer
from app.live.bus import BusAnnouncer
from app.live.hints import MOST_WAITING
from app.service.reads import LOOK_S
from tests.cluster.buses import Bus, RedisBus
from tests.cluster.test_hints import FORGED, GAME, OTHER
from tests.live_streams.server import until


class Post:
    """An announcer, all that it told its listener, and how often it may have missed something."""

    def __init__(self, bus: Bus) -> None:
        self.missed = 0
        self.told: list[tuple[str, int]] = []
        self.announcer = BusAnnouncer(bus.link(), InProcessAnnouncer(), self._missed, retry_s=0.05)
        self.announcer.listen(lambda game, version: self.told.append((game, version)))

    def _missed(self) -> None:
        self.missed += 1

    def is_up(self) -> bool:
        return self.announcer.condition().connected


@asynccontextmanager
async def posts(bus: Bus, count: int = 2) -> AsyncIterator[list[Post]]:
    made = [Post(bus) for _ in range(count)]
    for post in made:
        post.announcer.start()
    try:
        await until(lambda: all(post.is_up() for post in made))
        yield made
    finally:
        for post in made:
            await post.announcer.close()


def new_game() -> str:
    return str(uuid.uuid4())


async def reaches(one: Post, other: Post) -> None:
    game = new_game()
    one.announcer.announce(game, 1)
    await until(lambda: (game, 1) in other.told)


async def test_a_hint_reaches_the_others_and_oneself_once(bus: Bus) -> None:
    async with posts(bus, 3) as (one, *others):
        one.announcer.announce(GAME, 7)
        assert one.told == [(GAME, 7)]
        await until(lambda: all(post.told for post in others))
        await reaches(others[0], one)
        assert one.told.count((GAME, 7)) == 1
        assert [post.told.count((GAME, 7)) for post in others] == [1, 1]
        assert one.announcer.condition().sent == 1
        await until(lambda: others[1].announcer.condition().heard >= 2)
        assert others[1].announcer.condition().heard == 2


async def test_a_hint_wakes_who_waits_in_another_process(bus: Bus) -> None:
    async with posts(bus) as (one, other):
        waits = [asyncio.create_task(other.announcer.wait(GAME, 6, 10)) for _ in range(3)]
        await asyncio.sleep(0)
        one.announcer.announce(GAME, 7)
        await asyncio.wait_for(asyncio.gather(*waits), LOOK_S)


async def test_what_is_forged_goes_nowhere(bus: Bus) -> None:
    async with posts(bus, 1) as [post]:
        for payload in FORGED:
            if len(payload) < 8_000:  # NOTIFY takes no more
                bus.publish(payload)
        bus.publish(f"{OTHER} {GAME}:5")
        await until(lambda: post.told)
        assert post.told == [(GAME, 5)]
        assert post.missed == 1, "the connection held"


async def test_lost_connections_are_opened_again_and_said_to_have_missed(bus: Bus) -> None:
    async with posts(bus) as (one, other):
        for times in range(1, 4):
            bus.cut()
            await until(lambda: min(one.missed, other.missed) > times)  # noqa: B023
            await reaches(one, other)
            await reaches(other, one)


async def test_20_000_hints_while_the_loop_is_stalled(bus: Bus) -> None:
    async with posts(bus) as (one, other):
        games = [new_game() for _ in range(20_000)]
        began = time.monotonic()
        for game in games:
            one.announcer.announce(game, 1)
        took = time.monotonic() - began
        time.sleep(0.5)  # noqa: ASYNC251 — the point
        assert len(one.told) == 20_000
        condition = one.announcer.condition
        await until(lambda: condition().sent + condition().dropped == 20_000)
        assert condition().dropped >= 20_000 - MOST_WAITING
        await reaches(one, other)
        assert took < 1.0, "announcing is adding to a dictionary"
        known = set(games)
        assert all(version == 1 for _, version in other.told)
        assert len(set(other.told)) == len(other.told), "none twice"
        assert len([game for game, _ in other.told if game in known]) >= condition().sent - 1


async def test_a_bus_that_no_longer_answers_is_left(own_redis_bus: RedisBus) -> None:
    """A connection that is half open never fails by itself."""
    async with posts(own_redis_bus) as (one, other):
        own_redis_bus.pause()
        try:
            one.announcer.announce(GAME, 1)
            await until(lambda: not one.is_up())
            assert one.announcer.condition().dropped == 1
            await until(lambda: not other.announcer._up)  # both connections, the listening one too
        finally:
            own_redis_bus.resume()
        await until(lambda: one.is_up() and other.is_up())
        assert other.missed > 1
        await reaches(one, other)


async def test_a_stop_sends_the_last_hints(bus: Bus) -> None:
    async with posts(bus) as (one, other):
        games = [new_game() for _ in range(250)]
        for game in games:
            one.announcer.announce(game, 2)
        await one.announcer.close()
        await until(lambda: other.announcer.condition().heard == len(games))


async def test_work_that_is_cut_short_leaves_no_answer_to_somebody_else(bus: Bus) -> None:
    """Cancelled in the middle of a batch, again and again: hints that come are hints that went."""
    async with posts(bus) as (one, other):
        went = set()
        for _ in range(20):
            for _ in range(30):
                went.add((new_game(), 3))
                one.announcer.announce(*max(went))
            for task in list(one.announcer._loops._tasks.values()):
                task.cancel()
            await asyncio.sleep(0.01)
        await until(one.is_up)
        await reaches(one, other)
        assert set(other.told[:-1]) <= went
