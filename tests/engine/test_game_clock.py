"""The game clock, downtime, and the host's role in play. Source: docs/rules.md, "Clocks"."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import commands as co
from engine import events as ev
from engine.deadlines import game_deadline, turn_deadline
from engine.decide import transition
from engine.errors import TimeIsUp
from tests.engine.clocked import (
    DEADLINE,
    GAME_DEADLINE,
    GAME_LATE,
    GAME_OVER,
    TIME_OUT,
    clocked,
)
from tests.engine.spec import Given, T, bank, given, roll, rules


def over(winners: Sequence[int], *standings: tuple[int, int]) -> ev.GameFinished:
    return ev.GameFinished(GAME_LATE, "game_clock", tuple(winners), standings)


def hundreds(game: Given, *seats: int) -> Given:
    """Each of these seats in turn banks 300; in between the others bust."""
    for seat in seats:
        while game.play.turn.seat != seat:
            game = game.after(roll(game.play.turn.seat, 2, 2, 3, 3, 4, 6))
        game = game.after(roll(seat, 1, 1, 5, 5, 2, 3), bank(seat))
    return game


def test_the_highest_banked_total_wins_and_the_running_turn_counts_for_nothing() -> None:
    game = given(clocked(rules("farkle", opening=0), "hh")).after(
        roll(0, 1, 5, 2, 3, 4, 4), bank(0), roll(1, 1, 1, 1, 1, 2, 3)
    )
    game.when(GAME_OVER).then(over([0], (0, 150), (1, 0)))


def test_equal_totals_go_to_whoever_reached_it_first() -> None:
    game = hundreds(given(clocked(rules("farkle", opening=0), "hhh")), 2, 1)
    game.when(GAME_OVER).then(over([2], (1, 300), (2, 300), (0, 0)))


def test_with_all_at_zero_nobody_wins() -> None:
    given(clocked(rules("farkle"))).when(GAME_OVER).then(over([], (0, 0), (1, 0)))


def test_equal_head_starts_never_improved_on_share_the_win() -> None:
    game = given(clocked(rules("farkle"), totals=(500, 500, 0), seats="hhh"))
    game.when(GAME_OVER).then(over([0, 1], (0, 500), (1, 500), (2, 0)))


def test_a_head_start_was_reached_before_any_bank() -> None:
    game = given(clocked(rules("farkle", opening=0), totals=(0, 300)))
    hundreds(game, 0).when(GAME_OVER).then(over([1], (0, 300), (1, 300)))


def test_it_ends_a_final_round_too() -> None:
    game = given(clocked(rules("farkle"), totals=(9900, 600, 700), seats="hhh"))
    last = game.after(roll(0, 1, 2, 3, 3, 4, 6), bank(0))
    assert last.play.final_round is not None
    last.when(GAME_OVER).then(over([0], (0, 10_000), (2, 700), (1, 600)))


def test_a_resigned_seat_does_not_win_on_the_clock() -> None:
    game = given(clocked(rules("farkle"), totals=(900, 600, 700), seats="hhh"))
    left = game.after(co.Resign(T, 0))
    left.when(GAME_OVER).then(over([2], (0, 900), (2, 700), (1, 600)))


def test_nothing_is_played_or_ended_once_the_clock_is_at_zero() -> None:
    game = clocked(rules("farkle"))
    given(game).when(co.EndOnClock(GAME_LATE - 1)).then()
    setup = game.setup._replace(
        clocks=game.setup.clocks and game.setup.clocks._replace(turn_s=None)
    )
    untimed = game._replace(setup=setup)
    assert turn_deadline(untimed) is None
    for command in (co.Bank(GAME_LATE, 0), co.End(GAME_LATE), co.SkipNext(GAME_LATE, 0)):
        with pytest.raises(TimeIsUp):
            transition(untimed, command)
    given(untimed).when(co.End(GAME_LATE - 1)).then(
        ev.GameFinished(GAME_LATE - 1, "ended_early", (), ((0, 0), (1, 0)))
    )


GAP = co.ExtendClocks(T + 40_000, 1, T + 10_000, T + 40_000)


def test_downtime_moves_both_deadlines_once() -> None:
    game = given(clocked(rules("farkle")))
    after = game.when(GAP).then(ev.ClockExtended(GAP.at, 1, GAP.began, GAP.ended, 30_000))
    assert turn_deadline(after.play) == DEADLINE + 30_000
    assert game_deadline(after.play) == GAME_DEADLINE + 30_000
    after.when(GAP).then()
    after.when(TIME_OUT).then()
    second = co.ExtendClocks(T + 90_000, 2, T + 80_000, T + 90_000)
    assert turn_deadline(after.after(second).play) == DEADLINE + 40_000


def test_a_turn_is_credited_only_what_it_missed() -> None:
    game = given(clocked(rules("farkle"))).after(GAP, TIME_OUT._replace(at=DEADLINE + 30_501))
    began = DEADLINE + 30_501
    assert turn_deadline(game.play) == began + 60_000
    late = co.ExtendClocks(began + 9_000, 2, began - 1_000, began + 9_000)
    after = game.after(late)
    assert turn_deadline(after.play) == began + 69_000
    assert game_deadline(after.play) == GAME_DEADLINE + 40_000


def test_a_gap_before_the_game_and_a_game_without_clocks_are_left_alone() -> None:
    game = clocked(rules("farkle"))
    given(game).when(co.ExtendClocks(T, 1, T - 9_000, T)).then()
    given(game._replace(setup=game.setup._replace(clocks=None))).when(GAP).then()


def test_the_host_may_be_another_seat_from_here_on() -> None:
    game = given(clocked(rules("farkle"), "hhh"))
    after = game.when(co.PassHost(T, 2)).then(ev.HostChanged(T, 2, "p2"))
    assert after.play.setup.host == "p2"
    after.when(co.PassHost(T, 2)).then()
    game.when(co.PassHost(T, 3)).refused("no_such_seat", seats=3)
    game.after(co.Resign(T, 1)).when(co.PassHost(T, 1)).refused("seat_not_active", seat=1)


def test_a_players_deeds_are_remembered_and_a_bots_are_not() -> None:
    game = given(clocked(rules("farkle"), "hb", on_board=(0, 1)))
    rolled = game.after(roll(0, 1, 2, 3, 3, 4, 6)._replace(at=T + 7))
    assert rolled.play.touched_at == T + 7
    banked = rolled.after(co.Bank(T + 9, 0))
    assert banked.play.touched_at == T + 9
    passed = banked.after(roll(1, 1, 2, 3, 3, 4, 6)._replace(at=T + 11), co.Bank(T + 12, 1))
    assert (passed.to_roll, passed.play.touched_at) == (0, T + 9)
    assert game.after(roll(0, 1, 2, 3, 3, 4, 6), TIME_OUT).play.touched_at == T
