"""Wild Rolls: one die is a Jester, whose face its selection names."""

from __future__ import annotations

import pytest

from engine import Playing, Rules, rules_from_data
from engine import events as ev
from tests.engine.spec import (
    Given,
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
    wild_roll,
)
from tests.referee.rulebook import RuleSet, farkle, house, jester

JESTER = rules("jester")


def wild_table(*faces: int) -> Given:
    """After a wild roll in the first turn; seat 0 is on the board."""
    return given(started(JESTER, on_board=[0])).after(wild_roll(0, *faces))


def left(found: Given) -> list[int]:
    return [seat.wild_rolls for seat in found.play.seats]


def with_wild_rolls(base: RuleSet, **changes: object) -> Rules:
    wild = {"allotment": 3, "purse": False, "earn": True}
    return rules_from_data({**base, "wild_rolls": wild, "opening": 0, **changes})


@pytest.mark.parametrize(("tier", "allotment"), [("pocket", 3), ("tycoon", 10)])
def test_every_seat_starts_with_the_allotment_of_the_tier(tier: str, allotment: int) -> None:
    assert left(given(started(rules("jester", tier=tier)))) == [allotment, allotment]


def test_a_wild_roll_spends_one_and_the_last_die_shows_no_face() -> None:
    found = (
        given(started(JESTER)).when(wild_roll(0, 2, 3, 4, 6)).then(rolled(0, 2, 3, 4, 6, wild=True))
    )
    assert left(found) == [2, 3]
    assert found.turn.faces == (2, 3, 4, 6, 0)
    assert (found.turn.rolled, found.turn.wild) == (0b11111, True)


def test_it_never_busts_in_jester_whatever_the_others_show() -> None:
    for faces in ((2, 2, 3, 3), (4, 6, 6, 3), (2, 3, 4, 6)):
        found = given(started(JESTER)).after(wild_roll(0, *faces))
        found.when(select(0, 4, wild=1)).then(selected(0, [4], 100, wild=1))


def test_the_selection_that_holds_the_jester_names_its_face() -> None:
    found = wild_table(2, 2, 3, 4)
    found.when(select(0, 0, 1, 4)).refused("wild_face_needed")
    found.when(select(0, 0, 1, 4, wild=3)).refused("dice_do_not_score")
    found.when(select(0, 0, 1, 4, wild=2)).then(selected(0, [0, 1, 4], 200, wild=2))
    found.when(select(0, 0, 1, 2, 3, 4, wild=5)).refused("dice_do_not_score")


def test_a_face_is_named_for_the_jester_only() -> None:
    found = wild_table(1, 2, 3, 4)
    found.when(select(0, 0, wild=1)).refused("wild_face_unexpected")
    found.when(select(0, 0)).then(selected(0, [0], 100))


def test_the_jester_may_be_renamed_while_the_selection_may_be_replaced() -> None:
    found = wild_table(2, 2, 3, 4)
    found = found.when(select(0, 4, wild=5)).then(selected(0, [4], 50, wild=5))
    found = found.when(select(0, 4, wild=1)).then(selected(0, [4], 100, wild=1))
    found = found.when(select(0, 0, 1, 4, wild=2)).then(selected(0, [0, 1, 4], 200, wild=2))
    fixed = found.when(roll(0, 1, 3)).then(rolled(0, 1, 3, dice=[2, 3], number=1))
    assert fixed.turn.faces == (2, 2, 1, 3, 2)
    fixed.when(select(0, 4, wild=1)).refused("dice_not_rolled", dice=[4])
    fixed.when(select(0, 2, wild=1)).refused("wild_face_unexpected")


def test_a_jester_named_into_a_set_upgrades_like_any_die() -> None:
    found = wild_table(2, 2, 3, 4).after(roll(0, 2, 4, keep=pick(0, 1, 4, wild=2)))
    assert found.turn.sets == ((2, 3),)
    found.when(select(0, 2)).then(selected(0, [2], 1000))


def test_not_selected_it_is_rolled_as_an_ordinary_die() -> None:
    found = wild_table(1, 2, 3, 4)
    again = found.when(roll(0, 2, 3, 4, 5, keep=pick(0))).then(
        selected(0, [0], 100), rolled(0, 2, 3, 4, 5, dice=[1, 2, 3, 4], number=1)
    )
    again.when(select(0, 4)).then(selected(0, [4], 50))


def test_the_jester_completes_five_dice_and_their_bonus() -> None:
    found = wild_table(2, 2, 2, 5)
    found.when(select(0, 0, 1, 2, 3, 4, wild=2)).then(selected(0, [0, 1, 2, 3, 4], 1750, wild=2))
    found.when(select(0, 0, 1, 2, 3, 4, wild=5)).then(selected(0, [0, 1, 2, 3, 4], 800, wild=5))


def test_a_wild_roll_is_for_all_dice_only() -> None:
    found = given(started(JESTER)).after(roll(0, 1, 5, 3, 4, 4))
    found.when(wild_roll(0, 1)).refused("nothing_selected")
    found.when(wild_roll(0, 1, keep=pick(0))).refused("not_all_dice", dice_to_roll=4, needed=5)


