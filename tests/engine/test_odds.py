"""The odds of rolls and turns beside numbers worked out elsewhere."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.odds import RollOdds, TurnOdds, roll_odds, turn_odds
from engine.rules import Rules
from engine.rules_text import rules_from_data
from tests.golden.load import BustCase, TurnCase, bust_cases, turn_cases
from tests.referee import rulebook
from tests.referee.family import family

SHIPPED = {
    "farkle": rulebook.farkle(),
    "house": rulebook.house(),
    "jester": rulebook.jester(),
}


def rules_of(name: str) -> Rules:
    return rules_from_data({**SHIPPED, **family()}[name])


def row(rules: Rules, dice: int, sets: dict[int, int]) -> RollOdds:
    locked = tuple(sets.items())
    return next(r for r in roll_odds(rules) if len(r.dice) == dice and r.sets == locked)


@pytest.mark.parametrize("case", bust_cases(), ids=lambda case: case.line)
def test_a_roll_busts_and_scores_as_counted_elsewhere(case: BustCase) -> None:
    found = row(rules_of(case.rules), case.dice, case.sets)
    assert (found.busts, found.rolls) == (case.busts, 6**case.dice)
    assert case.mean is None or found.mean == case.mean
    assert found.bust == Fraction(case.busts, 6**case.dice)


@pytest.mark.parametrize("case", turn_cases(), ids=lambda case: case.line)
def test_a_turn_is_worth_what_was_worked_out_elsewhere(case: TurnCase) -> None:
    found: TurnOdds = turn_odds(rules_of(case.rules))
    assert round(found.fresh, 4) == case.mean
    assert case.bank_from == list(found.bank_from[: len(case.bank_from)])
