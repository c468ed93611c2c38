"""Two seats to targets too far for plain Python, by arrays: the same values, and published ones."""

from __future__ import annotations

from typing import Any

import pytest

from app.analysis.arrays import first_seat
from engine.odds import OutOfScope, duel_of
from engine.rules import Rules
from engine.rules_text import rules_from_data
from tests.referee.family import family
from tests.referee.rulebook import farkle, house


def race(target: int, **changes: Any) -> Rules:
    race = {"target": target, "opening": 0, "final_round": "none"}
    return rules_from_data({**family()["basic"], **race, **changes})


@pytest.mark.parametrize("compensation", [0, 100])
def test_arrays_and_plain_python_agree(compensation: int) -> None:
    spicy = {"faces": [1, 1, 1, 5, 5, 5], "instant_win": True}
    for rules in (race(300), race(500, bank_on_hot_dice=False), race(300, spicy=spicy)):
        plain = duel_of(rules, compensation).first
        assert first_seat(rules, compensation) == pytest.approx(plain, abs=1e-10)


def test_what_leaves_more_behind_than_points_is_out_of_scope() -> None:
    for data in (farkle(), farkle(final_round=False), house()):
        with pytest.raises(OutOfScope):
            first_seat(rules_from_data(data))


@pytest.mark.soak
@pytest.mark.parametrize(("compensation", "first"), [(0, 0.5369530318), (200, 0.504002)])
def test_a_race_to_ten_thousand_is_won_as_often_as_published(
    compensation: int, first: float
) -> None:
    found = first_seat(race(10_000), compensation)
    assert found == pytest.approx(first, abs=1e-10 if compensation == 0 else 5e-7)
