"""Odds of small games beside those worked out roll by roll, without the engine."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import pytest

from engine.odds import (
    mean_of_few_rolls,
    opening_odds,
    reach_odds,
    roll_odds,
    throws_of,
    turn_odds,
)
from engine.odds.duel import Duel
from engine.rules_text import rules_from_data
from tests.engine.expectimax import Race, Turns, few_rolls, reaching
from tests.referee.family import family
from tests.referee.rulebook import a_set, farkle, jester, single, straight
from tests.referee.scoring import best, selections

SINGLES = [single(1, 100), single(5, 50)]
THREES = [a_set(3, face, 100 * face + 50) for face in (1, 2, 5)]


def small(dice: int, **changes: Any) -> dict[str, Any]:
    """A game of two or three dice."""
    pair = [a_set(2, 1, 250), a_set(2, 4, 150)]
    return {
        **farkle(target=600, opening=0, final_round=False),
        "dice": {"count": dice},
        "combinations": [*SINGLES, *pair, *(THREES if dice > 2 else [])],
        **changes,
    }


GUARDED = [{**single(1, 100), "protected": True}, single(5, 50), a_set(2, 4, 150)]
GROWING = [*SINGLES, a_set(3, 2, 200), a_set(4, 2, 700)]
GAMES: dict[str, dict[str, Any]] = {
    "two dice": small(2),
    "three dice": small(3),
    "selected": small(3, bank_takes="selected"),
    "forced": small(3, split="forced", bank_takes="selected"),
    "no stop on hot dice": small(2, bank_on_hot_dice=False),
    "no stop on hot dice, selected": small(3, bank_on_hot_dice=False, bank_takes="selected"),
    "protected": small(2, combinations=GUARDED),
    "protected, no stop": small(
        2, combinations=GUARDED, bank_on_hot_dice=False, bank_takes="selected"
    ),
    "a bonus for all dice": small(2, all_dice_bonus=100),
    "spicy": small(3, spicy={"faces": [1, 5, 5], "instant_win": True}),
    "spicy alike": small(2, spicy={"faces": [1, 1], "instant_win": False}),
    "a straight": small(3, combinations=[*SINGLES, straight("low", (1, 2, 3), 300)]),
    "sets that grow": small(4, combinations=GROWING, set_upgrade=True, bank_takes="selected"),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_of_few_rolls_is_worth_what_every_roll_says(name: str) -> None:
    data = GAMES[name]
    for most in (1, 2, 3) if data["dice"]["count"] < 4 else (1, 2):
        assert mean_of_few_rolls(rules_from_data(data), most) == pytest.approx(
            float(few_rolls(data, most)), rel=1e-12
        )


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_without_end_is_worth_what_ever_longer_ones_lead_to(name: str) -> None:
    rules = rules_from_data(GAMES[name])
    means = [mean_of_few_rolls(rules, most) for most in (2, 6, 20)]
    assert means == sorted(means)
    assert turn_odds(rules).fresh == pytest.approx(means[-1], rel=1e-6)
    assert turn_odds(rules).fresh >= means[-1] - 1e-9


REACHING = [
    (name, exact)
    for name, data in GAMES.items()
    for exact in ("off", "bust", "refuse")
    # Left out: protected points may still make up the target once it is passed.
    if exact != "bust" or not any(c.get("protected") for c in data["combinations"])
]


@pytest.mark.parametrize(("name", "exact"), REACHING)
def test_the_chance_to_reach_is_what_every_roll_says(name: str, exact: str) -> None:
    data = {**GAMES[name], "exact": exact, "target": 800}
    odds = reach_odds(rules_from_data(data))
    for need in (50, 100, 150, 250, 400, 600):
        wanted = float(reaching(data, need))
        assert odds.chance(0, need) == pytest.approx(wanted, rel=1e-12)
    if exact == "off":
        assert odds.chance(0, 51) == odds.chance(0, 100)
    else:
        assert odds.chance(0, 51) == 0


@pytest.mark.parametrize("name", ["two dice", "protected", "a bonus for all dice"])
@pytest.mark.parametrize("least", [0, 150, 300])
def test_a_turn_off_the_board_is_worth_what_every_roll_says(name: str, least: int) -> None:
    few = float(few_rolls(GAMES[name], 9, least))
    assert opening_odds(rules_from_data(GAMES[name]), least).fresh == pytest.approx(few, rel=1e-3)
    assert opening_odds(rules_from_data(GAMES[name]), least).fresh >= few - 1e-9


RACES: dict[str, dict[str, Any]] = {
    "plain": {},
    "an opening": {"opening": 150},
    "a final round": {"final_round": "one_turn"},
    "exact, overshot": {"exact": "bust"},
    "exact, refused": {"exact": "refuse"},
    "exact, refused, a final round": {"exact": "refuse", "final_round": "one_turn"},
}


@pytest.mark.wide
@pytest.mark.parametrize("race", RACES)
@pytest.mark.parametrize("name", ["no stop on hot dice", "spicy alike"])
def test_two_seats_win_as_often_as_sweeps_over_all_totals_say(name: str, race: str) -> None:
    data = {**GAMES[name], "target": 250, **RACES[race]}
    found = Duel(rules_from_data(data), 0)
    assert found.first == pytest.approx(Race(data, 50).first, abs=1e-10)


def test_compensation_is_what_the_second_seat_starts_with() -> None:
    data = {**GAMES["two dice"], "target": 200}
    rules = rules_from_data(data)
    ahead = Duel(rules, 50)
    assert ahead.first == pytest.approx(Race(data, 50, 50).first, abs=1e-10)
    assert ahead.first == Duel(rules, 0).chance(0, 50)
    assert ahead.first < Duel(rules, 0).first


@pytest.mark.wide
def test_kingdom_come_in_three_rolls_is_worth_a_trifle_more_than_was_noted_elsewhere() -> None:
    """Another source has 547.3557; every roll by the rules alone says 547.3561."""
    data = family()["kingdom"]
    found = [mean_of_few_rolls(rules_from_data(data), most) for most in (1, 2, 3)]
    assert found == pytest.approx([float(few_rolls(data, most)) for most in (1, 2, 3)], rel=1e-12)
    assert [round(mean, 4) for mean in found] == [399.1127, 505.5135, 547.3561]


@pytest.mark.parametrize("sets", [{}, {2: 3}, {5: 3}])
def test_two_dice_of_jester_offer_what_the_referee_offers(sets: dict[int, int]) -> None:
    """After three locked 2s 9 of 36 rolls bust."""
    rolls = Turns(jester()).rolls((0, 1), tuple(sets.items()))
    odds = turn_odds(rules_from_data(jester()))
    outcomes = odds.throws.outcomes[odds.throws.index(0b11, tuple(sets.items()))]
    busts = sum(roll.share for roll in rolls if not roll.offers)
    best = sum(roll.share * max((o.points for o in roll.offers), default=0) for roll in rolls)
    assert sum(o.rolls for o in outcomes if not o.keeps) == 36 * busts
    assert sum(o.rolls * o.best for o in outcomes) == 36 * best
    if sets == {2: 3}:
        assert 36 * busts == 9


@pytest.mark.parametrize("mask", [0b000001, 0b010010, 0b101100])
def test_spicy_dice_of_farkle_offer_what_the_referee_offers(mask: int) -> None:
    data = farkle(spicy=True)
    dice = tuple(place for place in range(6) if mask >> place & 1)
    rolls = Turns(data).rolls(dice, ())
    odds = throws_of(rules_from_data(data))
    outcomes = odds.outcomes[odds.index(mask)]
    total = 6 ** len(dice)
    assert sum(o.rolls for o in outcomes if not o.keeps) == total * sum(
        roll.share for roll in rolls if not roll.offers
    )
    assert sum(o.rolls * o.best for o in outcomes) == total * sum(
        roll.share * max((o.points for o in roll.offers), default=0) for roll in rolls
    )


def test_a_wild_roll_of_jester_offers_what_the_referee_offers() -> None:
    data = jester()
    busts = points = 0
    for faces in combinations_with_replacement(range(1, 7), 4):
        often = factorial(4) // prod(factorial(faces.count(face)) for face in range(1, 7))
        found = best(selections(data, dict(enumerate((*faces, None)))))
        busts += often * (found is None)
        points += often * (found.points if found else 0)
    row = roll_odds(rules_from_data(data))[-1]
    assert (row.wild, row.rolls, row.busts, row.points) == (True, 1296, busts, points)
    assert busts == 0
