"""What is legal, told in one order. That it is what decide accepts is a law of test_laws.py."""

from __future__ import annotations

from engine import Game, Playing, legal
from engine.legal import BankPreview, Legal
from tests.engine.spec import (
    bank,
    given,
    roll,
    rules,
    select,
    started,
    take_over,
    wild_roll,
)

FARKLE, HOUSE, JESTER = rules("farkle"), rules("house"), rules("jester")
STAKES = rules("farkle", high_stakes=True, opening=0)


def of(game: Game | None) -> Legal:
    assert isinstance(game, Playing)
    return legal(game)


def shown(found: Legal) -> list[tuple[tuple[int, ...], int, int]]:
    return [(choice.dice, choice.wild_face, choice.points) for choice in found.choices]


def test_a_fresh_turn_may_roll() -> None:
    assert of(started(FARKLE)) == Legal(0, ("roll",), (), None, 6)
    assert of(started(JESTER)) == Legal(0, ("roll", "wild-roll"), (), None, 5)


def test_every_selection_is_listed_by_positions() -> None:
    found = of(given(started(FARKLE, on_board=[0])).after(roll(0, 1, 5, 2, 2, 2, 4)).game)
    assert found.commands == ("select", "bank")
    assert shown(found) == [
        ((0,), 0, 100),
        ((0, 1), 0, 150),
        ((0, 1, 2, 3, 4), 0, 350),
        ((0, 2, 3, 4), 0, 300),
        ((1,), 0, 50),
        ((1, 2, 3, 4), 0, 250),
        ((2, 3, 4), 0, 200),
    ]
    assert found.bank == BankPreview(350, 350)
    assert found.dice_to_roll == 6


def test_with_a_selection_the_rest_may_be_rolled() -> None:
    found = given(started(FARKLE, totals=[700])).after(roll(0, 1, 5, 2, 2, 2, 4), select(0, 0))
    assert of(found.game).commands == ("roll", "select", "bank")
    assert of(found.game).dice_to_roll == 5
    assert of(found.game).bank == BankPreview(350, 1050)
    all_of_them = found.after(roll(0, 1, 1, 1, 5, 5), select(0, 1, 2, 3, 4, 5))
    assert of(all_of_them.game).dice_to_roll == 6


def test_where_bank_takes_what_is_selected_it_needs_a_selection() -> None:
    found = given(started(HOUSE, on_board=[0])).after(roll(0, 1, 5, 2, 3, 3))
    assert of(found.game).commands == ("select",)
    assert of(found.game).bank is None
    assert of(found.after(select(0, 1)).game).bank == BankPreview(50, 50)


def test_below_the_opening_there_is_no_bank() -> None:
    found = given(started(FARKLE)).after(roll(0, 1, 5, 2, 3, 3, 4))
    assert of(found.game).commands == ("select",)


def test_on_hot_dice_that_must_be_rolled_there_is_no_bank() -> None:
    game = started(rules("house", bank_on_hot_dice=False), on_board=[0])
    found = given(game).after(roll(0, 1, 1, 1, 5, 5), select(0, 0, 1, 2, 3, 4))
    assert of(found.game).commands == ("roll", "select")


def test_a_bank_that_overshoots_is_legal_and_worth_nothing() -> None:
    found = given(started(JESTER, totals=[4950])).after(roll(0, 1, 5, 3, 4, 4), select(0, 0))
    assert of(found.game).commands == ("roll", "select", "bank")
    assert of(found.game).bank == BankPreview(0, 4950)


def test_an_exact_target_that_refuses_leaves_out_what_would_pass_it() -> None:
    game = started(rules("house", exact=True), totals=[9950])
    found = given(game).after(roll(0, 1, 5, 2, 3, 5))
    assert shown(of(found.game)) == [((1,), 0, 50), ((4,), 0, 50)]


def test_an_offer_may_be_taken_over_unless_it_passes_a_refusing_target() -> None:
    offered = given(started(STAKES)).after(roll(0, 1, 5, 2, 3, 4, 4), bank(0))
    assert of(offered.game) == Legal(1, ("roll", "take-over"), (), None, 6)
    taken = offered.after(take_over(1, 1, 2, 3, 6))
    assert of(taken.game).commands == ("select", "bank")
    assert of(taken.game).bank == BankPreview(250, 250)


def test_the_jester_is_listed_with_each_face_that_scores() -> None:
    found = of(given(started(JESTER)).after(wild_roll(0, 2, 2, 3, 4)).game)
    assert shown(found) == [((0, 1, 4), 2, 200), ((4,), 1, 100), ((4,), 5, 50)]


def test_hot_dice_may_be_rolled_wild_while_one_is_left() -> None:
    found = given(started(JESTER)).after(roll(0, 1, 1, 1, 5, 5))
    assert of(found.after(select(0, 0, 1, 2)).game).commands == ("roll", "select", "bank")
    every = found.after(select(0, 0, 1, 2, 3, 4))
    assert of(every.game).commands == ("roll", "select", "bank", "wild-roll")
