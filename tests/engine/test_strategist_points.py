"""
With nobody near the target the strategist plays for points: held against `engine.odds` itself.

Every option of a reached state is valued here from the values of a turn alone, by what the rules
make of it; no part of the strategist has a hand in that.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

import pytest

from engine.bots import NoLuck, cautious, gambler, strategist
from engine.bots.move import Move
from engine.commands import Select, Selection
from engine.decide import transition
from engine.errors import Refusal
from engine.guards import bank, take_over, to_be_rolled
from engine.odds.opening import opening_odds
from engine.odds.turn import turn_odds
from engine.rules import Rules
from engine.scoring import scoring_of
from engine.state import Playing, ToRoll, ToSelect
from engine.units import Mask
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
    "jester": rules("jester"),
}
SPICY = {
    "farkle, spicy": rules("farkle", spicy=True),
    "farkle, spicy, high stakes": rules("farkle", spicy=True, high_stakes=True),
}


class Worth(NamedTuple):
    of_the_move: float
    of_the_best: float


def rolling(play: Playing, dice: Mask) -> float:
    """Mean of what the turn credits, the selection on the table locked and these dice rolled."""
    ruled, turn = play.setup.rules, play.turn
    odds = turn_odds(ruled)
    on_board = play.seats[turn.seat].on_board
    value = (
        odds.value_of_rolling if on_board else opening_odds(ruled, ruled.opening).value_of_rolling
    )
    if isinstance(turn, ToRoll):
        return value(0)
    sets = turn.sets
    if turn.selected and ruled.set_upgrade:
        scoring = scoring_of(ruled)
        dice_selected = tuple(p for p in range(ruled.dice) if turn.selected >> p & 1)
        choice = scoring.choice(
            dice_selected, turn.selected, turn.faces, turn.rolled, turn.wild_face, turn.sets
        )
        assert choice is not None
        sets = scoring.sets_after(turn.sets, choice)
    everything = dice == ruled.all_dice
    return value(0 if everything else dice, turn.score, turn.protected, () if everything else sets)


def worth_of(play: Playing, move: Move) -> float:
    """Of one move, from the rules and the odds."""
    turn, seat = play.turn, play.turn.seat
    if move.name == "take-over":
        offer = take_over(play)
        left = play.setup.rules.all_dice & ~offer.held
        taken = ToSelect(
            seat, 0, offer.faces, offer.held, 0, False, 0, 0, 0, 0, offer.score, 0, 0, ()
        )
        return rolling(play._replace(turn=taken), left)
    if move.select is not None:
        after = transition(play, Select(turn.began_at, seat, move.select)).game
        assert isinstance(after, Playing)
        play = after
    if move.name == "bank":
        choice = bank(play)
        assert isinstance(play.turn, ToSelect)
        return play.turn.carried + play.turn.banked + choice.points
    return rolling(play, to_be_rolled(play))


def every_move(play: Playing) -> list[Move]:
    """Every selection, then roll or bank; whether the rules take it is seen when it is valued."""
    if isinstance(play.turn, ToRoll):
        return [Move("roll"), Move("take-over")]
    turn = play.turn
    table = scoring_of(play.setup.rules).roll_table(turn.faces, turn.rolled, turn.wild, turn.sets)
    picks = [Selection(choice.dice, choice.wild_face or None) for choice in table.choices]
    return [Move("bank"), *(Move(name, pick) for pick in picks for name in ("roll", "bank"))]


def judged(play: Playing) -> Worth:
    """What the strategist does here, and what the best is worth."""
    found: list[float] = []
    for move in every_move(play):
        try:
            found.append(worth_of(play, move))
        except Refusal:
            continue
    return Worth(worth_of(play, strategist(play, NoLuck())), max(found))


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
            worth = judged(play)
            assert worth.of_the_move >= 0.98 * worth.of_the_best, play


@pytest.mark.parametrize("name", VARIANTS)
def test_a_decision_is_worth_98_of_100_of_the_best(name: str) -> None:
    no_decision_is_worth_less(VARIANTS[name], range(1), 120)


@pytest.mark.wide
@pytest.mark.parametrize("name", VARIANTS)
def test_hundreds_of_decisions_are(name: str) -> None:
    no_decision_is_worth_less(VARIANTS[name], range(1, 3), 400)


@pytest.mark.soak
@pytest.mark.parametrize("name", [*VARIANTS, *SPICY])
def test_thousands_of_decisions_are(name: str) -> None:
    no_decision_is_worth_less({**VARIANTS, **SPICY}[name], range(10, 20), 1_000)


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
