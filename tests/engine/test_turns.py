"""A turn: rolled, selected, locked, banked or busted, whatever the rule set."""

from __future__ import annotations

from typing import Any

import pytest

from engine import commands as co
from engine import events as ev
from engine import rules_from_data
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
    take_over,
    wild_roll,
)
from tests.referee.rulebook import house

FARKLE, SPICY, HOUSE, JESTER = (
    rules("farkle"),
    rules("farkle", spicy=True),
    rules("house"),
    rules("jester"),
)


def custom(base: dict[str, Any], **changes: Any) -> Any:
    return rules_from_data({**base, **changes})


def test_dice_keep_their_positions_and_locked_ones_stay_put() -> None:
    first = given(started(FARKLE)).when(roll(0, 1, 5, 2, 3, 4, 4)).then(rolled(0, 1, 5, 2, 3, 4, 4))
    kept = first.when(select(0, 1)).then(selected(0, [1], 50))
    second = kept.when(roll(0, 2, 1, 3, 6, 6)).then(
        rolled(0, 2, 1, 3, 6, 6, dice=[0, 2, 3, 4, 5], number=1)
    )
    assert second.turn.faces == (2, 5, 1, 3, 6, 6)
    assert (second.turn.score, second.turn.banked, second.turn.points) == (50, 50, 0)
    third = second.when(roll(0, 1, 5, 5, 5, keep=pick(2))).then(
        selected(0, [2], 100), rolled(0, 1, 5, 5, 5, dice=[0, 3, 4, 5], number=2)
    )
    assert third.turn.score == 150


def test_a_selection_is_replaced_freely_until_it_is_locked() -> None:
    found = given(started(FARKLE)).after(roll(0, 1, 1, 1, 5, 2, 3))
    found = found.when(select(0, 0, 1, 2, 3)).then(selected(0, [0, 1, 2, 3], 350))
    found = found.when(select(0, 3)).then(selected(0, [3], 50))
    found = found.when(select(0, 2, 0)).then(selected(0, [0, 2], 200))
    assert found.turn.score == 200


def test_what_was_locked_never_combines_with_a_new_roll() -> None:
    found = given(started(FARKLE)).after(
        roll(0, 1, 1, 2, 3, 4, 6), roll(0, 1, 2, 3, 4, keep=pick(0, 1))
    )
    found.when(select(0, 2)).then(selected(0, [2], 100))


def test_a_bank_takes_the_best_of_the_whole_roll_tapped_or_not() -> None:
    game = started(FARKLE, on_board=[0])
    held = [0, 1, 3]
    rolled_once = given(game).after(roll(0, 1, 1, 2, 5, 3, 4))
    rolled_once.when(bank(0)).then(banked(0, held, held, 250, 250))
    rolled_once.when(bank(0, 3)).then(selected(0, [3], 50), banked(0, held, held, 250, 250))
    later = rolled_once.after(roll(0, 5, 1, 2, keep=pick(0, 1, 3)))
    later.when(bank(0)).then(banked(0, [2, 4], [0, 1, 2, 3, 4], 400, 400))


def test_of_equal_scores_a_bank_takes_the_one_with_most_dice_then_the_lowest_positions() -> None:
    for worth, dice, score in ((200, [1, 2, 3], 200), (150, [1, 2], 200)):
        data = house(values={"three": {"1": worth}}, opening=0)
        found = given(started(custom(data, bank_takes="all_scoring")))
        found = found.after(roll(0, 2, 1, 1, 1, 3))
        found.when(bank(0)).then(banked(0, dice, dice, score, score))


@pytest.mark.parametrize(
    ("faces", "points"),
    [
        ((4, 2, 4, 4, 1, 3), 800),
        ((2, 1, 4, 3, 4, 4), 400),
        ((1, 1, 2, 1, 2, 1), 2000),
    ],
)
def test_a_spicy_die_doubles_the_combination_it_is_part_of(
    faces: tuple[int, ...], points: int
) -> None:
    """Die 3 is spicy on 4, die 0 on 1."""
    common = max(faces, key=faces.count)
    dice = [die for die, face in enumerate(faces) if face == common]
    found = given(started(SPICY)).after(roll(0, *faces))
    found.when(select(0, *dice)).then(selected(0, dice, points))


def test_each_further_spicy_die_doubles_again_and_a_lone_spicy_5_is_100() -> None:
    twice = rules("farkle", spicy=True, spicy_faces=[4, 4, 3, 4, 5, 6])
    found = given(started(twice)).after(roll(0, 4, 4, 4, 2, 5, 1))
    found.when(select(0, 0, 1, 2)).then(selected(0, [0, 1, 2], 1600))
    found.when(select(0, 4)).then(selected(0, [4], 100))


def test_below_the_opening_a_bank_is_refused_and_the_turn_goes_on() -> None:
    found = given(started(FARKLE)).after(roll(0, 1, 1, 5, 2, 3, 4))
    same = found.when(bank(0)).refused("below_opening", needed=500, offered=250)
    same.when(roll(0, 1, 1, 1, keep=pick(0, 1, 2))).then(
        selected(0, [0, 1, 2], 250), rolled(0, 1, 1, 1, dice=[3, 4, 5], number=1)
    )


