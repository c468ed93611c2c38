"""Bots that must know a rule set first: their table waits, others do not; what the log tells."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count

import pytest

from app.bots.preparing import MOST_BEFORE, NoProcess, Preparing, in_another_process
from app.errors import AdviceNotReady, Overloaded
from app.service.advising import Advising
from app.service.calls import RulesAsked
from app.store.database import Database
from engine.bots import VERSIONS, BotLuck, character_of, move_of
from engine.bots.knowledge import LIBRARY, Knowledge
from engine.decide import transition
from engine.events import DiceRolled, Event, GameStarted, PolicyNamed, ScriptDropped
from engine.evolve import evolve
from engine.rules import Rules
from engine.state import Bots, Clocks, Finished, Game, Place, Playing, Policy
from tests.clocks.world import TURN_S, Process, World
from tests.engine.spec import Shows, rules

BOLD, WISE, PLAIN = (Place("bot", c) for c in ("gambler", "strategist", "cautious"))


class Gate:
    """Works nothing out until it is opened."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.asked: list[Rules] = []

    async def __call__(self, rules: Rules) -> Knowledge:
        self.asked.append(rules)
        await self.opened.wait()
        return Knowledge(rules)


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


def playing(world: World, preparing: Preparing) -> Process:
    """A process that plays bots."""
    process = world.process(preparing=preparing)
    process.games.desk.moved.append(process.bots.wake)
    return process


TARGETS = count(1_300, 50)


def asked() -> RulesAsked:
    """A rule set that no other test plays by, so that nothing is known of it yet."""
    return RulesAsked("farkle", {"target": next(TARGETS)})


async def test_a_table_waits_until_its_bots_know_its_rules_and_others_do_not(world: World) -> None:
    gate = Gate()
    process = playing(world, Preparing(gate))
    new = asked()
    waits, _ = await world.table(1, rules=new, places=(WISE, WISE), clocks=None)
    also, _ = await world.table(1, rules=new, places=(WISE, PLAIN), clocks=None)
    plays, _ = await world.table(1, rules=asked(), places=(PLAIN, BOLD), clocks=None)
    for game_id in (waits, also, plays):
        process.bots.wake(await world.head(game_id))
    before = (await world.head(waits)).version
    await asyncio.sleep(0)
    await process.play()
    assert isinstance((await world.head(plays)).game, Finished)
    assert (await world.head(waits)).version == before
    gate.opened.set()
    for game_id in (waits, also):
        while not isinstance((await world.head(game_id)).game, Finished):
            await asyncio.wait_for(process.bots.awake.wait(), 20)
            await process.play()
    assert len(gate.asked) == 1, "worked out once for all tables"
    process.bots.close()


async def test_where_it_cannot_be_worked_out_apart_it_is_worked_out_here(world: World) -> None:
    async def fails(rules: Rules) -> Knowledge:
        raise NoProcess

    preparing = Preparing(fails)
    ruled = rules("farkle", target=1_450)
    known = await preparing.known(ruled)
    assert known.rules == ruled
    assert preparing.is_ready(ruled)
    await preparing.close()


async def test_a_table_whose_rules_could_not_be_worked_out_plays_once_they_are(
    world: World,
) -> None:
    """The process dies twice, and once takes too long; nothing is worked out in the server."""
    tried: list[Rules] = []

    async def breaks(rules: Rules) -> Knowledge:
        tried.append(rules)
        if len(tried) == 1:
            raise EOFError("the process died")
        if len(tried) == 2:
            await asyncio.sleep(60)
        return Knowledge(rules)

    process = playing(world, Preparing(breaks, most_s=0.2, again_s=0.1))
    game_id, _ = await world.table(1, rules=asked(), places=(WISE, WISE), clocks=None)
    for _ in range(3):  # as the clocks do, which look after bots
        process.bots.wake(await world.head(game_id))
    while not isinstance((await world.head(game_id)).game, Finished):
        await asyncio.wait_for(process.bots.awake.wait(), 20)
        await process.play()
    assert len(tried) == 3
    process.bots.close()


async def test_whoever_asks_of_rules_that_failed_is_told_at_once() -> None:
    async def breaks(rules: Rules) -> Knowledge:
        raise EOFError

    preparing = Preparing(breaks)
    ruled = rules("farkle", target=1_150)
    for most in (5, 5, 5):
        with pytest.raises(Overloaded):
            await preparing.known(ruled)
        assert 0 < preparing.wait_s(ruled) <= most
    assert preparing.wait_s(rules("farkle", target=1_100)) == 0
    await preparing.close()


async def test_whoever_asks_for_advice_too_early_is_told_when_to_ask_again(world: World) -> None:
    """The work goes on, and nothing is logged before there is an answer."""
    gate = Gate()
    preparing = Preparing(gate, soon_s=0.02)
    game_id, [ana, _] = await world.table(2, rules=asked(), clocks=None)
    advising = Advising(world.one.games.desk, preparing.soon)
    before = (await world.head(game_id)).version
    for _ in range(2):
        with pytest.raises(AdviceNotReady) as refusal:
            await advising.advise(ana, game_id)
        assert refusal.value.facts == {"retry_after_s": 3}
    assert (await world.head(game_id)).version == before
    gate.opened.set()
    await preparing.known(gate.asked[0])
    assert (await advising.advise(ana, game_id)).advice.options
    assert len(gate.asked) == 1, "worked out once, whoever waits"
    await preparing.close()


