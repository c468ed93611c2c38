"""The referee plays turns as the rules say: select, roll, bank, opening, hot dice, spicy wins."""

import pytest

from tests.referee.checks import bank, keep, last_turn, on_board, refused, totals, turn_of, two
from tests.referee.game import Game, Preview
from tests.referee.rulebook import farkle, house, jester


def test_a_turn_begins_with_a_roll() -> None:
    game = two(farkle())
    with refused(game, "roll_first"):
        game.select(0, [0])
    with refused(game, "roll_first"):
        game.bank(0)
    with refused(game, "not_your_turn"):
        game.roll(1, [1] * 6)
    legal = game.legal()
    assert legal is not None
    assert legal.commands == ("roll",)


def test_what_may_be_selected_and_what_not() -> None:
    game = two(farkle())
    game.roll(0, [1, 2, 3, 4, 4, 6])
    with refused(game, "dice_do_not_score"):
        game.select(0, [1])
    with refused(game, "dice_do_not_score"):
        game.select(0, [0, 1])
    with refused(game, "dice_not_rolled"):
        game.select(0, [6])
    with refused(game, "wild_face_unexpected"):
        game.select(0, [0], wild_face=1)
    with refused(game, "nothing_selected"):
        game.select(0, [])
    with pytest.raises(ValueError, match="twice"):
        game.select(0, [0, 0])
    with refused(game, "nothing_selected"):
        game.roll(0, [1, 1, 1, 1, 1])
    game.select(0, [0])
    game.roll(0, [2, 2, 2, 3, 6])
    with refused(game, "dice_not_rolled"):
        game.select(0, [0, 1, 2, 3])


def test_a_selection_is_replaced_freely_until_the_next_roll() -> None:
    game = two(farkle())
    game.roll(0, [1, 5, 2, 3, 4, 4])
    for dice, score in (([0], 100), ([1, 0], 150), ([1], 50)):
        game.select(0, dice)
        assert turn_of(game).score == score
    assert len(game.dice_to_roll()) == 5
    game.roll(0, [1, 2, 3, 4, 6])
    assert turn_of(game).locked == {1: 5}
    assert turn_of(game).roll == {0: 1, 2: 2, 3: 3, 4: 4, 5: 6}
    assert turn_of(game).score == 50


def test_each_roll_has_fewer_dice() -> None:
    game = two(farkle())
    keep(game, 0, [1, 1, 2, 3, 4, 6], [0, 1])
    keep(game, 0, [5, 2, 3, 4], [2])
    assert game.dice_to_roll() == (3, 4, 5)


def test_locked_dice_never_combine_with_a_new_roll() -> None:
    game = two(farkle())
    keep(game, 0, [2, 2, 2, 3, 4, 6], [0, 1, 2])
    game.roll(0, [2, 3, 4])
    assert last_turn(game) == ("busted", 0, 0)


def test_a_bust_loses_the_turn_and_passes_it_on() -> None:
    game = two(farkle())
    keep(game, 0, [1, 1, 1, 3, 4, 6], [0, 1, 2])
    game.roll(0, [2, 2, 3])
    assert totals(game) == [0, 0]
    assert (turn_of(game).seat, turn_of(game).phase) == (1, "to_roll")
    game.roll(1, [2, 2, 3, 3, 4, 6])
    assert turn_of(game).seat == 0


def test_bank_counts_the_best_of_the_whole_roll_tapped_or_not() -> None:
    game = two(farkle())
    game.roll(0, [1, 5, 2, 3, 4, 4])
    game.select(0, [1])
    legal = game.legal()
    assert legal is not None
    assert legal.bank == Preview(150, 150)
    assert legal.commands == ("roll", "select", "bank")
    game.bank(0)
    assert totals(game) == [150, 0]
    assert last_turn(game) == ("banked", 0, 150)


