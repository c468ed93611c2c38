"""The referee plays hot dice, protected points and exact play as the rules of house say."""

from tests.referee.checks import bank, keep, last_turn, refused, totals, turn_of, two
from tests.referee.rulebook import house


def test_house_may_forbid_stopping_on_hot_dice() -> None:
    game = two(house(bank_on_hot_dice=False))
    keep(game, 0, [1, 2, 3, 4, 5], [0, 1, 2, 3, 4])
    with refused(game, "must_roll_hot_dice"):
        game.bank(0)
    game.select(0, [0])
    game.bank(0)
    assert totals(game) == [100, 0]
    off = two(house(bank_on_hot_dice=False), on_board=False)
    keep(off, 0, [1, 1, 2, 2, 2], [0, 1, 2, 3, 4])
    with refused(off, "below_opening"):
        off.bank(0)


def test_a_bank_that_reaches_the_target_is_always_allowed() -> None:
    game = two(house(bank_on_hot_dice=False, target=1000, exact=True), on_board=False)
    game.seats[0].total = 600
    bank(game, 0, [1, 1, 2, 2, 2], [0, 1, 2, 3, 4])
    assert totals(game) == [1000, 0]
    assert game.final_round is not None


def test_protected_points_survive_a_bust() -> None:
    game = two(house())
    keep(game, 0, [1, 1, 1, 5, 3], [0, 1, 2])
    keep(game, 0, [5, 3], [3])
    assert (turn_of(game).score, turn_of(game).protected) == (1050, 1000)
    game.roll(0, [3])
    assert last_turn(game) == ("busted", 0, 1000)
    assert totals(game) == [1000, 0]


def test_protected_points_are_kept_through_hot_dice() -> None:
    game = two(house())
    keep(game, 0, [2, 3, 4, 5, 6], [0, 1, 2, 3, 4])
    game.roll(0, [2, 2, 3, 4, 6])
    assert totals(game) == [1000, 0]


def test_protected_points_put_a_seat_on_the_board_only_when_worth_the_opening() -> None:
    for opening, on_board in ((1000, True), (1005, False)):
        game = two(house(opening=opening), on_board=False)
        keep(game, 0, [1, 1, 1, 5, 3], [0, 1, 2, 3])
        game.roll(0, [3])
        assert totals(game) == [1000, 0]
        assert game.seats[0].on_board == on_board


def test_exact_play_refuses_what_would_pass_the_target() -> None:
    game = two(house(target=1000, exact=True), total=900)
    game.roll(0, [1, 1, 5, 2, 2])
    with refused(game, "over_target"):
        game.select(0, [0, 1])
    with refused(game, "dice_do_not_score"):
        game.select(0, [0, 3])
    game.select(0, [2])
    game.roll(0, [1, 1, 2, 2])
    assert last_turn(game) == ("busted", 0, 0)


def test_protected_points_that_would_pass_an_exact_target_are_not_credited() -> None:
    rules = house(target=1000, exact=True)
    rules["exact"] = "bust"
    game = two(rules, total=900)
    bank(game, 0, [1, 1, 1, 2, 2], [0, 1, 2])
    assert last_turn(game) == ("overshot", 0, 0)
    assert totals(game) == [900, 0]
