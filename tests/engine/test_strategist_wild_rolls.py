"""
When the strategist spends Wild Rolls, nobody near the target: held against whole games of turns
worked out from the rolls themselves, in which each is kept for what it brings later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random

import pytest

from engine.bots import NoLuck, strategist
from engine.bots.knowledge import knowledge_of
from engine.decide import transition
from engine.legal import selections
from engine.odds.price import wild_price
from engine.odds.turn import turn_odds
from engine.state import FinalRound, Playing, ToRoll
from tests.engine.endings import FAR, is_far
from tests.engine.judging import judged
from tests.engine.spec import rules, started
from tests.engine.walks import any_command, dice_of_walk
from tests.engine.wild_prices import Prices, Turn, made

JESTER = rules("jester")


def reached(start: Playing, wild_rolls: int, seed: int) -> Iterator[Playing]:
    """
    Without end: states of a game in which two of three moves or so are the strategist's. Every turn
    begins with no points and so many Wild Rolls.
    """
    chance, entropy, play = Random(seed), dice_of_walk(seed), start
    for number in count(3):
        seats = [seat._replace(score=0, wild_rolls=wild_rolls) for seat in play.seats]
        if chance.random() < 0.02:
            seats = [seat._replace(on_board=False) for seat in seats]  # openings come up again
        play = play._replace(seats=tuple(seats))
        if is_far_after(play):
            yield play
        if chance.random() < 0.7:
            command = strategist(play, NoLuck()).command(number, play.turn.seat, entropy)
        else:
            command = any_command(play, chance, entropy, number, 0)
        after = transition(play, command).game
        play = after if isinstance(after, Playing) else start._replace(rolls=play.rolls + 1)


def is_far_after(play: Playing) -> bool:
    """Whether nobody is near the target, and nothing that may be selected hits or passes it."""
    if not is_far(play):
        return False
    if isinstance(play.turn, ToRoll):
        return True
    most = max(choice.points for choice in selections(play))
    return play.turn.score + most < play.setup.rules.target


@pytest.mark.wide
@pytest.mark.parametrize("missing", [2_500, 5_000, 12_000])
def test_far_from_the_target_every_decision_is_worth_98_of_100_of_the_best(missing: int) -> None:
    """With more Wild Rolls than turns to come, as many, and fewer; 3 600 states in all."""
    ruled = replace(JESTER, target=missing)
    assert missing > FAR * turn_odds(ruled).fresh
    values, given_away, turns = Prices(ruled, missing, 5), 0.0, 0
    for wild_rolls in (1, 2, 3, 5):
        for play in islice(reached(started(ruled, on_board=(0, 1)), wild_rolls, 3), 300):
            worth = judged(play, strategist(play, NoLuck()), values)
            assert worth.of_the_move >= 0.98 * worth.of_the_best, (wild_rolls, play)
            given_away += worth.of_the_best - worth.of_the_move
            turns += isinstance(play.turn, ToRoll)
    assert turns > 100
    assert given_away / turns <= 0.002 * turn_odds(ruled).fresh


@pytest.mark.wide
def test_what_wild_rolls_are_worth_that_are_kept_is_what_later_turns_make_of_them() -> None:
    known = knowledge_of(JESTER)
    for turns in (2, 3, 4, 6, 9, 13):
        later = made(JESTER, turns, 7)
        for left in range(1, 8):
            missing = round(made(JESTER, turns + 1, 7)[left])
            price = later[left] - later[left - 1]
            assert known.kept(missing, left).price == pytest.approx(price, rel=0.08, abs=25)


def test_to_begin_with_one_at_the_usual_price_is_worth_as_much_as_to_begin_without() -> None:
    price = wild_price(JESTER, 3)
    turn = Turn(JESTER, [price * left for left in range(4)])
    assert turn.wild[3][0] == pytest.approx(turn.plain[3][turn.full][0], abs=1)
    free = turn_odds(JESTER, 1).value_of_wild_roll() - turn_odds(JESTER).fresh
    assert free < price < 1.1 * free


def test_a_wild_roll_that_costs_something_is_spent_where_it_brings_more() -> None:
    """Values at a price are those of turns that end with something for each that is left."""
    for price in (150.0, 500.0):
        turn = Turn(JESTER, [0.0, price, 2 * price], top=12_000)
        odds = turn_odds(JESTER, 2, price)
        for score in (0, 350, 1_000, 2_800, 3_950):
            at = score // odds.unit
            wild, plain = turn.wild[2][at], turn.plain[2][turn.full][at]
            assert odds.value_of_wild_roll(score) == pytest.approx(wild - 2 * price)
            assert odds.value_of_plain_roll(score) == pytest.approx(plain - 2 * price)
            for throw in (0, 1, 2):
                value = turn.plain[2][throw][at] - 2 * price
                assert odds.value(throw, score) == pytest.approx(value)


def test_in_a_last_turn_a_wild_roll_costs_nothing() -> None:
    """It wins more often than an ordinary roll, and there is no later turn to keep it for."""
    ruled = replace(JESTER, exact="off", final_round="one_turn", winner="highest")
    play = started(ruled, totals=(4_500, 5_000))
    last = play._replace(final_round=FinalRound(opened_by=1, waiting=(0,)))
    assert last.seats[0].wild_rolls
    assert strategist(last, NoLuck()).name == "wild-roll"


def test_a_turn_that_may_spend_some_is_worth_less_the_more_they_cost() -> None:
    values = [turn_odds(JESTER, 2, float(price)).fresh for price in (0, 200, 400, 600, 900)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(turn_odds(JESTER).fresh)
