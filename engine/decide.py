"""
What follows from a command, or why not. Nothing here touches the world.

`transition` gives the events together with the game they lead to, so that a caller that needs both
folds once; `decide` gives the events alone. A refusal is raised and leaves nothing behind: the
game handed in is immutable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine import clocks, guards, lobby, sealing, turns
from engine import commands as co
from engine import events as ev
from engine.errors import AdviceIsOff, CheatsAreOff, NoSuchSeat, NotFinished, SeatNotActive
from engine.state import Finished, Game, Sealing, ToSelect, Unstarted
from engine.turns import Flow
from engine.units import dice_of


class Transition(NamedTuple):
    events: tuple[ev.Event, ...]
    game: Game
    """What the events lead to."""


def decide(game: Game | None, command: co.Command) -> tuple[ev.Event, ...]:
    """
    The events a command leads to; `game` is None for `Create`.

    Raises: Refusal; MalformedSettings.
    """
    return transition(game, command).events


def transition(game: Game | None, command: co.Command) -> Transition:
    """The same, with the game the events lead to: `reduce(evolve, events, game)`."""
    flow = Flow(game, command.at)
    _DECIDE[type(command)](flow, command)
    if flow.game is None:
        raise TypeError("a command leads to a game")
    return Transition(tuple(flow.events), flow.game)


def roll(flow: Flow, command: co.Roll) -> None:
    guards.of_seat(flow.game, command.seat, flow.at)
    if command.select is not None:
        turns.select(flow, command.select)
    turns.roll(flow, guards.roll(flow.play), False, command.entropy)


def wild_roll(flow: Flow, command: co.WildRoll) -> None:
    guards.of_seat(flow.game, command.seat, flow.at)
    if command.select is not None:
        turns.select(flow, command.select)
    turns.roll(flow, guards.wild_roll(flow.play), True, command.entropy)


def select(flow: Flow, command: co.Select) -> None:
    guards.of_seat(flow.game, command.seat, flow.at)
    turns.select(flow, command.select)


def take_over(flow: Flow, command: co.TakeOver) -> None:
    play = guards.of_seat(flow.game, command.seat, flow.at)
    offer = guards.take_over(play)
    flow.emit(ev.TurnTakenOver(flow.at, command.seat, offer.score, dice_of(offer.held)))
    turns.roll(flow, play.setup.rules.all_dice & ~offer.held, False, command.entropy)


def bank(flow: Flow, command: co.Bank) -> None:
    play = guards.of_seat(flow.game, command.seat, flow.at)
    if command.select is not None:
        turns.select(flow, command.select)
        play = flow.play
    turns.bank(flow, guards.bank(play))


def resign(flow: Flow, command: co.Resign) -> None:
    if isinstance(flow.game, Sealing):
        sealing.resign(flow, command)
        return
    play = guards.playing(flow.game)
    seat = command.seat
    if not 0 <= seat < len(play.seats):
        raise NoSuchSeat(seats=len(play.seats))
    if not play.seats[seat].active:
        raise SeatNotActive(seat=seat)
    turn, lost, credited = play.turn, 0, 0
    to_move = turn.seat == seat
    if to_move and isinstance(turn, ToSelect):
        credited = guards.creditable(play, turn.protected)
        lost = turn.score - credited
    flow.emit(ev.SeatResigned(flow.at, seat, lost, credited, play.seats[seat].score + credited))
    left = [other for other, state in enumerate(flow.play.seats) if state.active]
    if not left:
        turns.finish(flow, "resigned", ())
    elif len(left) == 1:
        turns.finish(flow, "walkover", (left[0],))
    elif to_move:  # another seat's turn goes on, a skip ordered for its next one included
        turns.pass_on(flow)


def end(flow: Flow, command: co.End) -> None:
    if isinstance(flow.game, Unstarted):
        lobby.close(flow)
        return
    play = guards.in_time(flow.game, flow.at)
    grown = any(seat.score > seat.started_with for seat in play.seats)
    turns.finish(flow, "ended_early", turns.highest(play) if grown else ())


def count_purses(flow: Flow, command: co.CountPurses) -> None:
    """Nothing, where the table leaves purses out."""
    play = guards.playing(flow.game)
    wild = play.setup.rules.wild_rolls
    if wild is None or not wild.purse:
        return
    for seat, (state, purse) in enumerate(zip(play.seats, command.purses, strict=True)):
        if state.active and purse is not None and purse != state.purse:
            flow.emit(ev.PurseCounted(flow.at, seat, purse))


def void_game(flow: Flow, command: co.VoidGame) -> None:
    """Nobody wins, also after the end. A game that is void already stays as it is."""
    game = flow.game
    if isinstance(game, Finished):
        if game.result.reason != "voided":
            flow.emit(ev.ResultVoided(flow.at))
    elif isinstance(game, Unstarted):
        lobby.close(flow, "voided")
    else:
        guards.playing(game)
        turns.finish(flow, "voided", ())


def skip_next(flow: Flow, command: co.SkipNext) -> None:
    play = guards.in_time(flow.game, flow.at)
    if play.setup.cheats is None:
        raise CheatsAreOff()
    if not 0 <= command.seat < len(play.seats):
        raise NoSuchSeat(seats=len(play.seats))
    if not play.seats[command.seat].active:
        raise SeatNotActive(seat=command.seat)
    flow.emit(ev.SkipOrdered(flow.at, command.seat))


def advise(flow: Flow, command: co.Advise) -> None:
    """Raises: AdviceIsOff, NotYourTurn, TimeIsUp."""
    play = guards.of_seat(flow.game, command.seat, flow.at)
    if not play.setup.advice:
        raise AdviceIsOff()
    if play.seats[command.seat].advised != play.moment:
        flow.emit(ev.AdviceGiven(flow.at, command.seat))


def announce_rematch(flow: Flow, command: co.AnnounceRematch) -> None:
    if not isinstance(flow.game, Finished):
        raise NotFinished()
    flow.emit(ev.RematchCreated(flow.at, command.game_id))


_DECIDE: dict[type[co.Command], Callable[[Flow, Any], None]] = {
    co.Create: lobby.create,
    co.Join: lobby.join,
    co.Leave: lobby.leave,
    co.SetSeat: lobby.set_seat,
    co.ChangeSettings: lobby.change_settings,
    co.CommitEntropy: sealing.commit_entropy,
    co.Start: sealing.start,
    co.RevealEntropy: sealing.reveal_entropy,
    co.FailSealing: sealing.fail_sealing,
    co.Roll: roll,
    co.Select: select,
    co.Bank: bank,
    co.TakeOver: take_over,
    co.WildRoll: wild_roll,
    co.Resign: resign,
    co.End: end,
    co.CountPurses: count_purses,
    co.VoidGame: void_game,
    co.SkipNext: skip_next,
    co.AnnounceRematch: announce_rematch,
    co.TimeOut: clocks.time_out,
    co.EndOnClock: clocks.end_on_clock,
    co.ExtendClocks: clocks.extend_clocks,
    co.BotTakesSeat: clocks.bot_takes_seat,
    co.NamePolicy: clocks.name_policy,
    co.Advise: advise,
    co.Return: clocks.give_back,
    co.PassHost: clocks.pass_host,
    co.DropScript: clocks.drop_script,
}