def test_hot_dice_may_be_rolled_wild() -> None:
    found = given(started(JESTER)).after(roll(0, 1, 1, 1, 5, 5))
    found.when(wild_roll(0, 2, 3, 3, 4, keep=pick(0, 1, 2, 3, 4))).then(
        selected(0, [0, 1, 2, 3, 4], 1600),
        ev.HotDice(T, 0, 1600),
        rolled(0, 2, 3, 3, 4, number=1, wild=True),
    )


def test_without_a_wild_roll_left_it_is_refused() -> None:
    plain = given(started(rules("farkle")))
    plain.when(wild_roll(0, 1)).refused("no_wild_rolls")
    # Nothing that could be selected would help.
    rolled_once = plain.after(roll(0, 1, 5, 2, 3, 4, 4))
    rolled_once.when(wild_roll(0, 1)).refused("no_wild_rolls")
    spent = given(started(with_wild_rolls(jester(), wild_rolls={"allotment": 0})))
    spent.when(wild_roll(0, 1)).refused("no_wild_rolls")
    last = given(started(rules_from_data({**jester(), "wild_rolls": {"allotment": 1}})))
    used = last.after(wild_roll(0, 2, 2, 2, 5))
    used.when(wild_roll(0, 1, keep=pick(0, 1, 2, 3, 4, wild=2))).refused("no_wild_rolls")


def purse_of(found: Given, purse: int) -> Playing:
    """Seat 0 has none of the game's left, and some in its player's purse."""
    seat = found.play.seats[0]._replace(wild_rolls=0, purse=purse)
    return found.play._replace(seats=(seat, *found.play.seats[1:]))


def test_after_the_game_s_own_the_purse_is_spent() -> None:
    game = purse_of(given(started(JESTER)), 2)
    after = (
        given(game)
        .when(wild_roll(0, 2, 3, 4, 6))
        .then(ev.PurseSpent(T, 0, 1), rolled(0, 2, 3, 4, 6, wild=True))
    )
    assert after.play.seats[0].from_purse == 1
    assert (after.play.seats[0].wild_rolls, after.play.seats[0].purse) == (0, 1)


def test_a_purse_is_not_spent_where_the_host_turned_it_off() -> None:
    game = purse_of(given(started(rules("jester", purse=False))), 2)
    given(game).when(wild_roll(0, 1)).refused("no_wild_rolls")


def test_banking_fixes_the_jester_and_may_win_the_game() -> None:
    found = given(started(JESTER, totals=[4900])).after(wild_roll(0, 2, 3, 4, 6))
    found.when(bank(0, 4, wild=5)).then(
        selected(0, [4], 50, wild=5), banked(0, [4], [4], 50, 4950, wild=5)
    )
    found.when(bank(0, 4, wild=1)).then(
        selected(0, [4], 100, wild=1),
        banked(0, [4], [4], 100, 5000, wild=1),
        finished("target", [0], (0, 5000), (1, 0)),
    )


def test_elsewhere_a_wild_roll_busts_when_no_face_of_the_jester_may_be_selected() -> None:
    game = started(with_wild_rolls(house(exact=True)), totals=[9950])
    given(game).when(wild_roll(0, 2, 3, 4, 6)).then(rolled(0, 2, 3, 4, 6, wild=True))
    sets = [c for c in house()["combinations"] if c["kind"] == "set"]
    bare = started(with_wild_rolls(house(), combinations=sets))
    given(bare).when(wild_roll(0, 2, 3, 4, 6)).then(
        rolled(0, 2, 3, 4, 6, wild=True), ev.TurnBusted(T, 0, 0, 0, 0)
    )


def test_a_bank_of_all_scoring_dice_names_the_jester_best_the_lowest_face_of_equals() -> None:
    game = with_wild_rolls(house(values={"single_5": 100}), bank_takes="all_scoring")
    sixes = given(started(game)).after(wild_roll(0, 2, 2, 6, 6))
    sixes.when(bank(0)).then(banked(0, [2, 3, 4], [2, 3, 4], 600, 600, wild=6))
    singles = [c for c in house(values={"single_5": 100})["combinations"] if c["kind"] == "single"]
    bare = with_wild_rolls(house(), combinations=singles, bank_takes="all_scoring")
    equal = given(started(bare)).after(wild_roll(0, 2, 5, 4, 6))
    equal.when(bank(0)).then(banked(0, [1, 4], [1, 4], 200, 200, wild=1))


def test_the_jester_is_spicy_on_its_face_but_never_wins_on_the_spot() -> None:
    """Die 5, the last, is spicy on 6."""
    spicy = {"faces": [1, 2, 3, 4, 5, 6], "instant_win": True}
    game = with_wild_rolls(farkle(), spicy=spicy)
    found = (
        given(started(game))
        .when(wild_roll(0, 1, 2, 3, 4, 5))
        .then(rolled(0, 1, 2, 3, 4, 5, wild=True))
    )
    every = [0, 1, 2, 3, 4, 5]
    found.when(select(0, *every, wild=6)).then(selected(0, every, 1500 * 2**6, wild=6))
    sixes = given(started(game)).after(wild_roll(0, 6, 6, 2, 3, 4))
    sixes.when(select(0, 0, 1, 5, wild=6)).then(selected(0, [0, 1, 5], 1200, wild=6))
