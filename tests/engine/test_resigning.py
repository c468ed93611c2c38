"""A seat that resigns is closed: its total stays, and it never wins."""

from __future__ import annotations

from engine import commands as co
from engine import events as ev
from engine import rules_from_data
from tests.engine.spec import (
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
)
from tests.referee.rulebook import house

FARKLE, HOUSE = rules("farkle"), rules("house")


def test_the_points_of_the_turn_are_lost_and_the_turn_passes() -> None:
    found = given(started(FARKLE, "hhh", totals=[700])).after(
        roll(0, 1, 1, 1, 5, 2, 3), roll(0, 1, 2, 3, keep=pick(0, 1, 2))
    )
    gone = found.when(co.Resign(T, 0)).then(ev.SeatResigned(T, 0, 300, 0, 700))
    assert gone.to_roll == 1
    assert [seat.active for seat in gone.play.seats] == [False, True, True]
    gone.when(co.Resign(T, 0)).refused("seat_not_active", seat=0)
    gone.when(co.Resign(T, 3)).refused("no_such_seat", seats=3)


def test_protected_points_are_credited_the_selection_s_too() -> None:
    found = given(started(HOUSE, "hhh")).after(
        roll(0, 1, 1, 1, 5, 2), roll(0, 5, 2, keep=pick(0, 1, 2)), select(0, 3)
    )
    gone = found.when(co.Resign(T, 0)).then(ev.SeatResigned(T, 0, 50, 1000, 1000))
    assert gone.totals == [1000, 0, 0]
    assert not gone.play.seats[0].on_board


def test_a_seat_may_resign_when_it_is_not_its_turn() -> None:
    found = given(started(FARKLE, "hhh", totals=[0, 800])).after(roll(0, 1, 1, 5, 2, 3, 4))
    gone = found.when(co.Resign(T, 1)).then(ev.SeatResigned(T, 1, 0, 0, 800))
    assert gone.turn.seat == 0
    bust = gone.after(roll(0, 2, 2, 3, 3, keep=pick(0, 1)))
    assert bust.to_roll == 2


def test_turn_order_goes_on_when_an_earlier_seat_resigns() -> None:
    found = given(started(FARKLE, "hhh"))
    bust = (2, 2, 3, 3, 4, 6)
    last = found.after(roll(0, *bust), roll(1, *bust))
    gone = last.after(co.Resign(T, 0))
    assert gone.to_roll == 2
    assert gone.after(roll(2, *bust)).to_roll == 1


def test_with_one_seat_left_that_seat_wins() -> None:
    found = given(started(FARKLE, "hh", totals=[9000, 50]))
    found.when(co.Resign(T, 0)).then(
        ev.SeatResigned(T, 0, 0, 0, 9000), finished("walkover", [1], (0, 9000), (1, 50))
    )
    found.when(co.Resign(T, 1)).then(
        ev.SeatResigned(T, 1, 0, 0, 50), finished("walkover", [0], (0, 9000), (1, 50))
    )


def test_a_seat_alone_that_resigns_ends_the_game_without_a_winner() -> None:
    given(started(FARKLE, "hc", totals=[900])).when(co.Resign(T, 0)).then(
        ev.SeatResigned(T, 0, 0, 0, 900), finished("resigned", [], (0, 900))
    )


def test_a_final_round_still_runs_when_the_seat_that_opened_it_resigns() -> None:
    final = given(started(FARKLE, "hhh", totals=[9900, 300, 200])).after(
        roll(0, 1, 2, 3, 3, 4, 6), bank(0), co.Resign(T, 0)
    )
    one = final.when(roll(1, 2, 2, 3, 3, 4, 6)).then(
        rolled(1, 2, 2, 3, 3, 4, 6, number=1), ev.TurnBusted(T, 1, 0, 0, 300)
    )
    one.after(roll(2, 1, 2, 3, 3, 4, 6)).when(bank(2)).then(
        banked(2, [0], [0], 100, 300),
        finished("target", [1, 2], (0, 10_000), (1, 300), (2, 300)),
    )


