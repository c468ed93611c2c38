"""Clocks of games, fired from their rows: when, once, and by whoever is there."""

from __future__ import annotations

import asyncio

import pytest

from app.api.render import minimal
from app.service.calls import Call
from engine.deadlines import GRACE_MS
from engine.errors import TimeIsUp
from engine.events import GameFinished, TurnBanked, TurnLapsed, TurnTimedOut
from engine.state import Clocks, Finished, Playing, ScriptedDice
from tests.clocks.world import BEGIN, GAME_S, TURN_S, World

TURN_MS = 1000 * TURN_S + GRACE_MS + 1


async def test_a_turn_that_runs_out_passes(world: World) -> None:
    game_id, _ = await world.table()
    before = (await world.head(game_id)).version
    await world.pass_time(TURN_MS - 1)
    assert (await world.head(game_id)).version == before
    await world.pass_time(1)
    timed_out, lapsed = await world.events(game_id, before)
    assert timed_out == TurnTimedOut(BEGIN + TURN_MS, 0, BEGIN + 1000 * TURN_S)
    assert isinstance(lapsed, TurnLapsed)
    head = await world.head(game_id)
    assert isinstance(head.game, Playing)
    assert head.game.turn.seat == 1
    assert await world.due(game_id) == BEGIN + 2 * TURN_MS


async def test_a_command_in_time_counts_and_a_late_one_is_refused(world: World) -> None:
    dice = ScriptedDice(((1, 1, 1, 2, 3, 4),))
    game_id, (ana, bo) = await world.table(dice=dice)
    world.clock.ms += TURN_MS - 1
    await world.one.games.play.roll(world.call(ana), game_id, None)
    world.clock.ms += 1
    with pytest.raises(TimeIsUp):
        await world.one.games.play.bank(world.call(ana), game_id, None)
    await world.one.poll()
    head = await world.head(game_id)
    assert isinstance(head.game, Playing)
    assert head.game.turn.seat == 1
    await world.one.games.play.roll(world.call(bo), game_id, None)


async def test_a_command_in_time_that_is_repeated_too_late_gets_its_answer(world: World) -> None:
    game_id, (ana, _) = await world.table()
    call = Call(ana, minimal, "the same key", b"roll")
    first = await world.one.games.play.roll(call, game_id, None)
    version = (await world.head(game_id)).version
    world.clock.ms += TURN_MS
    assert await world.process().games.play.roll(call, game_id, None) == first
    assert (await world.head(game_id)).version == version
    await world.one.poll()
    assert await world.process().games.play.roll(call, game_id, None) == first


async def test_many_processes_fire_a_clock_once(world: World) -> None:
    processes = [world.process() for _ in range(4)]
    tables = [(await world.table())[0] for _ in range(12)]
    world.clock.ms += TURN_MS
    await asyncio.gather(*(process.poll() for process in processes for _ in range(2)))
    for game_id in tables:
        events = await world.events(game_id)
        assert [type(e) for e in events].count(TurnTimedOut) == 1
        assert await world.due(game_id) == BEGIN + 2 * TURN_MS


async def test_rows_are_left_alone_while_nothing_falls_due_earlier(world: World) -> None:
    game_id, (ana, _) = await world.table()
    said = await world.due(game_id)
    world.clock.ms += 1_000
    await world.one.games.play.roll(world.call(ana), game_id, None)
    assert await world.due(game_id) == said == BEGIN + TURN_MS


async def test_the_game_clock_ends_the_game_and_its_row(world: World) -> None:
    game_id, _ = await world.table()
    await world.pass_time(1000 * GAME_S + GRACE_MS + 1)
    head = await world.head(game_id)
    assert isinstance(head.game, Finished)
    assert head.game.result.reason == "game_clock"
    assert head.game.result.winners == ()
    assert await world.due(game_id) is None
    events = await world.events(game_id)
    assert [type(e) for e in events].count(GameFinished) == 1


async def test_a_seat_on_the_board_banks_on_the_clock(world: World) -> None:
    game_id, (ana, _) = await world.table(clocks=Clocks(TURN_S, None))
    banked = False
    for _ in range(200):
        head = await world.head(game_id)
        assert isinstance(head.game, Playing)
        if head.game.turn.seat == 0:
            await world.one.games.play.roll(world.call(ana), game_id, None)
        await world.pass_time(TURN_MS)
        banked = any(isinstance(e, TurnBanked) for e in await world.events(game_id, head.version))
        if banked:
            break
    assert banked


async def test_with_a_game_ends_its_row(world: World) -> None:
    game_id, (ana, _) = await world.table()
    assert await world.due(game_id) is not None
    await world.one.games.play.end(world.call(ana), game_id)
    assert await world.due(game_id) is None
