"""
What the clocks lead to, and what else a table does by itself when somebody is away.

The server gives these commands. What is not due changes nothing, so that a clock which two
processes want to fire is fired once. Source: docs/rules.md, "Clocks".
"""

from __future__ import annotations

from engine import commands as co
from engine import events as ev
from engine import guards, turns
from engine.choices import Choice
from engine.deadlines import (
    game_deadline,
    has_deadline,
    has_run_out,
    is_players,
    running_since,
    turn_deadline,
)
from engine.errors import NoSuchSeat, NothingSelected, SeatNotActive
from engine.state import Lobby, Playing, Sealing, ToSelect
from engine.turns import Flow
from engine.units import Seat


def time_out(flow: Flow, command: co.TimeOut) -> None:
    """A seat on the board, or reaching the opening now, banks; another keeps protected points."""
    play = guards.playing(flow.game)
    deadline = turn_deadline(play)
    if deadline is None or not has_run_out(deadline, command.at):
        return
    turn = play.turn
    flow.emit(ev.TurnTimedOut(flow.at, turn.seat, deadline))
    choice = _counted(play)
    score = protected = 0
    if isinstance(turn, ToSelect):
        score = turn.carried + turn.banked + (choice.points if choice else 0)
        protected = turn.banked_protected + (choice.protected if choice else 0)
    if score and _qualifies(play, score):
        turns.bank(flow, choice)
    else:
        turns.lose(flow, ev.TurnLapsed, score, protected)


def _counted(play: Playing) -> Choice | None:
    """What a bank would count of the current roll; None: nothing, which is no hindrance here."""
    if not isinstance(play.turn, ToSelect):
        return None
    try:
        return guards.counted(play)
    except NothingSelected:
        return None


def _qualifies(play: Playing, score: int) -> bool:
    rules, seat = play.setup.rules, play.seats[play.turn.seat]
    return seat.on_board or score >= rules.opening or rules.reaches(seat.score + score)


def end_on_clock(flow: Flow, command: co.EndOnClock) -> None:
    """The highest total wins; of equal ones, whoever reached it first. The turn is lost."""
    play = guards.playing(flow.game)
    if not has_run_out(game_deadline(play), command.at):
        return
    if not any(seat.score for seat in play.seats):
        turns.finish(flow, "game_clock", ())
        return
    best = turns.highest(play)
    first = min(play.seats[seat].improved for seat in best)
    turns.finish(
        flow, "game_clock", tuple(seat for seat in best if play.seats[seat].improved == first)
    )


def extend_clocks(flow: Flow, command: co.ExtendClocks) -> None:
    """Credits a gap in the service to the running deadlines, once."""
    game = flow.game if isinstance(flow.game, Sealing) else guards.playing(flow.game)
    by_ms = command.ended - max(command.began, running_since(game))
    if has_deadline(game) and command.gap > game.gap and by_ms > 0:
        flow.emit(ev.ClockExtended(flow.at, command.gap, command.began, command.ended, by_ms))


def bot_takes_seat(flow: Flow, command: co.BotTakesSeat) -> None:
    """Where the table lets them. Raises: NoSuchSeat; SeatNotActive, where no player moves it."""
    play = guards.playing(flow.game)
    _check_players(play, command.seat)
    if play.setup.bots.take_absent_seats:
        flow.emit(ev.BotTookSeat(flow.at, command.seat, command.character))


def give_back(flow: Flow, command: co.Return) -> None:
    """Raises: NoSuchSeat."""
    play = guards.playing(flow.game)
    if not 0 <= command.seat < len(play.seats):
        raise NoSuchSeat(seats=len(play.seats))
    if play.seats[command.seat].stand_in is not None:
        flow.emit(ev.PlayerReturned(flow.at, command.seat))


def pass_host(flow: Flow, command: co.PassHost) -> None:
    """Raises: NoSuchSeat; SeatNotActive, where nobody could be host."""
    game = flow.game
    if not isinstance(game, Lobby):
        _check_players(guards.playing(game), command.seat)
    elif not 0 <= command.seat < len(game.setup.places):
        raise NoSuchSeat(seats=len(game.setup.places))
    heir = flow.setup.places[command.seat].player_id
    if heir is None:
        raise SeatNotActive(seat=command.seat)
    if heir != flow.setup.host:
        flow.emit(ev.HostChanged(flow.at, command.seat, heir))


def name_policy(flow: Flow, command: co.NamePolicy) -> None:
    """Raises: NoSuchSeat."""
    play = guards.playing(flow.game)
    if not 0 <= command.seat < len(play.seats):
        raise NoSuchSeat(seats=len(play.seats))
    if play.seats[command.seat].policy != command.policy:
        flow.emit(ev.PolicyNamed(flow.at, command.seat, command.character, command.policy))


def drop_script(flow: Flow, command: co.DropScript) -> None:
    """What is left of the table's script is dropped; the dice are fair from here on."""
    play = guards.playing(flow.game)
    if play.script:
        flow.emit(ev.ScriptDropped(flow.at, len(play.script)))


def _check_players(play: Playing, seat: Seat) -> None:
    if not 0 <= seat < len(play.seats):
        raise NoSuchSeat(seats=len(play.seats))
    if not play.seats[seat].active or not is_players(play, seat):
        raise SeatNotActive(seat=seat)
