"""All dice of one face earn a Wild Roll, the Jester's counted in."""

from __future__ import annotations

from engine import events as ev
from engine import rules_from_data
from tests.engine.spec import (
    Given,
    T,
    bank,
    banked,
    given,
    pick,
    roll,
    rolled,
    rules,
    select,
    selected,
    started,
    wild_roll,
)
from tests.referee.rulebook import jester

JESTER = rules("jester")


def wild_table(*faces: int) -> Given:
    """After a wild roll in the first turn; seat 0 is on the board."""
    return given(started(JESTER, on_board=[0])).after(wild_roll(0, *faces))


def left(found: Given) -> list[int]:
    return [seat.wild_rolls for seat in found.play.seats]


def test_five_equal_faces_earn_a_wild_roll_when_rolled() -> None:
    found = (
        given(started(JESTER))
        .when(roll(0, 5, 5, 5, 5, 5))
        .then(rolled(0, 5, 5, 5, 5, 5), ev.WildRollEarned(T, 0, 4))
    )
    assert left(found) == [4, 3]


def test_with_the_jester_five_equal_faces_earn_one_when_its_face_is_fixed() -> None:
    found = wild_table(4, 4, 4, 4)
    named = found.when(select(0, 0, 1, 2, 3, 4, wild=4)).then(
        selected(0, [0, 1, 2, 3, 4], 2900, wild=4)
    )
    assert left(named) == [2, 3], "not yet: it may still be renamed"
    named.when(bank(0)).then(
        ev.WildRollEarned(T, 0, 3),
        banked(0, [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 2900, 2900, wild=4),
    )
    named.when(wild_roll(0, 2, 2, 3, 3)).then(
        ev.WildRollEarned(T, 0, 3),
        ev.HotDice(T, 0, 2900),
        rolled(0, 2, 2, 3, 3, number=1, wild=True),
    )


def test_kept_or_not_five_equal_faces_earn_one() -> None:
    found = wild_table(5, 5, 5, 5)
    found.when(roll(0, 2, 3, 4, 1, keep=pick(4, wild=5))).then(
        selected(0, [4], 50, wild=5),
        ev.WildRollEarned(T, 0, 3),
        rolled(0, 2, 3, 4, 1, dice=[0, 1, 2, 3], number=1),
    )
    found.when(roll(0, 2, 3, 4, 1, keep=pick(4, wild=1))).then(
        selected(0, [4], 100, wild=1), rolled(0, 2, 3, 4, 1, dice=[0, 1, 2, 3], number=1)
    )
    found.when(roll(0, 2, keep=pick(0, 1, 2, 3))).then(
        selected(0, [0, 1, 2, 3], 1500),
        rolled(0, 2, dice=[4], number=1),
        ev.TurnBusted(T, 0, 1500, 0, 0),
    )


def test_an_overshoot_still_earns() -> None:
    found = given(started(JESTER, totals=[4900])).after(wild_roll(0, 4, 4, 4, 4))
    found.when(bank(0, 0, 1, 2, 3, 4, wild=4)).then(
        selected(0, [0, 1, 2, 3, 4], 2900, wild=4),
        ev.WildRollEarned(T, 0, 3),
        ev.TurnOvershot(T, 0, 2900, 0, 4900),
    )


def test_earning_needs_the_rule_and_all_dice() -> None:
    off = {"allotment": 3, "earn": False}
    found = given(started(rules_from_data({**jester(), "wild_rolls": off})))
    found.when(roll(0, 5, 5, 5, 5, 5)).then(rolled(0, 5, 5, 5, 5, 5))
    some = given(started(JESTER)).after(roll(0, 1, 2, 3, 4, 4))
    some.when(roll(0, 5, 5, 5, 5, keep=pick(0))).then(
        selected(0, [0], 100), rolled(0, 5, 5, 5, 5, dice=[1, 2, 3, 4], number=1)
    )
