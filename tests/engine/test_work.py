"""How much work an analysis is said to be: never a small part of what it is."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots.knowledge import MOST_WORK, modelled
from engine.odds.throws import throws_of
from engine.odds.turn import turn_odds
from engine.odds.work import reach_of, too_large, work
from engine.rules import Rules
from engine.rules_text import rules_from_data
from tests.engine.spec import rules
from tests.referee import rulebook


def mostly_pocketed(dice: int, points: int, protected: bool) -> Rules:
    """Of six faces five score, four of them `points`; one is worth a single point."""
    singles: list[dict[str, Any]] = [
        {**rulebook.single(face, points), "protected": protected} for face in (2, 3, 4, 5)
    ]
    data = {**rulebook.farkle(), "dice": {"count": dice}, "target": 10_000, "opening": 0}
    return rules_from_data({**data, "combinations": [*singles, rulebook.single(1, 1)]})


SHIPPED = {
    "farkle": rules("farkle"),
    "farkle, four and two": rules("farkle", four_and_two_is_three_pairs=True),
    "house": rules("house"),
    "house, exact": rules("house", exact=True),
    "jester": rules("jester"),
    "a target far away": rules("farkle", target=100_000),
    "fine points": rules("house", values={"single_1": 105, "three": {"6": 335}}),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_estimated_is_what_is_looked_at(name: str) -> None:
    """The rows that are filled, times the selections of all outcomes, to a factor of three."""
    ruled = SHIPPED[name]
    throws, odds = throws_of(ruled), turn_odds(ruled)
    keeps = sum(len(outcome.keeps) for outcomes in throws.outcomes for outcome in outcomes)
    filled = (odds.ends + reach_of(ruled) + ruled.opening) // odds.unit
    assert work(ruled) / 3 <= keeps * filled <= work(ruled) * 3


@pytest.mark.parametrize(("dice", "points"), [(1, 30_000), (2, 300), (3, 300)])
def test_values_that_settle_slowly_are_many_times_the_work(dice: int, points: int) -> None:
    """Dice that come back with nothing put at risk: every value is worked out some dozen times."""
    plain = mostly_pocketed(dice, points, protected=False)
    assert work(mostly_pocketed(dice, points, protected=True)) > 15 * work(plain)


def test_a_bot_goes_by_simpler_rules_where_values_settle_too_slowly() -> None:
    rules = mostly_pocketed(4, 30, protected=True)
    assert too_large(rules)
    simpler = modelled(rules)
    assert simpler != rules
    assert work(simpler) < MOST_WORK * 4
