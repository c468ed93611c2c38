"""The referee ends games as the rules say: targets, final rounds, resigning."""

import pytest

from tests.referee.checks import bank, keep, last_turn, outcome, refused, totals, turn_of, waiting
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


def test_closed_seats_are_passed_over_and_the_first_active_one_begins() -> None:
    game = Game(PLAIN, [False, True, False, True])
    assert turn_of(game).seat == 1
    game.roll(1, BUST)
    assert turn_of(game).seat == 3
    game.roll(3, BUST)
    assert turn_of(game).seat == 1
    assert turn_of(Game(PLAIN, [True, True, True], start_seat=2)).seat == 2
    with pytest.raises(ValueError, match="seats"):
        Game(house(), [True])


def test_the_final_round_gives_every_other_seat_one_more_turn() -> None:
    game = table(PLAIN, 0, 9900, 0)
    game.roll(0, BUST)
    banked(game, 1, ON_THE_WAY)
    assert game.final_round is not None
    assert game.final_round.opened_by == 1
    assert waiting(game) == [2, 0]
    banked(game, 2, ON_THE_WAY)
    assert waiting(game) == [0]
    game.roll(0, BUST)
    assert outcome(game) == ("target", [1])
    with refused(game, "game_over"):
        game.roll(1, ON_THE_WAY)
    with refused(game, "game_over"):
        game.bank(1)
    for late in (game.end, game.time_out, game.game_clock):
        with refused(game, "game_over"):
            late()


def test_the_highest_total_wins_and_ties_are_shared() -> None:
    game = table(PLAIN, 9900, 9900, 0)
    banked(game, 0, ON_THE_WAY)
    banked(game, 1, [1, 5, 5, 2, 3, 4])
    game.roll(2, BUST)
    assert outcome(game) == ("target", [1])
    tie = table(PLAIN, 9900, 9900, 0)
    banked(tie, 0, ON_THE_WAY)
    banked(tie, 1, ON_THE_WAY)
    tie.roll(2, BUST)
    assert outcome(tie) == ("target", [0, 1])


def test_without_a_final_round_the_first_to_reach_the_target_wins_at_once() -> None:
    game = table(farkle(opening=0, final_round=False), 9900, 9950)
    banked(game, 0, ON_THE_WAY)
    assert outcome(game) == ("target", [0])


def test_a_solo_seat_has_no_final_round() -> None:
    game = table(PLAIN, 9900)
    game.roll(0, BUST)
    assert turn_of(game).seat == 0
    banked(game, 0, ON_THE_WAY)
    assert outcome(game) == ("target", [0])


def test_in_jester_exactly_the_target_wins_at_once() -> None:
    game = table(jester(), 4900, 0)
    bank(game, 0, [1, 2, 3, 4, 4], [0])
    assert outcome(game) == ("target", [0])
    assert totals(game) == [5000, 0]


def test_in_house_the_last_to_reach_the_target_wins() -> None:
    game = table(house(opening=0), 9000, 9900, 9900)
    keep(game, 0, [1, 1, 1, 1, 2], [0, 1, 2, 3])
    game.bank(0)
    bank(game, 1, [1, 2, 2, 3, 3], [0])
    bank(game, 2, [5, 2, 2, 3, 3], [0])
    assert totals(game) == [11_000, 10_000, 9950]
    assert outcome(game) == ("target", [1])


def test_in_exact_house_only_exactly_the_target_opens_the_last_turn() -> None:
    game = table(house(opening=0, exact=True), 9850, 9900)
    bank(game, 0, [1, 2, 2, 3, 3], [0])
    assert waiting(game) is None
    bank(game, 1, [1, 2, 2, 3, 3], [0])
    assert waiting(game) == [0]
    bank(game, 0, [5, 2, 2, 3, 3], [0])
    assert outcome(game) == ("target", [0])


def test_protected_points_credited_by_a_bust_may_reach_the_target() -> None:
    game = table(house(), 9000, 0)
    keep(game, 0, [1, 1, 1, 2, 3], [0, 1, 2])
    game.roll(0, [2, 3])
    assert last_turn(game) == ("busted", 0, 1000)
    assert game.final_round is not None
    game.roll(1, [2, 2, 3, 3, 4])
    assert outcome(game) == ("target", [0])


def test_a_seat_that_reached_the_target_and_resigned_does_not_win() -> None:
    game = table(house(opening=0), 9900, 9900, 9000)
    bank(game, 0, [1, 2, 2, 3, 3], [0])
    bank(game, 1, [1, 2, 2, 3, 3], [0])
    game.resign(1)
    game.roll(2, [2, 2, 3, 3, 4])
    assert outcome(game) == ("target", [0])
    both = table(house(opening=0), 9900, 9000, 9000)
    bank(both, 0, [1, 2, 2, 3, 3], [0])
    both.resign(0)
    assert both.final_round is not None
    both.roll(1, [2, 2, 3, 3, 4])
    both.roll(2, [2, 2, 3, 3, 4])
    assert outcome(both) == ("target", [1, 2])
    assert both.result is not None
    assert both.result.standings == ((0, 10_000), (1, 9000), (2, 9000))


def test_who_resigns_loses_turn_points_and_keeps_protected_ones() -> None:
    game = table(house(), 0, 0, 0)
    keep(game, 0, [1, 1, 1, 5, 3], [0, 1, 2])
    keep(game, 0, [5, 3], [3])
    game.resign(0)
    assert totals(game) == [1000, 0, 0]
    assert (game.seats[0].active, game.seats[0].on_board) == (False, False)
    assert turn_of(game).seat == 1
    with refused(game, "seat_not_active"):
        game.resign(0)


def test_a_protected_credit_of_a_resigning_seat_opens_no_final_round() -> None:
    game = table(house(), 9000, 0, 0)
    keep(game, 0, [1, 1, 1, 5, 3], [0, 1, 2])
    game.resign(0)
    assert totals(game) == [10_000, 0, 0]
    assert game.final_round is None


def test_who_resigns_out_of_turn_disturbs_nobody() -> None:
    game = table(PLAIN, 0, 0, 0)
    game.roll(0, ON_THE_WAY)
    game.resign(1)
    game.bank(0)
    assert turn_of(game).seat == 2
    game.roll(2, ON_THE_WAY)
    game.resign(0)
    assert outcome(game) == ("walkover", [2])
    assert totals(game) == [100, 0, 0]


def test_the_next_seat_starts_clean_after_a_resignation() -> None:
    game = table(PLAIN, 0, 0, 0)
    keep(game, 0, [1, 1, 1, 1, 3, 3], [0, 1, 2, 3])
    game.resign(0)
    assert (turn_of(game).score, len(game.dice_to_roll())) == (0, 6)


def test_a_resignation_uses_up_the_last_turn() -> None:
    game = table(PLAIN, 9900, 0, 0)
    banked(game, 0, ON_THE_WAY)
    game.resign(2)
    game.roll(1, BUST)
    assert outcome(game) == ("target", [0])


def test_a_solo_seat_that_resigns_ends_the_game_without_a_winner() -> None:
    game = table(PLAIN, 500)
    game.resign(0)
    assert outcome(game) == ("resigned", [])
