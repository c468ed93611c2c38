"""Clocks and the deaths of processes: every clock fires, and once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from app.store.database import Database
from engine.events import ClockExtended, Event, GameFinished, TurnTimedOut
from engine.state import Clocks, Finished
from tests.clocks.world import TURN_S, WAITS, World
from tests.live.server import Live, healthy

TURN_MS = 1000 * TURN_S + 501
TABLES = 50


def deadlines(events: list[Event]) -> list[int]:
    """When turns ran out."""
    return [e.deadline for e in events if isinstance(e, TurnTimedOut)]


@pytest.mark.parametrize(
    "firings", [1_000, pytest.param(10_000, marks=[pytest.mark.soak])], ids=str
)
async def test_no_firing_is_doubled_whoever_dies(database: Database, firings: int) -> None:
    """Hours of virtual time; three processes look at once, and are cut off at any moment."""
    endless = WAITS._replace(abandoned=10**12)
    world, chance = World(database, endless), Random(firings)
    tables = [(await world.table(clocks=Clocks(TURN_S, None)))[0] for _ in range(TABLES)]
    processes = [world.process() for _ in range(3)]
    turns = firings // TABLES
    for _ in range(turns):
        at = await world.next_due()
        assert at is not None
        world.clock.ms = max(world.clock.ms, at)
        looking = [asyncio.create_task(process.poll()) for process in processes]
        for number, task in enumerate(looking):
            if chance.random() < 0.2:
                await asyncio.sleep(chance.random() / 100)
                task.cancel()
                processes[number] = world.process()
        for task in looking:
            with suppress(asyncio.CancelledError):
                await task
        await world.one.poll()
    for game_id in tables:
        fired = deadlines(await world.events(game_id))
        assert len(fired) == turns
        assert len(set(fired)) == turns
        assert all(later - earlier == TURN_MS for earlier, later in pairwise(fired))


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(30, marks=pytest.mark.wide),
        pytest.param(200, marks=[pytest.mark.faults]),
        pytest.param(500, marks=[pytest.mark.soak, pytest.mark.timeout(600)]),
    ],
)
async def test_clocks_fire_when_every_process_was_killed(
    postgres_url: str, database: Database, url: str, count: int
) -> None:
    """All are killed with clocks running; three start later. Nobody is charged for the time."""
    if url != postgres_url:
        return  # several processes need Postgres
    laid = World(database, real_time=True)
    first = Live(postgres_url)
    first.start()
    clocks = Clocks(10, 40)
    tables = [(await laid.table(clocks=clocks))[0] for _ in range(count)]
    first.kill()
    await asyncio.sleep(12)
    three = [Live(postgres_url) for _ in range(3)]
    for server in three:
        server.start()
    try:
        async with asyncio.timeout(400):
            for game_id in tables:
                await _over(laid, game_id)
        for game_id in tables:
            _check(await laid.events(game_id))
        for server in three:
            healthy(server)
    finally:
        for server in three:
            server.terminate()


async def _over(world: World, game_id: str) -> None:
    """Returns when another process has ended the game."""
    while True:
        if isinstance((await world.head(game_id)).game, Finished):
            return
        await asyncio.sleep(0.5)


def _check(events: list[Any]) -> None:
    gaps = [e for e in events if isinstance(e, ClockExtended)]
    numbers = [gap.gap for gap in gaps]
    # A machine that is busy enough may stand still at other times too.
    assert numbers
    assert numbers == sorted(set(numbers))
    fired = deadlines(events)
    assert len(fired) == len(set(fired)) >= 2
    [over] = [e for e in events if isinstance(e, GameFinished)]
    assert over.reason == "game_clock"
    began = next(e.at for e in events if type(e).__name__ == "GameStarted")
    assert over.at > began + 40_000 + sum(gap.by_ms for gap in gaps)
    extended = events.index(gaps[-1])
    late = deadlines(events[extended:])
    # A clock that was at zero already when the lights went out may not have been fired.
    assert all(deadline > gaps[-1].ended - 2_000 for deadline in late), "downtime was charged"
