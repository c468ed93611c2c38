"""Bots' seats on a real database: played to the end, by whoever is there, each move once."""

from __future__ import annotations

import asyncio

import pytest

from app.service.calls import RulesAsked
from app.store.database import Database
from engine.events import DiceRolled, GameFinished, ScriptDropped
from engine.evolve import replay
from engine.state import Bots, Clocks, Finished, Place, Playing, ScriptedDice
from tests.clocks.world import TURN_S, World

BOT, HUMAN = Place("bot", "cautious"), Place("human")
LONG = RulesAsked("farkle", {})
SHORT = RulesAsked("farkle", {"target": 1_500})


@pytest.fixture
def served(database: Database) -> World:
    """A world whose processes play bots."""
    return World(database, plays_bots=True)


async def ended(world: World, game_id: str) -> Finished:
    head = await world.head(game_id)
    assert isinstance(head.game, Finished)
    assert head.game == replay(await world.events(game_id))
    return head.game


@pytest.mark.parametrize(
    "rules",
    [
        SHORT,
        RulesAsked("farkle", {"target": 1_500, "high_stakes": True, "spicy": True}),
        RulesAsked("house", {"target": 6_000, "exact": True}),
        RulesAsked("jester", {}),
    ],
    ids=["farkle", "spicy stakes", "house", "jester"],
)
async def test_a_table_of_bots_runs_to_its_end(served: World, rules: RulesAsked) -> None:
    game_id, _ = await served.table(1, rules=rules, places=(BOT, BOT, BOT), clocks=None)
    await served.one.play()
    over = await ended(served, game_id)
    assert over.result.reason in ("target", "instant_win")
    assert over.result.winners


async def test_bots_play_when_their_turn_comes_and_stop_at_a_persons(served: World) -> None:
    game_id, (ana,) = await served.table(1, rules=SHORT, places=(HUMAN, BOT, BOT))
    head = await served.head(game_id)
    for _ in range(200):
        if not isinstance(head.game, Playing):
            break
        assert head.game.turn.seat == 0
        await served.one.games.play.roll(served.call(ana), game_id, None)
        head = await served.head(game_id)
        if isinstance(head.game, Playing) and head.game.turn.seat == 0:
            await served.pass_time(1000 * TURN_S + 501)
        await served.one.play()
        head = await served.head(game_id)
    assert isinstance(head.game, Finished)


async def test_when_the_process_dies_another_one_goes_on(served: World) -> None:
    game_id, _ = await served.table(1, rules=SHORT, places=(BOT, BOT), clocks=None)
    before = (await served.head(game_id)).version
    rest = [served.process() for _ in range(3)]
    await served.pass_time(2_999, *rest)
    assert (await served.head(game_id)).version == before
    await served.pass_time(1, *rest)
    await ended(served, game_id)
    rolls = [e.roll for e in await served.events(game_id) if isinstance(e, DiceRolled)]
    assert rolls == list(range(len(rolls)))


async def test_processes_that_play_one_table_at_once_do_each_move_once(served: World) -> None:
    processes = [served.process() for _ in range(3)]
    tables = [
        (await served.table(1, rules=SHORT, places=(BOT, BOT), clocks=None))[0] for _ in range(4)
    ]
    for game_id in tables:
        head = await served.head(game_id)
        for process in processes:
            process.bots.wake(head)
    await asyncio.gather(*(process.play() for process in (served.one, *processes)))
    await served.pass_time(60_000, *processes)
    for game_id in tables:
        await ended(served, game_id)
        events = await served.events(game_id)
        assert sum(isinstance(e, GameFinished) for e in events) == 1


async def test_a_bot_that_nobody_moves_does_not_hold_up_the_game_clock(world: World) -> None:
    game_id, _ = await world.table(1, rules=SHORT, places=(BOT, BOT), clocks=Clocks(None, 60))
    await world.pass_time(60_501)
    head = await world.head(game_id)
    assert isinstance(head.game, Finished)
    assert head.game.result.reason == "game_clock"


async def test_a_bots_move_after_the_game_clock_is_not_made(served: World) -> None:
    game_id, _ = await served.table(1, rules=SHORT, places=(BOT, BOT), clocks=Clocks(None, 60))
    before = await served.head(game_id)
    served.clock.ms += 60_501
    await served.one.play()
    assert (await served.head(game_id)).version == before.version
    await served.one.poll()
    assert isinstance((await served.head(game_id)).game, Finished)


async def test_a_script_that_does_not_fit_a_bots_roll_is_dropped(served: World) -> None:
    dice = ScriptedDice(((1, 1, 1, 2, 3, 4), (1, 2)))
    game_id, _ = await served.table(1, rules=SHORT, places=(BOT, BOT), clocks=None, dice=dice)
    await served.one.play()
    await ended(served, game_id)
    dropped = [e for e in await served.events(game_id) if isinstance(e, ScriptDropped)]
    assert [e.left for e in dropped] == [1]


async def test_a_paced_bot_makes_one_decision_at_a_time(served: World) -> None:
    game_id, _ = await served.table(
        1, rules=SHORT, places=(BOT, BOT), clocks=None, bots=Bots(60_000)
    )
    before = (await served.head(game_id)).version
    await served.one.play()
    assert (await served.head(game_id)).version == before
    served.one.bots.close()
    other = served.process()
    await served.pass_time(63_000, other)
    groups = await served.one.store.commands(game_id, before, 1_000)
    assert len(groups) == 1
    other.bots.close()


async def test_bots_that_stand_in_play_the_game_to_its_end(served: World) -> None:
    game_id, _ = await served.table(2, rules=SHORT, clocks=Clocks(TURN_S, None), bots=Bots(0, True))
    await served.pass_time(4 * (1000 * TURN_S + 501))
    over = await ended(served, game_id)
    assert over.result.reason == "target"


async def test_a_transaction_of_bots_has_its_share_of_a_seconds_decisions(served: World) -> None:
    slow = served.process(bot_decisions=200)  # six at once: all of one table's
    ids = [(await served.table(1, rules=LONG, places=(BOT, BOT), clocks=None))[0] for _ in range(2)]
    before = [(await served.head(game_id)).version for game_id in ids]
    for game_id in ids:
        slow.bots.wake(await served.head(game_id))
    await slow.bots.round()
    after = [(await served.head(game_id)).version for game_id in ids]
    assert (slow.bots.decisions, after[0] > before[0], after[1]) == (6, True, before[1])
    slow.bots.close()


async def test_a_share_may_be_less_than_a_table_would_take(served: World) -> None:
    slow = served.process(bot_decisions=1)
    game_id, _ = await served.table(1, rules=LONG, places=(BOT, BOT), clocks=None)
    before = (await served.head(game_id)).version
    slow.bots.wake(await served.head(game_id))
    await slow.bots.round()
    groups = await served.one.store.commands(game_id, before, 1_000)
    assert (slow.bots.decisions, len(groups)) == (1, 1)
    slow.bots.close()
