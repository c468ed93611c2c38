"""
With nobody near the target the strategist plays for points: held against `engine.odds` itself.

Every option of a reached state is valued by `tests.engine.judging`, from the values of a turn and
the rules alone. Wild Rolls are `test_strategist_wild_rolls`'s; here none is left.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import mean, stdev

import pytest

from engine.bots import NoLuck, cautious, gambler, strategist
from engine.decide import transition
from engine.odds.turn import turn_odds
from engine.rules import Rules
from engine.state import Playing, ToRoll
from tests.engine.judging import judged
from tests.engine.spec import rules, started
from tests.engine.walks import any_command, dice_of_walk

FAR = 9_000_000
VARIANTS: dict[str, Rules] = {
    "farkle": rules("farkle"),
    "farkle, four and two": rules("farkle", four_and_two_is_three_pairs=True),
    "farkle, high stakes": rules("farkle", high_stakes=True),
    "house": rules("house"),
    "house, exact": rules("house", exact=True),
    "house, hot dice are rolled": rules("house", bank_on_hot_dice=False),
    "house, values of its own": rules("house", values={"single_1": 105, "three": {"6": 335}}),
    **{
        f"jester, {tier}": rules("jester", tier=tier)
        for tier in ("pocket", "jackpot", "fortune", "tycoon")
    },
}
ONE_TIER = [name for name in VARIANTS if not name.startswith("jester") or "pocket" in name]
"""Far from the target turns are the same at all four; `wide` plays each."""
SPICY = {
    "farkle, spicy": rules("farkle", spicy=True),
    "farkle, spicy, high stakes": rules("farkle", spicy=True, high_stakes=True),
}


def reached(ruled: Rules, seed: int, most: int) -> list[Playing]:
    """States of games in which all characters have a turn and some moves are anybody's."""
    chance, entropy = Random(seed), dice_of_walk(seed)
    play = started(replace(ruled, target=FAR))
    found: list[Playing] = []
    while len(found) < most:
        spent = tuple(seat._replace(wild_rolls=0) for seat in play.seats)
        play = play._replace(seats=spent)
        found.append(play)
        who = chance.choice((strategist, gambler, cautious, None))
        if who is None:
            command = any_command(play, chance, entropy, 3 + len(found), 0)
        else:
            command = who(play, NoLuck()).command(3 + len(found), play.turn.seat, entropy)
        after = transition(play, command).game
        assert isinstance(after, Playing)
        play = after
        if chance.random() < 0.01:  # back off the board: openings come up again
            seats = tuple(seat._replace(on_board=False) for seat in play.seats)
            play = play._replace(seats=seats)
    return found


def no_decision_is_worth_less(ruled: Rules, seeds: range, most: int) -> None:
    for seed in seeds:
        for play in reached(ruled, seed, most):
            worth = judged(play, strategist(play, NoLuck()))
            assert worth.of_the_move >= 0.98 * worth.of_the_best, play


@pytest.mark.parametrize("name", ONE_TIER)
def test_a_decision_is_worth_98_of_100_of_the_best(name: str) -> None:
    no_decision_is_worth_less(VARIANTS[name], range(1), 120)


@pytest.mark.wide
@pytest.mark.parametrize("name", VARIANTS)
def test_thousands_of_decisions_are(name: str) -> None:
    no_decision_is_worth_less(VARIANTS[name], range(1, 4), 1_000)


@pytest.mark.soak
@pytest.mark.parametrize("name", [*VARIANTS, *SPICY])
def test_ten_thousand_decisions_are(name: str) -> None:
    no_decision_is_worth_less({**VARIANTS, **SPICY}[name], range(10, 20), 1_000)


def given_away(ruled: Rules, seed: int, many: int) -> float:
    """
    Mean points by which so many turns fall short of the optimum, whatever the dice.

    What a turn credits is the optimum, less what each decision gives away, plus what the dice add
    to what was expected of them: 0 on average. So the second alone tells the mean, and hardly
    depends on chance.
    """
    entropy, lost, ended = dice_of_walk(seed), 0.0, 0
    play = started(replace(ruled, target=FAR), on_board=(0, 1))
    while ended < many:
        anew = tuple(state._replace(wild_rolls=0, score=0) for state in play.seats)
        play = play._replace(seats=anew)  # the target stays far away
        move = strategist(play, NoLuck())
        worth = judged(play, move)
        lost += worth.of_the_best - worth.of_the_move
        seat = play.turn.seat
        after = transition(play, move.command(3, seat, entropy)).game
        if isinstance(after, Playing):
            play = after
            ended += play.turn.seat != seat
        else:  # an instant win
            play = play._replace(turn=ToRoll(seat, 3), rolls=play.rolls + 1)
            ended += 1
    return lost / many


@pytest.mark.parametrize("name", ONE_TIER)
def test_turns_are_within_2_of_100_of_the_optimum(name: str) -> None:
    ruled = VARIANTS[name]
    assert given_away(ruled, 5, 60) <= 0.02 * turn_odds(ruled).fresh


@pytest.mark.wide
@pytest.mark.parametrize("name", SPICY)
def test_with_spicy_dice_decisions_and_turns_are_as_good(name: str) -> None:
    """Together, for what they are held against takes seconds."""
    ruled = SPICY[name]
    no_decision_is_worth_less(ruled, range(1, 2), 250)
    assert given_away(ruled, 5, 40) <= 0.02 * turn_odds(ruled).fresh


def turns(ruled: Rules, seed: int, many: int) -> list[int]:
    """What so many turns of a strategist on the board credit."""
    entropy = dice_of_walk(seed)
    play = started(replace(ruled, target=FAR, take_over=False), on_board=(0, 1))
    found: list[int] = []
    while len(found) < many:
        anew = tuple(state._replace(wild_rolls=0, score=0) for state in play.seats)
        play = play._replace(seats=anew)  # the target stays far away
        seat = play.turn.seat
        command = strategist(play, NoLuck()).command(3, seat, entropy)
        after = transition(play, command).game
        if not isinstance(after, Playing):  # an instant win credits nothing
            found.append(0)
            play = play._replace(turn=ToRoll(seat, 3), rolls=play.rolls + 1)
            continue
        play = after
        if play.turn.seat != seat:
            found.append(play.seats[seat].score)
    return found


@pytest.mark.soak
@pytest.mark.parametrize("name", [*VARIANTS, *SPICY])
def test_a_turn_brings_the_optimum_of_the_analysis(name: str) -> None:
    """Within 2 %, and what chance makes of 40 000 turns: five times their standard error."""
    ruled = {**VARIANTS, **SPICY}[name]
    scores = turns(ruled, 77, 40_000)
    error = stdev(scores) / len(scores) ** 0.5
    assert abs(mean(scores) - turn_odds(ruled).fresh) <= 0.02 * turn_odds(ruled).fresh + 5 * error
