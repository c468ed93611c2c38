"""Turns that pass without a roll, and rolls that are written down beforehand."""

from __future__ import annotations

from engine import commands as co
from engine import events as ev
from engine.state import Cheats, ScriptedDice
from tests.engine.spec import T, given, pick, roll, rolled, rules, select, selected, started

FARKLE = rules("farkle")


def test_scripted_rolls_come_first_then_fair_ones() -> None:
    script = ScriptedDice(((1, 5, 2, 3, 4, 4), (1,), (5, 5, 2, 3)))
    found = given(started(FARKLE, dice=script))
    found = found.when(roll(0)).then(rolled(0, 1, 5, 2, 3, 4, 4, scripted=True))
    found.when(roll(0, keep=pick(0, 1))).refused("script_mismatch", scripted=1, needed=4)
    last = given(started(FARKLE, dice=ScriptedDice(script.rolls[:1]))).after(roll(0))
    last.when(roll(0, 1, 1, 1, 2, keep=pick(0, 1))).then(
        selected(0, [0, 1], 150), rolled(0, 1, 1, 1, 2, dice=[2, 3, 4, 5], number=1)
    )


def test_a_skip_is_used_up_when_the_turn_would_begin() -> None:
    game = started(FARKLE, "hhh", cheats=Cheats(skip_next=(1,)))
    bust = roll(0, 2, 2, 3, 3, 4, 6)
    passed = (
        given(game)
        .when(bust)
        .then(rolled(0, 2, 2, 3, 3, 4, 6), ev.TurnBusted(T, 0, 0, 0, 0), ev.TurnSkipped(T, 1))
    )
    assert passed.to_roll == 2
    assert passed.after(roll(2, 2, 2, 3, 3, 4, 6), bust).to_roll == 1


def test_skipped_seats_pass_one_after_the_other_from_the_start_on() -> None:
    game = started(FARKLE, "hhh", cheats=Cheats(skip_next=(0, 1)))
    assert given(game).to_roll == 2
    assert not any(seat.skip for seat in game.seats)


def test_a_skip_ordered_during_a_turn_is_for_the_next_one() -> None:
    game = started(FARKLE, "hhh", cheats=Cheats())
    ordered = (
        given(game)
        .after(roll(0, 1, 5, 2, 3, 4, 4))
        .when(co.SkipNext(T, 0))
        .then(ev.SkipOrdered(T, 0))
    )
    ordered.when(select(0, 0)).then(selected(0, [0], 100))
    resigned = ordered.when(co.Resign(T, 2)).then(ev.SeatResigned(T, 2, 0, 0, 0))
    assert resigned.turn.seat == 0
    ended = resigned.after(roll(0, 2, 2, 3, 4, 6, keep=pick(0)))
    ended.when(roll(1, 2, 2, 3, 3, 4, 6)).then(
        rolled(1, 2, 2, 3, 3, 4, 6, number=2),
        ev.TurnBusted(T, 1, 0, 0, 0),
        ev.TurnSkipped(T, 0),
    )


def test_skips_are_for_active_seats_of_a_table_with_cheats() -> None:
    given(started(FARKLE)).when(co.SkipNext(T, 1)).refused("cheats_are_off")
    cheated = given(started(FARKLE, "hhhc", cheats=Cheats()))
    cheated.when(co.SkipNext(T, 4)).refused("no_such_seat", seats=4)
    cheated.when(co.SkipNext(T, 3)).refused("seat_not_active", seat=3)
    gone = cheated.after(co.Resign(T, 1))
    gone.when(co.SkipNext(T, 1)).refused("seat_not_active", seat=1)