def test_exactly_the_opening_is_enough_and_needed_only_once() -> None:
    found = given(started(FARKLE)).after(roll(0, 5, 5, 5, 2, 3, 4))
    board = found.when(bank(0)).then(banked(0, [0, 1, 2], [0, 1, 2], 500, 500))
    assert [seat.on_board for seat in board.play.seats] == [True, False]
    again = board.after(roll(1, 2, 2, 3, 3, 4, 6), roll(0, 5, 2, 2, 3, 3, 4))
    again.when(bank(0)).then(banked(0, [0], [0], 50, 550))


def test_a_bust_loses_only_points_at_risk() -> None:
    found = given(started(FARKLE, totals=[700])).after(roll(0, 1, 1, 1, 2, 3, 4))
    busted = found.when(roll(0, 2, 3, 4, keep=pick(0, 1, 2))).then(
        selected(0, [0, 1, 2], 300),
        rolled(0, 2, 3, 4, dice=[3, 4, 5], number=1),
        ev.TurnBusted(T, 0, 300, 0, 700),
    )
    assert busted.to_roll == 1
    assert busted.totals == [700, 0]


def test_an_opening_roll_may_bust() -> None:
    given(started(FARKLE)).when(roll(0, 2, 2, 3, 3, 4, 6)).then(
        rolled(0, 2, 2, 3, 3, 4, 6), ev.TurnBusted(T, 0, 0, 0, 0)
    )


def test_hot_dice_bring_all_dice_back_and_the_score_stays() -> None:
    found = given(started(FARKLE)).after(
        roll(0, 1, 1, 1, 2, 3, 4), roll(0, 5, 5, 1, keep=pick(0, 1, 2))
    )
    fresh = found.when(roll(0, 1, 2, 2, 3, 3, 4, keep=pick(3, 4, 5))).then(
        selected(0, [3, 4, 5], 200),
        ev.HotDice(T, 0, 500),
        rolled(0, 1, 2, 2, 3, 3, 4, number=2),
    )
    assert (fresh.turn.score, fresh.turn.locked) == (500, 0)
    fresh.when(bank(0)).then(banked(0, [0], [0], 600, 600))
    fresh.when(roll(0, 2, 2, 3, 4, 6, keep=pick(0))).then(
        selected(0, [0], 100),
        rolled(0, 2, 2, 3, 4, 6, dice=[1, 2, 3, 4, 5], number=3),
        ev.TurnBusted(T, 0, 600, 0, 0),
    )


def test_banking_on_hot_dice_is_allowed_unless_a_rule_set_says_no() -> None:
    for name, allowed in (("farkle", True), ("house", True), ("house", False)):
        game = rules(name, bank_on_hot_dice=False) if not allowed else rules(name)
        dice = list(range(game.dice))
        found = given(started(game, on_board=[0])).after(roll(0, *([1] * game.dice)))
        if allowed:
            score = 3000 if game.dice == 6 else 4000
            ending = found.after(bank(0, *dice))
            assert ending.totals == [score, 0]
        else:
            found.when(bank(0, *dice)).refused("must_roll_hot_dice")
            found.when(bank(0, 0, 1, 2, 3)).then(
                selected(0, [0, 1, 2, 3], 2000, 2000),
                banked(0, [0, 1, 2, 3], [0, 1, 2, 3], 2000, 2000),
            )


def test_where_bank_takes_what_is_selected_each_roll_needs_a_selection() -> None:
    for game in (HOUSE, JESTER):
        found = given(started(game, on_board=[0])).after(roll(0, 1, 5, 2, 3, 3))
        found.when(bank(0)).refused("nothing_selected")
        found.when(roll(0, 1)).refused("nothing_selected")
        found.when(bank(0, 1)).then(selected(0, [1], 50), banked(0, [1], [1], 50, 50))
        later = found.after(roll(0, 5, 2, 3, 3, keep=pick(0)))
        later.when(bank(0)).refused("nothing_selected")


def test_the_checks_come_in_order_phase_turn_dice_selection() -> None:
    fresh = given(started(JESTER))
    for command in (roll(1, 1), bank(1), select(1, 0), take_over(1, 1), wild_roll(1, 1)):
        fresh.when(command).refused("not_your_turn", seat_to_move=0)
    for command in (bank(0), select(0, 0), bank(0, 9), roll(0, 1, keep=pick(0))):
        fresh.when(command).refused("roll_first")
    fresh.when(take_over(0, 1)).refused("no_take_over")


@pytest.mark.parametrize(
    ("dice", "code", "facts"),
    [
        ((), "nothing_selected", {}),
        ((0,), "dice_not_rolled", {"dice": [0]}),
        ((1, 0, 7, -1), "dice_not_rolled", {"dice": [-1, 0, 7]}),
        ((2,), "dice_do_not_score", {}),
        ((1, 2), "dice_do_not_score", {}),
        ((1, 1), "dice_do_not_score", {}),
    ],
)
def test_dice_that_may_not_be_selected(
    dice: tuple[int, ...], code: str, facts: dict[str, Any]
) -> None:
    """Die 0 is locked; die 1 shows a 5, die 2 a 2."""
    found = given(started(FARKLE)).after(
        roll(0, 1, 5, 2, 3, 4, 6), roll(0, 5, 2, 3, 4, 6, keep=pick(0))
    )
    for command in (
        co.Select(T, 0, co.Selection(dice)),
        co.Bank(T, 0, co.Selection(dice)),
        roll(0, 1, keep=co.Selection(dice)),
    ):
        found.when(command).refused(code, **facts)
    found.when(select(0, 1, wild=5)).refused("wild_face_unexpected")
