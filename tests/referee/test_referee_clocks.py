"""The referee minds the clocks, passes over skipped turns and ends games early."""

from tests.referee.checks import keep, last_turn, outcome, totals, turn_of
from tests.referee.game import Game
from tests.referee.rulebook import RuleSet, farkle, house, jester

PLAIN = farkle(opening=0)
ON_THE_WAY = [1, 2, 3, 4, 4, 6]
"""A roll worth 100."""
BUST = [2, 2, 3, 3, 4, 6]


def table(rules: RuleSet, *head_start: int) -> Game:
    """One seat for each starting total."""
    seats = [True] * len(head_start)
    return Game(rules, seats, head_start=dict(enumerate(head_start)))


def banked(game: Game, seat: int, faces: list[int]) -> None:
    game.roll(seat, faces)
    game.bank(seat)


def test_a_game_ended_early_goes_to_the_highest_total() -> None:
    game = table(PLAIN, 0, 0, 0)
    banked(game, 0, ON_THE_WAY)
    banked(game, 1, ON_THE_WAY)
    game.roll(2, [1, 1, 1, 1, 2, 2])
    game.end()
    assert outcome(game) == ("ended_early", [0, 1])
    nothing = table(PLAIN, 500, 0)
    nothing.end()
    assert outcome(nothing) == ("ended_early", [])


def test_at_the_turn_clock_a_qualified_seat_banks() -> None:
    game = table(house(bank_on_hot_dice=False), 0, 0)
    game.seats[0].on_board = True
    keep(game, 0, [1, 2, 3, 4, 4], [0])
    game.roll(0, [1, 5, 2, 2])
    game.time_out()
    assert last_turn(game) == ("banked", 0, 100)
    keep(game, 1, [5, 5, 5, 1, 1], [0, 1, 2, 3, 4])
    game.time_out()
    assert last_turn(game) == ("banked", 1, 700)


def test_at_the_turn_clock_another_seat_keeps_protected_points_alone() -> None:
    game = table(house(opening=2000), 0, 0)
    keep(game, 0, [1, 1, 1, 2, 3], [0, 1, 2])
    keep(game, 0, [5, 3], [3])
    game.time_out()
    assert last_turn(game) == ("timed_out", 0, 1000)
    assert not game.seats[0].on_board


def test_at_the_turn_clock_farkle_banks_all_scoring_dice() -> None:
    game = table(farkle(), 0, 0)
    game.roll(0, [1, 1, 1, 1, 5, 2])
    game.select(0, [4])
    game.time_out()
    assert totals(game) == [1050, 0]
    game.roll(1, ON_THE_WAY)
    game.time_out()
    assert totals(game) == [1050, 0]


def test_at_the_turn_clock_jester_overshoots_as_ever() -> None:
    game = table(jester(), 4950, 0)
    game.seats[0].on_board = True
    keep(game, 0, [1, 2, 3, 4, 4], [0])
    game.time_out()
    assert last_turn(game) == ("overshot", 0, 0)


def test_at_the_turn_clock_a_turn_without_a_roll_passes() -> None:
    game = table(PLAIN, 9900, 0)
    game.time_out()
    assert last_turn(game) == ("passed", 0, 0)
    game.time_out()
    banked(game, 0, ON_THE_WAY)
    game.time_out()
    assert outcome(game) == ("target", [0])


def test_at_the_game_clock_the_highest_wins_then_who_reached_it_first() -> None:
    game = table(PLAIN, 0, 0, 0)
    banked(game, 0, [1, 1, 5, 5, 2, 3])
    banked(game, 1, [1, 5, 2, 2, 3, 4])
    game.roll(2, BUST)
    game.roll(0, BUST)
    banked(game, 1, [1, 5, 2, 2, 3, 4])
    game.roll(2, [1, 1, 1, 1, 2, 2])
    game.game_clock()
    assert totals(game) == [300, 300, 0]
    assert outcome(game) == ("game_clock", [0])


def test_at_the_game_clock_nothing_wins_nothing_and_equal_head_starts_share() -> None:
    for head_start, winners in (((0, 0), []), ((500, 500), [0, 1]), ((500, 0), [0])):
        game = table(PLAIN, *head_start)
        game.game_clock()
        assert outcome(game) == ("game_clock", winners)
    final = table(PLAIN, 100, 9900, 10)
    banked(final, 0, ON_THE_WAY)
    banked(final, 1, ON_THE_WAY)
    final.game_clock()
    assert outcome(final) == ("game_clock", [1])
    early = table(PLAIN, 0, 100)
    banked(early, 0, ON_THE_WAY)
    early.game_clock()
    assert outcome(early) == ("game_clock", [1])


def test_a_skipped_turn_passes_without_a_roll_and_once() -> None:
    game = Game(PLAIN, [True, True], skip_next={0})
    assert turn_of(game).seat == 1
    assert game.history == [("skipped", 0, 0)]
    game.skip_next(1)
    game.roll(1, BUST)
    game.roll(0, BUST)
    assert turn_of(game).seat == 0
    game.roll(0, BUST)
    assert turn_of(game).seat == 1


def test_a_skipped_final_turn_is_used_up() -> None:
    game = table(PLAIN, 9900, 0, 0)
    game.skip_next(1)
    banked(game, 0, ON_THE_WAY)
    assert turn_of(game).seat == 2
    game.roll(2, BUST)
    assert outcome(game) == ("target", [0])
    alone = table(PLAIN, 9900, 0)
    alone.skip_next(1)
    banked(alone, 0, ON_THE_WAY)
    assert outcome(alone) == ("target", [0])
