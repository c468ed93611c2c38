"""The referee plays set upgrades and Wild Rolls as the rules say."""

from tests.referee.checks import keep, last_turn, refused, totals, turn_of, two
from tests.referee.game import Game, Preview
from tests.referee.rulebook import farkle, jester
from tests.referee.view import view


def test_a_locked_set_is_upgraded_one_die_at_a_time() -> None:
    game = two(jester())
    keep(game, 0, [2, 2, 2, 3, 4], [0, 1, 2])
    keep(game, 0, [2, 3], [3])
    assert turn_of(game).score == 1200
    keep(game, 0, [2], [4])
    assert turn_of(game).score == 2200
    assert turn_of(game).sets == {2: 4}
    keep(game, 0, [2, 1, 3, 4, 4], [1])
    assert turn_of(game).sets == {}
    assert turn_of(game).score == 2300


def test_ones_upgrade_too_and_a_pair_does_not() -> None:
    game = two(jester())
    keep(game, 0, [1, 1, 1, 3, 4], [0, 1, 2])
    keep(game, 0, [1, 3], [3])
    assert turn_of(game).score == 2000
    pair = two(jester())
    keep(pair, 0, [1, 1, 3, 3, 4], [0, 1])
    keep(pair, 0, [1, 3, 4], [2])
    assert turn_of(pair).score == 300


def test_past_the_exact_target_the_turn_is_overshot() -> None:
    game = two(jester(), total=4900)
    keep(game, 0, [1, 5, 2, 2, 3], [0, 1])
    legal = game.legal()
    assert legal is not None
    assert legal.bank == Preview(0, 4900)
    game.bank(0)
    assert last_turn(game) == ("overshot", 0, 0)
    assert totals(game) == [4900, 0]
    assert turn_of(game).seat == 1


def test_a_wild_roll_shows_no_face_for_the_last_die_until_it_is_named() -> None:
    game = two(jester())
    game.wild_roll(0, [2, 2, 3, 6])
    assert game.seats[0].wild_rolls == 2
    assert turn_of(game).roll == {0: 2, 1: 2, 2: 3, 3: 6, 4: None}
    with refused(game, "wild_face_needed"):
        game.select(0, [4])
    with refused(game, "dice_do_not_score"):
        game.select(0, [0, 1, 4], wild_face=6)
    game.select(0, [0, 1, 4], wild_face=2)
    game.select(0, [4], wild_face=1)
    game.select(0, [0, 1, 4], wild_face=2)
    assert view(game)["turn"]["dice"][4]["face"] == 2
    game.roll(0, [2, 6])
    assert turn_of(game).locked == {0: 2, 1: 2, 4: 2}
    assert turn_of(game).sets == {2: 3}


def test_a_jester_left_out_is_rolled_as_an_ordinary_die() -> None:
    game = two(jester())
    game.wild_roll(0, [1, 2, 3, 6])
    with refused(game, "wild_face_unexpected"):
        game.select(0, [0], wild_face=1)
    game.select(0, [0])
    game.roll(0, [2, 3, 6, 5])
    assert turn_of(game).roll[4] == 5


def test_when_a_wild_roll_may_be_spent() -> None:
    game = two(jester())
    game.roll(0, [1, 2, 3, 4, 4])
    with refused(game, "nothing_selected"):
        game.wild_roll(0, [1, 1, 1, 1])
    game.select(0, [0])
    with refused(game, "not_all_dice"):
        game.wild_roll(0, [1, 1, 1, 1])
    game.seats[0].wild_rolls = 0
    with refused(game, "no_wild_rolls"):
        game.wild_roll(0, [1, 1, 1, 1])
    ordinary = two(farkle())
    with refused(ordinary, "no_wild_rolls"):
        ordinary.wild_roll(0, [1, 1, 1, 1, 1])
    ordinary.roll(0, [1, 2, 3, 4, 6, 6])
    with refused(ordinary, "no_wild_rolls"):
        ordinary.wild_roll(0, [1, 1, 1, 1, 1])


def test_a_wild_roll_on_the_fresh_five() -> None:
    game = two(jester())
    keep(game, 0, [1, 2, 3, 4, 5], [0, 1, 2, 3, 4])
    game.wild_roll(0, [1, 1, 1, 1])
    game.select(0, [0, 1, 2, 3, 4], wild_face=1)
    assert turn_of(game).score == 500 + 3500


def test_the_purse_is_spent_after_the_game_s_own_unless_it_is_off() -> None:
    game = Game(jester(), [True], purses={0: 1})
    game.seats[0].wild_rolls = 1
    for own, purse in ((0, 1), (0, 0)):
        game.wild_roll(0, [1, 2, 3, 6])
        assert (game.seats[0].wild_rolls, game.seats[0].purse) == (own, purse)
        game.time_out()
    with refused(game, "no_wild_rolls"):
        game.wild_roll(0, [1, 2, 3, 6])
    closed = Game(jester(purse=False), [True], purses={0: 1})
    closed.seats[0].wild_rolls = 0
    with refused(closed, "no_wild_rolls"):
        closed.wild_roll(0, [1, 2, 3, 6])


def test_five_equal_faces_earn_a_wild_roll() -> None:
    game = two(jester())
    game.roll(0, [3, 3, 3, 3, 3])
    assert game.seats[0].wild_rolls == 4


def test_five_equal_faces_with_the_jester_earn_when_its_face_is_fixed_kept_or_not() -> None:
    game = two(jester())
    game.wild_roll(0, [5, 5, 5, 5])
    game.select(0, [0, 4], wild_face=5)
    assert game.seats[0].wild_rolls == 2
    game.roll(0, [2, 3, 6])
    assert game.seats[0].wild_rolls == 3
    unnamed = two(jester())
    unnamed.wild_roll(0, [5, 5, 5, 5])
    unnamed.select(0, [0, 1, 2, 3])
    unnamed.bank(0)
    assert unnamed.seats[0].wild_rolls == 2
    other = two(jester())
    other.wild_roll(0, [5, 5, 5, 5])
    other.select(0, [0, 1, 2, 3, 4], wild_face=5)
    other.bank(0)
    assert other.seats[0].wild_rolls == 3
    assert totals(other) == [3000, 0]
