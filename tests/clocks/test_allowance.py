"""How much bots may do, and when, at its edges."""

from __future__ import annotations

import pytest

from app.bots.allowance import EVERY_S, RESTS, Allowance


@pytest.mark.parametrize(("per_second", "at_once"), [(1, 1), (33, 1), (34, 2), (400, 12)])
def test_a_transaction_has_a_share_and_at_least_one(per_second: int, at_once: int) -> None:
    assert Allowance(per_second).at_once == at_once


def test_the_first_may_come_at_once() -> None:
    assert Allowance(400).wait_s(0.0) <= 0


@pytest.mark.parametrize(
    ("decisions", "took_s", "next_at"),
    [
        (12, 0.0, 12 / 400),  # what was spent must be earned
        (8, 0.0, EVERY_S),  # earned just when the distance is kept
        (1, 0.0, EVERY_S),
        (0, 0.0, EVERY_S),  # a plan that led to nothing, or failed
        (1, 0.005, EVERY_S),  # a rest that ends just then
        (12, 0.1, 0.1 * (1 + RESTS)),  # a slow store
    ],
)
def test_what_a_transaction_puts_before_the_next(
    decisions: int, took_s: float, next_at: float
) -> None:
    allowance = Allowance(400)
    allowance.spent(decisions, 50.0, 50.0 + took_s)
    assert allowance.wait_s(50.0 + took_s) == pytest.approx(next_at - took_s)
    assert allowance.wait_s(50.0 + next_at) == pytest.approx(0)


@pytest.mark.parametrize("per_second", [1, 7, 400, 1_000])
def test_no_second_has_more_than_its_decisions(per_second: int) -> None:
    allowance, now, spent = Allowance(per_second), 0.0, 0
    while now < 10:
        spent += allowance.at_once
        allowance.spent(allowance.at_once, now, now)
        now += allowance.wait_s(now)
    assert spent <= 10 * per_second + allowance.at_once
