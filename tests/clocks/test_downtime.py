"""Nobody is charged for times in which no process was there."""

from __future__ import annotations

import asyncio

import pytest

from engine.deadlines import game_deadline, turn_deadline
from engine.events import ClockExtended, DiceRolled, TurnTimedOut
from engine.state import Playing
from tests.clocks.world import BEGIN, GAME_S, TURN_S, World


async def play_of(world: World, game_id: str) -> Playing:
    game = (await world.head(game_id)).game
    assert isinstance(game, Playing)
    return game


@pytest.mark.parametrize("gap_s", [6, 30, 300])
async def test_a_gap_moves_the_deadlines_of_every_running_game_once(
    fragile: World, gap_s: int
) -> None:
    world = fragile
    tables = [(await world.table())[0] for _ in range(3)]
    waiting, _ = await world.lobby()
    over, (host, _) = await world.table()
    await world.one.games.play.end(world.call(host), over)
    await world.one.poll()
    world.clock.ms += 1000 * gap_s
    processes = [world.process() for _ in range(3)]
    await asyncio.gather(*(process.poll() for process in processes))
    for game_id in tables:
        play = await play_of(world, game_id)
        assert turn_deadline(play) == BEGIN + 1000 * (TURN_S + gap_s)
        assert game_deadline(play) == BEGIN + 1000 * (GAME_S + gap_s)
        events = [e for e in await world.events(game_id) if isinstance(e, ClockExtended)]
        assert events == [ClockExtended(world.clock.ms, 1, BEGIN, world.clock.ms, 1000 * gap_s)]
    for game_id in (waiting, over):
        assert not any(isinstance(e, ClockExtended) for e in await world.events(game_id))


async def test_a_pause_of_five_seconds_is_no_gap(fragile: World) -> None:
    world = fragile
    game_id, _ = await world.table()
    await world.one.poll()
    for _ in range(4):
        world.clock.ms += 5_000
        await world.one.poll()
    assert turn_deadline(await play_of(world, game_id)) == BEGIN + 1000 * TURN_S


async def test_no_clock_fires_for_a_turn_that_ended_while_nobody_was_there(fragile: World) -> None:
    world = fragile
    game_id, (ana, _) = await world.table()
    await world.one.poll()
    world.clock.ms += 300_000
    late = world.process()
    await late.poll()
    events = [type(e) for e in await world.events(game_id)]
    assert (events.count(TurnTimedOut), events.count(ClockExtended)) == (0, 1)
    await late.games.play.roll(world.call(ana), game_id, None)


async def test_a_command_that_comes_before_the_scan_brings_the_credit_along(
    fragile: World,
) -> None:
    world = fragile
    game_id, (ana, _) = await world.table()
    await world.one.poll()
    before = (await world.head(game_id)).version
    world.clock.ms += 300_000
    late = world.process()
    await late.pulse.beat()
    await late.games.play.roll(world.call(ana), game_id, None)
    extended, rolled, *_ = await world.events(game_id, before)
    assert isinstance(extended, ClockExtended)
    assert isinstance(rolled, DiceRolled)
    await late.poll()
    events = [type(e) for e in await world.events(game_id)]
    assert events.count(ClockExtended) == 1


async def test_gaps_add_up_and_a_process_that_dies_in_the_scan_leaves_the_rest(
    fragile: World,
) -> None:
    world = fragile
    game_id, _ = await world.table()
    await world.one.poll()
    for gap in (10_000, 20_000):
        world.clock.ms += gap
        await world.process().pulse.beat()  # sees the gap, and is gone before it told anybody
    await world.process().poll()
    play = await play_of(world, game_id)
    assert turn_deadline(play) == BEGIN + 1000 * TURN_S + 30_000
    assert play.gap == 2
