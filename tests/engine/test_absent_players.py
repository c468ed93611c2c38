"""Bots that stand in for absent players, and scripts that do not fit what the server must roll."""

from __future__ import annotations

from engine import commands as co
from engine import events as ev
from engine.deadlines import turn_deadline
from engine.state import ScriptedDice
from tests.engine.clocked import TIME_OUT, clocked
from tests.engine.spec import T, given, roll, rules

TAKES = co.BotTakesSeat(T, 0)


def test_a_bot_takes_the_seat_and_the_player_takes_it_back() -> None:
    game = given(clocked(rules("farkle"), absent=True, missed=2))
    taken = game.when(TAKES).then(ev.BotTookSeat(T, 0, "cautious"))
    assert taken.play.seats[0].stand_in == "cautious"
    assert turn_deadline(taken.play) is None
    taken.when(TIME_OUT).then()
    back = taken.when(co.Return(T, 0)).then(ev.PlayerReturned(T, 0))
    assert (back.play.seats[0].stand_in, back.play.seats[0].missed) == (None, 0)
    assert turn_deadline(back.play) is not None
    back.when(co.Return(T, 0)).then()


def test_what_the_bot_plays_does_not_bring_the_player_back() -> None:
    game = given(clocked(rules("farkle"), absent=True, missed=2)).after(TAKES)
    rolled = game.after(roll(0, 1, 2, 3, 3, 4, 6)._replace(at=T + 5))
    assert (rolled.play.seats[0].missed, rolled.play.touched_at) == (2, T)


def test_only_where_the_table_lets_bots_and_a_player_moves_the_seat() -> None:
    given(clocked(rules("farkle"))).when(TAKES).then()
    game = given(clocked(rules("farkle"), "hhb", absent=True))
    game.when(co.BotTakesSeat(T, 2)).refused("seat_not_active", seat=2)
    game.when(co.BotTakesSeat(T, 3)).refused("no_such_seat", seats=3)
    game.when(co.Return(T, 3)).refused("no_such_seat", seats=3)
    game.after(TAKES).when(TAKES).refused("seat_not_active", seat=0)
    game.after(co.Resign(T, 0)).when(TAKES).refused("seat_not_active", seat=0)


def test_a_script_that_does_not_fit_is_dropped_whole() -> None:
    dice = ScriptedDice(((1, 2), (3, 4)))
    game = given(clocked(rules("farkle"), dice=dice))
    game.when(roll(0, 1, 2, 3, 3, 4, 6)).refused("script_mismatch", scripted=2, needed=6)
    dropped = game.when(co.DropScript(T)).then(ev.ScriptDropped(T, 2))
    dropped.after(roll(0, 1, 2, 3, 3, 4, 6))
    dropped.when(co.DropScript(T)).then()