def test_in_a_final_round_a_seat_that_waits_may_resign() -> None:
    final = given(started(FARKLE, "hhh", totals=[9900, 300, 200])).after(
        roll(0, 1, 2, 3, 3, 4, 6), bank(0)
    )
    waits = final.when(co.Resign(T, 2)).then(ev.SeatResigned(T, 2, 0, 0, 200))
    waits.when(roll(1, 2, 2, 3, 3, 4, 6)).then(
        rolled(1, 2, 2, 3, 3, 4, 6, number=1),
        ev.TurnBusted(T, 1, 0, 0, 300),
        finished("target", [0], (0, 10_000), (1, 300), (2, 200)),
    )
    moves = final.when(co.Resign(T, 1)).then(ev.SeatResigned(T, 1, 0, 0, 300))
    assert moves.to_roll == 2


def test_the_last_seat_of_a_final_round_may_end_it_by_resigning() -> None:
    final = given(started(FARKLE, "hhh", totals=[9900, 9000, 200])).after(
        roll(0, 1, 2, 3, 3, 4, 6), bank(0), roll(1, 2, 2, 3, 3, 4, 6), roll(2, 1, 2, 3, 3, 4, 6)
    )
    final.when(co.Resign(T, 2)).then(
        ev.SeatResigned(T, 2, 0, 0, 200),
        finished("target", [0], (0, 10_000), (1, 9000), (2, 200)),
    )


def test_among_those_that_reached_the_target_resigned_seats_are_passed_over() -> None:
    """House: the last to reach it wins; if none of them is left, the highest total."""
    game = started(HOUSE, "hhhh", totals=[9900, 9900, 300, 500])
    reached = given(game).after(
        *(roll(0, 1, 2, 3, 3, 4), bank(0, 0)), *(roll(1, 1, 2, 3, 3, 4), bank(1, 0))
    )
    bust = (2, 3, 3, 4, 6)
    rows = [(0, 10_000), (1, 10_000), (3, 500), (2, 300)]
    for leaving, winners in (([1], [0]), ([0], [1]), ([0, 1], [3])):
        last = reached.after(*(co.Resign(T, seat) for seat in leaving), roll(2, *bust))
        last.when(roll(3, *bust)).then(
            rolled(3, *bust, number=3),
            ev.TurnBusted(T, 3, 0, 0, 500),
            finished("target", winners, *rows),
        )


def test_a_protected_credit_of_a_resigning_seat_opens_no_final_round() -> None:
    found = given(started(HOUSE, "hhh", totals=[9000, 300])).after(roll(0, 1, 1, 1, 2, 3))
    gone = found.after(select(0, 0, 1, 2))
    after = gone.when(co.Resign(T, 0)).then(ev.SeatResigned(T, 0, 0, 1000, 10_000))
    assert after.play.final_round is None
    assert after.play.reached == ()
    assert after.to_roll == 1


def test_a_resigning_seat_s_credit_never_passes_an_exact_target() -> None:
    data = {**house(target=1500), "exact": "bust"}
    game = started(rules_from_data(data), "hhh", totals=[1000, 500])
    found = given(game).after(roll(0, 1, 1, 1, 2, 3), select(0, 0, 1, 2))
    found.when(co.Resign(T, 0)).then(ev.SeatResigned(T, 0, 1000, 0, 1000))


def test_a_resigned_seat_is_dealt_no_more_dice() -> None:
    found = given(started(FARKLE, "hhh")).after(co.Resign(T, 0))
    found.when(roll(0, 1)).refused("not_your_turn", seat_to_move=1)
    found.when(roll(1, 1, 5, 2, 3, 4, 4)).then(rolled(1, 1, 5, 2, 3, 4, 4))
    found.after(roll(1, 1, 5, 2, 3, 4, 4)).when(select(1, 0)).then(selected(1, [0], 100))