def test_bank_needs_a_selection_where_it_takes_what_is_selected() -> None:
    for rules in (house(), jester()):
        game = two(rules)
        game.roll(0, [1, 5, 2, 3, 3])
        with refused(game, "nothing_selected"):
            game.bank(0)
        game.select(0, [0])
        game.bank(0)
        assert totals(game) == [100, 0]


def test_exactly_the_opening_gets_on_the_board_and_less_is_refused() -> None:
    game = two(farkle(), on_board=False)
    game.roll(0, [1, 1, 1, 1, 2, 3])
    assert on_board(game) == [False, False]
    game.bank(0)
    assert on_board(game) == [True, False]
    game.roll(1, [1, 1, 5, 2, 3, 4])
    with refused(game, "below_opening"):
        game.bank(1)
    legal = game.legal()
    assert legal is not None
    assert legal.bank is None
    game.select(1, [0, 1])
    game.roll(1, [1, 1, 1, 2])
    game.bank(1)
    assert totals(game) == [1000, 500]
    assert on_board(game) == [True, True]


def test_the_opening_counts_for_the_first_bank_alone() -> None:
    for rules in (house(), jester()):
        game = two(rules, on_board=False)
        keep(game, 0, [1, 2, 3, 4, 4], [0])
        with refused(game, "below_opening"):
            game.bank(0)
        game.time_out()
        assert totals(game) == [0, 0]
        bank(game, 1, [5, 5, 5, 2, 2], [0, 1, 2])
        keep(game, 0, [1, 2, 3, 4, 4], [0])
        game.time_out()
        bank(game, 1, [5, 2, 2, 3, 3], [0])
        assert totals(game) == [0, 550]


def test_hot_dice_bring_all_dice_back_and_keep_the_score() -> None:
    game = two(farkle())
    keep(game, 0, [1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5])
    assert len(game.dice_to_roll()) == 6
    keep(game, 0, [1, 5, 2, 2, 3, 4], [0, 1])
    assert turn_of(game).score == 1650
    assert turn_of(game).locked == {}
    keep(game, 0, [5, 5, 1, 1], [2, 3, 4, 5])
    game.roll(0, [1, 2, 2, 3, 3, 6])
    assert turn_of(game).roll[0] == 1
    game.bank(0)
    assert totals(game) == [2050, 0]


def test_farkle_may_bank_on_hot_dice() -> None:
    game = two(farkle(), on_board=False)
    game.roll(0, [1, 2, 3, 4, 5, 6])
    game.bank(0)
    assert totals(game) == [1500, 0]


def test_all_dice_on_their_spicy_faces_win_on_the_spot_without_points() -> None:
    game = Game(farkle(spicy=True), [True, True], head_start={1: 20_000})
    game.roll(0, [1, 2, 3, 4, 5, 6])
    assert game.result is not None
    assert (game.result.reason, game.result.winners) == ("instant_win", (0,))
    assert game.result.standings == ((1, 20_000), (0, 0))
    with refused(game, "game_over"):
        game.roll(1, [1] * 6)


def test_fewer_than_all_dice_win_nothing_on_the_spot() -> None:
    game = two(farkle(spicy=True))
    keep(game, 0, [1, 2, 2, 2, 3, 4], [0])
    game.roll(0, [2, 3, 4, 5, 6])
    assert game.status == "playing"
    odd = two(farkle(spicy=True, spicy_faces=[1, 1, 1, 1, 1, 1]))
    odd.roll(0, [1, 2, 3, 4, 5, 6])
    assert odd.status == "playing"
    odd.select(0, [0, 1, 2, 3, 4, 5])
    assert turn_of(odd).score == 3000
    odd.roll(0, [1] * 6)
    assert odd.status == "finished"


def test_a_die_keeps_its_spicy_face_by_its_position() -> None:
    game = two(farkle(spicy=True))
    keep(game, 0, [5, 2, 3, 3, 5, 6], [0])
    assert turn_of(game).score == 50
    game.select(0, [4])
    assert turn_of(game).score == 100