async def test_another_process_knows_the_same() -> None:
    ruled = rules("jester", tier="jackpot")
    one, other = await in_another_process(ruled), Knowledge(ruled)
    assert (one.rules, one.model) == (ruled, ruled)
    assert one.mean == other.mean
    kept = other.kept(3_000, 2)
    assert one.kept(3_000, 2) == kept
    for dice in (0, 0b1, 0b111):
        args = (kept, True, dice, 350, 0, ())
        assert one.rolling(*args) == other.rolling(*args)


async def test_a_stop_ends_what_is_being_prepared() -> None:
    gate = Gate()
    preparing = Preparing(gate)
    waits = asyncio.create_task(preparing.known(rules("farkle", target=1_250)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await preparing.close()
    with pytest.raises(asyncio.CancelledError):
        await waits


async def test_what_is_known_is_kept_within_bounds() -> None:
    known = Knowledge(rules("house", target=2_000))
    for target in range(2_000, 2_000 + 5 * 80, 5):
        known.rules = rules("house", target=target)
        LIBRARY.keep(known)
    assert LIBRARY.find(rules("house", target=2_000)) is None
    assert LIBRARY.find(rules("house", target=2_395)) is known


async def test_what_is_asked_for_stays_known() -> None:
    known, often = Knowledge(rules("house", target=4_000)), rules("house", target=4_000)
    for target in range(4_000, 4_000 + 5 * 200, 5):
        known.rules = rules("house", target=target)
        LIBRARY.keep(known)
        assert LIBRARY.find(often) is known


async def test_the_log_tells_by_which_policies_bots_move(world: World) -> None:
    process = playing(world, Preparing())
    game_id, _ = await world.table(1, rules=asked(), places=(PLAIN, BOLD), clocks=None)
    process.bots.wake(await world.head(game_id))
    await process.play()
    events = await world.events(game_id)
    [started] = [e for e in events if isinstance(e, GameStarted)]
    assert started.policies == (Policy("cautious", 1), Policy("gambler", 1))
    assert not [e for e in events if isinstance(e, PolicyNamed)], "it is said already"
    process.bots.close()


async def test_a_bot_that_stands_in_says_its_policy_before_it_moves(database: Database) -> None:
    world = World(database, plays_bots=True)
    game_id, _ = await world.table(
        2, rules=asked(), clocks=Clocks(TURN_S, None), bots=Bots(0, True)
    )
    await world.pass_time(4 * (1000 * TURN_S + 501))
    named = [e for e in await world.events(game_id) if isinstance(e, PolicyNamed)]
    assert [(e.character, e.policy) for e in named] == [("cautious", VERSIONS["cautious"])] * 2
    assert {e.seat for e in named} == {0, 1}


async def test_a_finished_games_decisions_can_be_made_again(world: World) -> None:
    process = playing(world, Preparing())
    game_id, _ = await world.table(1, rules=asked(), places=(WISE, BOLD, PLAIN), clocks=None)
    process.bots.wake(await world.head(game_id))
    while not isinstance((await world.head(game_id)).game, Finished):
        await asyncio.wait_for(process.bots.awake.wait(), 20)
        await process.play()
    seeds = await world.one.store.seeds(game_id)
    events = await world.events(game_id)
    assert moves_again(events, seeds) > 3
    process.bots.close()


def moves_again(events: Sequence[Event], seeds: tuple[bytes, ...]) -> int:
    """Goes through a log and makes each decision of a bot again; how many there were."""
    game: Game | None = None
    at, made = 0, 0
    while at < len(events):
        if isinstance(game, Playing) and not isinstance(events[at], PolicyNamed | ScriptDropped):
            seat = game.turn.seat
            assert game.seats[seat].policy == VERSIONS[character_of(game)]
            luck = BotLuck(seeds[game.epoch], game.setup.game_id, seat, at)
            faces = next((e.dice for e in events[at:] if isinstance(e, DiceRolled)), ())
            move = move_of(game, luck)
            step = transition(game, move.command(events[at].at, seat, Shows(tuple(faces))))
            for event in step.events:
                assert event == events[at]
                at += 1
            game, made = step.game, made + 1
            if isinstance(game, Finished):
                return made
        else:
            game = evolve(game, events[at])
            at += 1
    return made


class Light(Gate):
    """What it knows is of rules that nobody plays by."""

    async def __call__(self, rules: Rules) -> Knowledge:
        await self.opened.wait()
        known = Knowledge.__new__(Knowledge)
        known.rules = known.model = rules
        return known


def preset(target: int) -> Rules:
    return rules("farkle", target=target)


async def test_who_waits_for_an_answer_waits_a_while_and_the_work_goes_on() -> None:
    gate = Gate()
    preparing, wanted = Preparing(gate, soon_s=0.05), preset(next(TARGETS))
    for _ in range(2):
        with pytest.raises(AdviceNotReady):
            await preparing.soon(wanted)
    assert gate.asked == [wanted], "asked twice, worked out once"
    gate.opened.set()
    await preparing.known(wanted)
    assert (await preparing.soon(wanted)).rules == wanted
    await preparing.close()


async def test_who_waits_for_an_answer_makes_nobodys_queue_longer() -> None:
    gate = Light()
    preparing = Preparing(gate)
    wanted = [preset(next(TARGETS)) for _ in range(MOST_BEFORE + 1)]
    before = [asyncio.create_task(preparing.soon(each)) for each in wanted[:-1]]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await preparing.soon(wanted[-1])
    joins = asyncio.create_task(preparing.soon(wanted[-2]))
    bots = asyncio.create_task(preparing.known(wanted[-1]))
    gate.opened.set()
    found = await asyncio.gather(*before, joins, bots)
    assert [each.rules for each in found] == [*wanted[:-1], wanted[-2], wanted[-1]]
    await preparing.close()
