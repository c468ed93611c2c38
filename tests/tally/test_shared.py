"""Counts that several processes share: over a pool in memory, and over a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count

import pytest

from app.errors import CodeNotFound
from app.limits import JoinCodeGuard, Kind, RateLimited, RateLimits, TicketGuard
from app.live.loops import Loops
from app.settings import Settings
from app.tally.redis_pool import RedisPools
from app.tally.shared import SharedTally, Told
from tests.servers.redis import RedisServer

Ask = Callable[[], None]
Asks = Callable[[Settings, SharedTally], Ask]

ANA = ("reads", b"\x07" * 32)
HOME = ("reads", "192.0.2.1")


class Time:
    now = 6_000.0

    def __call__(self) -> float:
        return self.now


class Counts:
    """What Redis does, in a dictionary."""

    faults: tuple[type[Exception], ...] = (OSError, TimeoutError)

    def __init__(self) -> None:
        self.totals: dict[str, int] = {}
        self.is_away = False

    async def add(self, counts: Sequence[Told]) -> list[int]:
        if self.is_away:
            raise ConnectionError
        for name, more in counts:
            self.totals[name] = self.totals.get(name, 0) + more
        return [self.totals[name] for name, _ in counts]

    @asynccontextmanager
    async def pool(self) -> AsyncIterator[Counts]:
        yield self


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def counts() -> Counts:
    return Counts()


def hits(tally: SharedTally, times: int, limit: int) -> int:
    """How many of them were within the limit."""
    return sum(tally.hit(ANA, limit).wait_s == 0 for _ in range(times))


async def test_two_processes_count_together(time: Time, counts: Counts) -> None:
    one, two = SharedTally(counts, time), SharedTally(counts, time)
    assert (hits(one, 6, 10), hits(two, 2, 10)) == (6, 2)
    for process in (one, two, one):
        await process.exchange(counts)
        hits(one, 0, 10)
    assert two.hit(ANA, 10).left == 1, "six there, two and this one here"
    await two.exchange(counts)
    one.blocked(ANA, 10)
    await one.exchange(counts)
    assert [one.hit(ANA, 10).left for _ in range(2)] == [0, 0]
    assert one.hit(ANA, 10).wait_s > 0
    assert one.hit(HOME, 10).left == 9, "somebody else is not concerned"


def calls(kind: Kind, token: bytes | None) -> Asks:
    """So many are served, of a caller from one address."""

    def ask(settings: Settings, tally: SharedTally) -> Ask:
        limits = RateLimits(settings, tally)
        return lambda: limits.admit(kind, token, "home")

    return ask


def codes(player: str | None) -> Asks:
    """Wrong codes that are looked up: of one player, or of ever another one behind one address."""

    def ask(settings: Settings, tally: SharedTally) -> Ask:
        guard, others = JoinCodeGuard(settings, tally), count(id(tally))

        def guess() -> None:
            with (
                suppress(CodeNotFound),
                guard.guess(player or str(next(others)), "home" if player is None else "away"),
            ):
                raise CodeNotFound

        return guess

    return ask


def tickets(settings: Settings, tally: SharedTally) -> Ask:
    guard = TicketGuard(settings, tally)
    return lambda: guard.wrong("home")


CAPS: dict[str, tuple[Asks, int]] = {
    "limit_guests": (calls("guests", None), 32),
    "limit_games": (calls("games", b"ana"), 32),
    "limit_commands": (calls("commands", b"ana"), 32),
    "limit_reads": (calls("reads", b"ana"), 32),
    "limit_reads of an address": (calls("reads", None), 32),
    "limit_codes_player": (codes("ana"), 32),
    "limit_codes_address": (codes(None), 32),
    "limit_codes_address of tickets": (tickets, 32),
}


@pytest.mark.parametrize("cap", CAPS)
async def test_every_limit_is_one_for_all_processes(time: Time, counts: Counts, cap: str) -> None:
    """The last one passes, the next one is refused, wherever they were asked for before."""
    asks, limit = CAPS[cap]
    settings = Settings.model_validate({cap.partition(" ")[0]: limit})
    both = [SharedTally(counts, time) for _ in range(2)]
    here, there = (asks(settings, tally) for tally in both)
    for _ in range(limit // 2):
        here()
    for _ in range(limit // 2 - 1):
        there()
    for tally in both:
        await tally.exchange(counts)
    there()
    await both[1].exchange(counts)
    refused(there, limit)
    with suppress(RateLimited):  # hears of the others once it is asked itself
        here()
    await both[0].exchange(counts)
    refused(here, limit)


def refused(ask: Ask, limit: int) -> None:
    with pytest.raises(RateLimited) as told:
        ask()
    assert told.value.facts["limit"] == limit
    wait = told.value.facts["retry_after_s"]
    assert isinstance(wait, int)
    assert 1 <= wait <= 120


async def test_what_was_counted_elsewhere_fades_as_ones_own_does(
    time: Time, counts: Counts
) -> None:
    one, two = SharedTally(counts, time), SharedTally(counts, time)
    time.now += 59.9
    assert hits(one, 10, 10) == 10
    time.now += 0.2  # the minute turned before anybody was told
    hits(one, 1, 10)
    await one.exchange(counts)
    two.hit(ANA, 10)
    await two.exchange(counts)
    assert two.hit(ANA, 10).wait_s > 0, "ten there, all but some hundredth of which still counts"
    time.now += 60
    assert hits(two, 12, 10) == 9, "its own of a minute ago still counts"
    time.now += 120
    assert hits(two, 12, 10) == 10


async def test_a_burst_at_the_turn_of_a_minute_is_told_late_but_told(
    time: Time, counts: Counts
) -> None:
    one, two = SharedTally(counts, time), SharedTally(counts, time)
    time.now += 59.8
    two.hit(ANA, 10)
    assert hits(one, 9, 10) == 9
    time.now += 0.3
    two.hit(ANA, 10)
    for process in (one, two):
        await process.exchange(counts)
    assert two.hit(ANA, 10).wait_s > 0


async def test_who_is_far_from_a_limit_costs_nothing(time: Time, counts: Counts) -> None:
    tally = SharedTally(counts, time)
    hits(tally, 9, 160)
    await tally.exchange(counts)
    assert counts.totals == {}
    hits(tally, 1, 160)
    await tally.exchange(counts)
    assert sorted(counts.totals.values()) == [0, 10]


async def test_no_key_says_whose_it_is(time: Time, counts: Counts) -> None:
    tally = SharedTally(counts, time)
    tally.hit(ANA, 1)
    tally.hit(HOME, 1)
    await tally.exchange(counts)
    text = "".join(counts.totals)
    assert len(counts.totals) == 4, "this minute and the one before"
    assert HOME[1] not in text
    assert "07070707" not in text


async def test_while_the_others_are_away_each_counts_alone(time: Time, counts: Counts) -> None:
    counts.is_away = True
    one, two = SharedTally(counts, time), SharedTally(counts, time)
    assert one.shared is False
    assert hits(one, 12, 10) == 10
    await one.share()  # returns: it is to be tried again
    assert one.shared is False
    assert hits(two, 12, 10) == 10
    counts.is_away = False
    time.now += 121
    hits(one, 4, 10)
    await one.exchange(counts)
    two.hit(ANA, 10)
    await two.exchange(counts)
    assert two.hit(ANA, 10).left == 4


async def until(says: Callable[[], bool]) -> None:
    end = asyncio.get_running_loop().time() + 10
    while not says():
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.01)


async def test_a_redis_joins_them_and_its_loss_stops_nobody() -> None:
    redis = RedisServer.launch()
    loops = Loops()
    one, two = (SharedTally(RedisPools(redis.url)) for _ in range(2))
    both = (one, two)
    try:
        for name, tally in (("one", one), ("two", two)):
            loops.start(name, tally.share, 0.05)
        await until(lambda: all(tally.shared for tally in both))
        assert hits(one, 1_000, 1_000) > 0
        here = 0

        def is_refused() -> bool:
            nonlocal here
            here += 1
            return two.hit(ANA, 1_000).wait_s > 0

        await until(is_refused)
        assert here < 1_000, "those there count here"
        redis.kill()
        await until(lambda: not any(tally.shared for tally in both))
        assert one.hit(HOME, 5).left == 4
        redis.start()
        await until(lambda: all(tally.shared for tally in both))
        assert loops.failing() == []
    finally:
        await loops.close()
        redis.stop()
