"""The odds of rolls and turns beside numbers worked out elsewhere."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.odds import (
    OutOfScope,
    RollOdds,
    TurnOdds,
    duel_of,
    mean_without_hot_dice,
    opening_odds,
    roll_odds,
    story_of,
    turn_odds,
)
from engine.rules import Rules
from engine.rules_text import rules_from_data
from engine.scoring import Scoring, scoring_of
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


@pytest.mark.parametrize(("target", "first"), [(300, 0.8556615308), (1000, 0.6023896817)])
def test_the_first_of_two_seats_wins_as_often_as_was_worked_out_elsewhere(
    target: int, first: float
) -> None:
    data = {**family()["basic"], "target": target, "opening": 0, "final_round": "none"}
    assert round(duel_of(rules_from_data(data)).first, 10) == first


@pytest.mark.parametrize(
    ("target", "first"), [(2, 0.522915101427), (5, 0.512488114394), (40, 0.504110585781)]
)
def test_two_seats_may_risk_all_on_next_to_nothing(target: int, first: float) -> None:
    """
    One die, of which a 1 is worth a point and is rolled again. The smaller ones by iteration over
    all pairs until nothing moves; from 40 points on the chance of a turn that goes for all of them
    is lost in the last digit.
    """
    one = {"id": "one", "kind": "single", "face": 1, "points": 1}
    data = {**family()["basic"], "target": target, "opening": 0, "final_round": "none"}
    data = {**data, "dice": {"count": 1}, "combinations": [one]}
    assert duel_of(rules_from_data(data)).first == pytest.approx(first, abs=1e-11)


def test_a_turn_that_must_bank_300_is_worth_what_was_worked_out_elsewhere() -> None:
    assert round(opening_odds(rules_of("doubling_4_2"), 300).fresh, 4) == 553.8747


def test_a_turn_without_hot_dice_is_worth_what_was_worked_out_elsewhere() -> None:
    assert round(mean_without_hot_dice(rules_of("kingdom")), 4) == 509.05


@pytest.mark.parametrize("name", [*SHIPPED, "basic"])
def test_the_story_of_a_turn_adds_up_to_its_mean(name: str) -> None:
    rules = rules_of(name)
    for wild_rolls in (0, 2) if rules.wild_rolls else (0,):
        story = story_of(rules, wild_rolls)
        assert story.mean == pytest.approx(turn_odds(rules, wild_rolls).fresh, rel=1e-9)
        assert sum(chance for _, chance in story.scores) == pytest.approx(1, abs=1e-9)
        assert story.at_least(0) == pytest.approx(1, abs=1e-9)
        assert 0 < story.bust < 0.5
        assert 1 < story.rolls < 4


def test_rules_out_of_scope_have_no_chance_of_two_seats() -> None:
    for name in SHIPPED:
        with pytest.raises(OutOfScope):
            duel_of(rules_of(name))


def test_a_wild_roll_never_makes_a_turn_worse() -> None:
    rules = rules_of("jester")
    means = [turn_odds(rules, wild_rolls).fresh for wild_rolls in range(4)]
    assert means == sorted(means)
    assert turn_odds(rules, 1).value_of_wild_roll() == turn_odds(rules, 1).fresh


@pytest.mark.wide
def test_turns_played_out_come_to_the_mean_and_to_the_story() -> None:
    """A Monte-Carlo run with fixed dice; four standard errors."""
    rules, chance = rules_of("farkle"), Random(20)
    odds, scoring, turns = turn_odds(rules), scoring_of(rules), 20_000
    scores = [played(odds, scoring, chance) for _ in range(turns)]
    mean = sum(scores) / turns
    error = (sum((score - mean) ** 2 for score in scores) / turns**2) ** 0.5
    assert abs(mean - odds.fresh) < 4 * error
    busts = sum(score == 0 for score in scores) / turns
    wanted = story_of(rules).bust
    assert abs(busts - wanted) < 4 * (wanted * (1 - wanted) / turns) ** 0.5


def played(odds: TurnOdds, scoring: Scoring, chance: Random) -> int:
    """The score of a turn in which the best-valued choice is made every time."""
    dice, score, every = 0b111111, 0, 0b111111
    while True:
        faces = tuple(chance.randint(1, 6) if dice >> p & 1 else 0 for p in range(6))
        choices = scoring.roll_table(faces, dice, False, ()).choices
        if not choices:
            return 0
        bank = score + max(choice.points for choice in choices)
        worth, on = max(
            (odds.value_of_rolling(dice & ~c.mask or every, score + c.points), c.mask)
            for c in choices
        )
        if bank >= worth:
            return bank
        score += next(c.points for c in choices if c.mask == on)
        dice = dice & ~on or every
