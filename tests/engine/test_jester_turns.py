"""Jester: sets that grow, the bonus for all five, an exact target that overshoots."""

from __future__ import annotations

import pytest

from engine import events as ev
from tests.engine.spec import (
    T,
    bank,
    banked,
    finished,
    given,
    pick,
    roll,
    rolled,
    rules,
    select,
    selected,
    started,
)

JESTER = rules("jester")


@pytest.mark.parametrize(
    ("face", "set_points", "gain"),
    [(1, 1000, 1000), (2, 200, 1000), (5, 500, 1000), (6, 600, 1000)],
)
def test_a_further_die_of_a_locked_set_scores_the_difference(
    face: int, set_points: int, gain: int
) -> None:
    found = given(started(JESTER)).after(roll(0, face, face, face, 3, 4))
    one = found.when(roll(0, face, 4, keep=pick(0, 1, 2))).then(
        selected(0, [0, 1, 2], set_points), rolled(0, face, 4, dice=[3, 4], number=1)
    )
    assert one.turn.sets == ((face, 3),)
    four = one.when(select(0, 3)).then(selected(0, [3], gain))
    five = four.when(roll(0, face)).then(rolled(0, face, dice=[4], number=2))
    assert five.turn.sets == ((face, 4),)
    five.when(select(0, 4)).then(selected(0, [4], 1000))


def test_two_dice_upgrade_a_set_at_once() -> None:
    found = given(started(JESTER)).after(roll(0, 2, 2, 2, 3, 4), roll(0, 2, 2, keep=pick(0, 1, 2)))
    found.when(select(0, 3, 4)).then(selected(0, [3, 4], 2000))
    found.when(select(0, 3)).then(selected(0, [3], 1000))


def test_singles_and_pairs_locked_do_not_grow() -> None:
    found = given(started(JESTER)).after(roll(0, 1, 1, 3, 4, 4), roll(0, 1, 2, 3, keep=pick(0, 1)))
    assert found.turn.sets == ()
    found.when(select(0, 2)).then(selected(0, [2], 100))


def test_hot_dice_clear_the_sets() -> None:
    found = given(started(JESTER)).after(
        roll(0, 2, 2, 2, 5, 5), roll(0, 2, 3, 4, 4, 5, keep=pick(0, 1, 2, 3, 4))
    )
    assert (found.turn.sets, found.turn.score) == ((), 800)
    found.when(select(0, 0)).refused("dice_do_not_score")


def test_a_set_upgraded_over_two_rolls_may_fill_all_dice_without_the_bonus() -> None:
    found = given(started(JESTER)).after(roll(0, 2, 2, 2, 3, 4), roll(0, 2, 2, keep=pick(0, 1, 2)))
    found.when(roll(0, 1, 3, 3, 4, 4, keep=pick(3, 4))).then(
        selected(0, [3, 4], 2000), ev.HotDice(T, 0, 2200), rolled(0, 1, 3, 3, 4, 4, number=2)
    )


@pytest.mark.parametrize(
    ("faces", "points"),
    [
        ((1, 1, 1, 1, 1), 3500),
        ((2, 2, 2, 2, 5), 1750),
        ((1, 2, 3, 4, 5), 500),
        ((2, 3, 4, 5, 6), 500),
        ((2, 2, 2, 3, 3), 700),
        ((1, 1, 1, 5, 5), 1600),
        ((5, 5, 5, 1, 1), 1200),
        ((6, 6, 6, 1, 1), 1300),
    ],
)
def test_all_five_of_one_roll_kept(faces: tuple[int, ...], points: int) -> None:
    found = given(started(JESTER)).after(roll(0, *faces))
    found.when(select(0, 0, 1, 2, 3, 4)).then(selected(0, [0, 1, 2, 3, 4], points))


def test_a_full_house_is_never_built_over_two_rolls() -> None:
    found = given(started(JESTER)).after(roll(0, 2, 2, 2, 3, 4), roll(0, 5, 5, keep=pick(0, 1, 2)))
    found.when(select(0, 3, 4)).then(selected(0, [3, 4], 100))
    pair = given(started(JESTER)).after(roll(0, 3, 3, 5, 4, 6), roll(0, 2, 2, 2, 2, keep=pick(2)))
    pair.when(select(0, 0, 1, 3, 4)).then(selected(0, [0, 1, 3, 4], 1200))


def test_banking_counts_what_is_locked_and_selected() -> None:
    found = given(started(JESTER, on_board=[0])).after(
        roll(0, 1, 5, 3, 4, 4), roll(0, 1, 5, 4, 4, keep=pick(0))
    )
    found.when(bank(0, 1)).then(selected(0, [1], 100), banked(0, [1], [0, 1], 200, 200))


def test_exactly_the_target_wins_at_once() -> None:
    found = given(started(JESTER, totals=[4800, 700])).after(roll(0, 1, 1, 3, 4, 4))
    found.when(bank(0, 0, 1)).then(
        selected(0, [0, 1], 200),
        banked(0, [0, 1], [0, 1], 200, 5000),
        finished("target", [0], (0, 5000), (1, 700)),
    )


def test_past_the_target_the_turn_scores_nothing_and_ends() -> None:
    found = given(started(JESTER, totals=[4900, 700])).after(roll(0, 1, 1, 3, 4, 4))
    over = found.when(bank(0, 0, 1)).then(
        selected(0, [0, 1], 200), ev.TurnOvershot(T, 0, 200, 0, 4900)
    )
    assert over.to_roll == 1
    found.when(bank(0, 1)).then(
        selected(0, [1], 100),
        banked(0, [1], [1], 100, 5000),
        finished("target", [0], (0, 5000), (1, 700)),
    )


def test_hitting_the_target_needs_no_opening() -> None:
    near = started(JESTER, totals=[4900])
    off = near._replace(seats=(near.seats[0]._replace(on_board=False), near.seats[1]))
    rolled_once = given(off).after(roll(0, 1, 5, 3, 4, 4))
    rolled_once.when(bank(0, 1)).refused("below_opening", needed=500, offered=50)
    rolled_once.when(bank(0, 0)).then(
        selected(0, [0], 100),
        banked(0, [0], [0], 100, 5000),
        finished("target", [0], (0, 5000), (1, 0)),
    )


def test_off_the_board_an_overshoot_is_below_the_opening_first() -> None:
    near = started(JESTER, totals=[4950])
    off = near._replace(seats=(near.seats[0]._replace(on_board=False), near.seats[1]))
    given(off).after(roll(0, 1, 5, 3, 4, 4)).when(bank(0, 0)).refused(
        "below_opening", needed=500, offered=100
    )


def test_passing_an_exact_target_that_busts_may_still_be_selected() -> None:
    found = given(started(JESTER, totals=[4950])).after(roll(0, 1, 1, 3, 4, 4))
    found.when(select(0, 0, 1)).then(selected(0, [0, 1], 200))
