"""How much work an analysis is said to be: never a small part of what it is."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots.knowledge import MOST_WORK, modelled
from engine.odds.work import too_large, work
from engine.rules import Rules
from engine.rules_text import rules_from_data
from tests.referee import rulebook


def mostly_pocketed(dice: int, points: int, protected: bool) -> Rules:
    """Of six faces five score, four of them `points`; one is worth a single point."""
    singles: list[dict[str, Any]] = [
        {**rulebook.single(face, points), "protected": protected} for face in (2, 3, 4, 5)
    ]
    data = {**rulebook.farkle(), "dice": {"count": dice}, "target": 10_000, "opening": 0}
    return rules_from_data({**data, "combinations": [*singles, rulebook.single(1, 1)]})


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
