"""House: forced sets, broken straights, protected points, an exact target that refuses."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Rules, rules_from_data
from engine import events as ev
from tests.engine.spec import (
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
)
from tests.referee.rulebook import house

HOUSE = rules("house")


def all_scoring(**options: Any) -> Rules:
    """House whose bank takes all scoring dice."""
    return rules_from_data({**house(**options), "bank_takes": "all_scoring"})


def test_sets_are_forced_even_where_singles_would_pay_more() -> None:
    cheap = rules("house", values={"three": {"1": 5}, "four": {"1": 10}})
    found = given(started(cheap)).after(roll(0, 1, 1, 1, 1, 2))
    found.when(select(0, 0, 1)).then(selected(0, [0, 1], 200))
    found.when(select(0, 0, 1, 2)).then(selected(0, [0, 1, 2], 5, 5))
    found.when(select(0, 0, 1, 2, 3)).then(selected(0, [0, 1, 2, 3], 10, 10))


def test_fewer_dice_than_were_rolled_of_a_face_may_be_selected() -> None:
    found = given(started(HOUSE)).after(roll(0, 2, 2, 2, 2, 5))
    found.when(select(0, 0, 1, 2)).then(selected(0, [0, 1, 2], 200))
    found.when(select(0, 0, 1, 2, 3)).then(selected(0, [0, 1, 2, 3], 400))
    found.when(select(0, 0, 1)).refused("dice_do_not_score")


def test_a_straight_may_be_broken_and_together_scores_as_one() -> None:
    found = given(started(HOUSE)).after(roll(0, 5, 3, 1, 2, 4))
    found.when(select(0, 2)).then(selected(0, [2], 100))
    found.when(select(0, 0)).then(selected(0, [0], 50))
    found.when(select(0, 0, 2)).then(selected(0, [0, 2], 150))
    found.when(select(0, 0, 1, 2, 3, 4)).then(selected(0, [0, 1, 2, 3, 4], 1000, 1000))
    found.when(select(0, 1, 2, 3, 4)).refused("dice_do_not_score")


def test_the_example_of_the_rules_a_bust_credits_protected_points() -> None:
    found = given(started(HOUSE, totals=[600])).after(
        roll(0, 1, 1, 1, 5, 2), roll(0, 2, 5, keep=pick(0, 1, 2))
    )
    busted = found.when(roll(0, 3, keep=pick(4))).then(
        selected(0, [4], 50),
        rolled(0, 3, dice=[3], number=2),
        ev.TurnBusted(T, 0, 50, 1000, 1600),
    )
    assert busted.totals == [1600, 0]


def test_protected_points_survive_hot_dice() -> None:
    found = given(started(HOUSE)).after(roll(0, 1, 2, 3, 4, 5))
    found.when(roll(0, 2, 3, 4, 6, 6, keep=pick(0, 1, 2, 3, 4))).then(
        selected(0, [0, 1, 2, 3, 4], 1000, 1000),
        ev.HotDice(T, 0, 1000),
        rolled(0, 2, 3, 4, 6, 6, number=1),
        ev.TurnBusted(T, 0, 0, 1000, 1000),
    )


@pytest.mark.parametrize(("worth", "on_board"), [(495, False), (500, True), (1000, True)])
def test_protected_points_put_a_seat_on_the_board_when_they_alone_reach_the_opening(
    worth: int, on_board: bool
) -> None:
    game = rules("house", values={"three": {"1": worth}})
    found = given(started(game)).after(
        roll(0, 1, 1, 1, 5, 5), roll(0, 2, 3, 4, 6, 6, keep=pick(0, 1, 2, 3, 4))
    )
    assert found.totals == [worth, 0]
    assert found.play.seats[0].on_board is on_board


def test_without_an_opening_nothing_credited_puts_nobody_on_the_board() -> None:
    free = rules("house", opening=0)
    found = given(started(free)).after(roll(0, 2, 3, 4, 6, 6))
    assert not found.play.seats[0].on_board


def test_below_the_opening_comes_before_the_hot_dice_rule() -> None:
    game = rules("house", bank_on_hot_dice=False, values={"low_straight": 400})
    found = given(started(game)).after(roll(0, 1, 2, 3, 4, 5))
    found.when(bank(0, 0, 1, 2, 3, 4)).refused("below_opening", needed=500, offered=400)


def test_a_bank_that_wins_is_allowed_whatever_the_hot_dice_rule_and_the_opening_say() -> None:
    game = rules("house", bank_on_hot_dice=False, target=2000, opening=2000)
    found = given(started(game, totals=[1000])).after(roll(0, 1, 2, 3, 4, 5))
    seats = found.play.seats
    off = given(found.play._replace(seats=(seats[0]._replace(on_board=False), *seats[1:])))
    dice = [0, 1, 2, 3, 4]
    off.when(bank(0, *dice)).then(
        selected(0, dice, 1000, 1000),
        banked(0, dice, dice, 1000, 2000),
        ev.FinalRoundOpened(T, 0, (1,)),
    )
    off.when(bank(0, 0)).refused("below_opening", needed=2000, offered=100)


def test_dice_past_an_exact_target_may_not_be_selected() -> None:
    """50 away, a roll of 1 5: the 5 alone may be kept."""
    exact = rules("house", exact=True)
    found = given(started(exact, totals=[9950])).after(roll(0, 1, 5, 2, 3, 3))
    found.when(select(0, 0)).refused("over_target", target=10_000, offered=10_050)
    found.when(select(0, 0, 1)).refused("over_target", target=10_000, offered=10_100)
    found.when(select(0, 1)).then(selected(0, [1], 50))


def test_what_is_locked_counts_towards_an_exact_target() -> None:
    exact = rules("house", exact=True)
    found = given(started(exact, totals=[9850])).after(
        roll(0, 1, 2, 3, 3, 4), roll(0, 1, 5, 3, 4, keep=pick(0))
    )
    found.when(select(0, 1)).refused("over_target", target=10_000, offered=10_050)
    found.when(select(0, 2)).then(selected(0, [2], 50))


def test_a_roll_with_nothing_that_may_be_selected_is_a_bust() -> None:
    exact = rules("house", exact=True)
    given(started(exact, totals=[9950])).when(roll(0, 1, 1, 2, 3, 4)).then(
        rolled(0, 1, 1, 2, 3, 4), ev.TurnBusted(T, 0, 0, 0, 9950)
    )
    given(started(exact, totals=[9900])).when(roll(0, 1, 1, 2, 3, 4)).then(rolled(0, 1, 1, 2, 3, 4))


def test_all_scoring_dice_are_those_an_exact_target_allows() -> None:
    game = all_scoring(exact=True)
    found = given(started(game, totals=[9900])).after(roll(0, 5, 1, 5, 1, 2))
    done = found.when(bank(0)).then(
        banked(0, [0, 2], [0, 2], 100, 10_000), ev.FinalRoundOpened(T, 0, (1,))
    )
    assert done.to_roll == 1


def test_protected_points_that_would_pass_an_exact_target_are_not_credited() -> None:
    """The turn's points, protected or not, are all lost."""
    bust = rules_from_data({**house(target=1500), "exact": "bust"})
    found = given(started(bust, totals=[1000])).after(roll(0, 1, 1, 1, 2, 3))
    found.when(roll(0, 4, 6, keep=pick(0, 1, 2))).then(
        selected(0, [0, 1, 2], 1000, 1000),
        rolled(0, 4, 6, dice=[3, 4], number=1),
        ev.TurnBusted(T, 0, 1000, 0, 1000),
    )
    found.when(bank(0, 0, 1, 2)).then(
        selected(0, [0, 1, 2], 1000, 1000), ev.TurnOvershot(T, 0, 1000, 0, 1000)
    )


def test_an_overshoot_credits_protected_points_that_fit() -> None:
    bust = rules_from_data({**house(target=2000), "exact": "bust"})
    found = given(started(bust, totals=[500])).after(
        roll(0, 1, 1, 1, 2, 3), roll(0, 1, 5, keep=pick(0, 1, 2))
    )
    hot = found.after(roll(0, 6, 6, 6, 2, 3, keep=pick(3, 4)))
    hot.when(bank(0, 0, 1, 2)).then(
        selected(0, [0, 1, 2], 600), ev.TurnOvershot(T, 0, 750, 1000, 1500)
    )
