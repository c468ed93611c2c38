"""
Which command an event began with, so that the rules can be asked what follows from it.

A log holds what happened, not what was asked for; but of all commands that the rules would take,
the first event tells the only one it could come from. Here stands also what the service settles
before a command gets to the rules, as far as a log shows it: whose purse, which bot, what host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from app.verifying.report import Fault
from engine import commands as co
from engine import events as ev
from engine.commands import Command, Entropy
from engine.deadlines import is_players
from engine.dice import Fair, Seeded
from engine.state import Finished, Game, Lobby, Place, Playing, Setup
from engine.units import Face

_BEFORE_ROLLS = (ev.WildRollEarned, ev.HotDice, ev.PurseSpent)
_ROLLS = (ev.WildRollEarned, ev.HotDice, ev.PurseSpent, ev.DiceRolled)
_FALLS = (ev.DiceRolled, ev.TurnBanked, ev.TurnOvershot)
MISSED_TURNS = 2
"""So many in a row, and a bot may take the seat, where there is a turn clock. docs/rules.md."""
_MIDST = "the log ends in the middle of a command"


class Moment(NamedTuple):
    """The game before a command, and the log from its first event on."""

    game: Game | None
    ahead: Sequence[ev.Event]
    seeds: tuple[bytes, ...] | None
    """The server's, by number of the attempt; None: not revealed."""

    def first(self, *kinds: type[ev.Event]) -> Any:
        """The event of these kinds that the command comes to, whose first events stand here."""
        taken_over = isinstance(self.ahead[0], ev.TurnTakenOver)
        for index in range(int(taken_over), len(self.ahead)):
            event = self.ahead[index]
            if isinstance(event, kinds):
                return event
            if taken_over or not isinstance(event, _BEFORE_ROLLS):
                raise Fault(f"{ev.EVENT_NAMES[type(event)]} cannot stand here")
        raise Fault(_MIDST, incomplete=True)


def command_of(moment: Moment) -> Command:
    """Raises: Fault, where no command can begin with such an event."""
    event = moment.ahead[0]
    asks = _ASKS.get(type(event))
    if asks is None:
        raise Fault(f"{ev.EVENT_NAMES[type(event)]} cannot stand here")
    return asks(moment, event)


class Told:
    """
    Faces as the log tells them, for a game whose secrets are not revealed; an `Entropy`.

    The log is asked when the dice fall: before that, the rules may refuse the roll.
    """

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def faces(self, roll: int, count: int) -> tuple[Face, ...]:
        event: ev.DiceRolled = self._moment.first(ev.DiceRolled)
        told = event.dice if event.fair is None else event.fair
        if len(told) != count or not all(1 <= face <= 6 for face in told):
            raise Fault("dice_rolled has not the dice that were rolled")
        return told


def entropy(moment: Moment) -> Entropy:
    """Where the dice of the next roll come from."""
    game = moment.game
    if game is not None and game.setup.dice.kind == "seeded":
        return Seeded(game.setup.dice.seed)
    if moment.seeds is None or not isinstance(game, Playing):
        return Told(moment)
    seal = bytes.fromhex(game.seal)
    return Fair(moment.seeds[game.epoch], game.setup.game_id, game.epoch, seal)


def _created(moment: Moment, event: ev.GameCreated) -> Command:
    if moment.game is not None:
        raise Fault("game_created cannot stand here")
    if event.start_seat not in range(len(event.places)):
        raise Fault("start_seat is no seat")
    holder = event.host if event.pass_and_play else None
    places = tuple(
        Place(place.kind, place.character, holder if place.kind == "human" else None)
        for place in event.places
    )
    fields = {name: getattr(event, name) for name in Setup._fields if name != "places"}
    return co.Create(event.at, Setup(places=places, **fields), event.rematch_of)


def _settings(moment: Moment, event: ev.SettingsChanged) -> Command:
    return co.ChangeSettings(*event)


def _joined(moment: Moment, event: ev.PlayerJoined) -> Command:
    return co.Join(event.at, event.player_id, event.seat)


def _left(moment: Moment, event: ev.PlayerLeft) -> Command:
    if not event.kicked:
        return co.Leave(event.at, event.player_id)
    after = moment.ahead[1] if len(moment.ahead) > 1 else None
    if isinstance(after, ev.SeatChanged) and (after.seat, after.at) == (event.seat, event.at):
        return co.SetSeat(event.at, event.seat, after.kind, after.character)
    if not isinstance(moment.game, Lobby) or event.seat not in range(len(_setup(moment).places)):
        raise Fault("player_left cannot stand here")
    place = moment.game.setup.places[event.seat]
    return co.SetSeat(event.at, event.seat, place.kind, place.character)


def _seat_changed(moment: Moment, event: ev.SeatChanged) -> Command:
    return co.SetSeat(event.at, event.seat, event.kind, event.character)


def _host_changed(moment: Moment, event: ev.HostChanged) -> Command:
    if _setup(moment).host is None:
        raise Fault("the table has no host")
    return co.PassHost(event.at, event.seat)


def _committed(moment: Moment, event: ev.EntropyCommitted) -> Command:
    return co.CommitEntropy(event.at, event.seat, event.commit)


def _closed(moment: Moment, event: ev.EntropyClosed) -> Command:
    openly = not event.commits and event.epoch > 0
    return co.Start(event.at, event.server_commit, _reveal_ms(event), openly)


def _reveal_ms(event: ev.EntropyClosed) -> int:
    if not event.commits:
        return 0
    if event.reveal_by is None or event.reveal_by <= event.at:
        raise Fault("reveal_by leaves no time to reveal")
    return event.reveal_by - event.at


def _revealed(moment: Moment, event: ev.EntropyRevealed) -> Command:
    return co.RevealEntropy(event.at, event.seat, event.seed, event.next_commit)


def _failed(moment: Moment, event: ev.EntropyFailed) -> Command:
    after = moment.ahead[1] if len(moment.ahead) > 1 else None
    if isinstance(after, ev.EntropyClosed):
        return co.FailSealing(event.at, after.server_commit, _reveal_ms(after))
    return co.FailSealing(event.at, "")


def _rolled(moment: Moment, event: ev.Event) -> Command:
    _playing(moment, event)
    falls = moment.first(*_FALLS)
    if isinstance(falls, ev.DiceRolled):
        kind = co.WildRoll if falls.wild else co.Roll
        return kind(event.at, falls.seat, entropy(moment))
    if not isinstance(event, ev.WildRollEarned):
        raise Fault(f"{ev.EVENT_NAMES[type(event)]} cannot stand here")
    return co.Bank(event.at, falls.seat)


def _taken_over(moment: Moment, event: ev.TurnTakenOver) -> Command:
    _playing(moment, event)
    return co.TakeOver(event.at, event.seat, entropy(moment))


def _selected(moment: Moment, event: ev.DiceSelected) -> Command:
    return co.Select(event.at, event.seat, co.Selection(event.dice, event.wild_face))


def _banked(moment: Moment, event: ev.TurnBanked | ev.TurnOvershot) -> Command:
    return co.Bank(event.at, event.seat)


def _timed_out(moment: Moment, event: ev.TurnTimedOut) -> Command:
    return co.TimeOut(event.at)


def _resigned(moment: Moment, event: ev.SeatResigned) -> Command:
    return co.Resign(event.at, event.seat)


def _extended(moment: Moment, event: ev.ClockExtended) -> Command:
    return co.ExtendClocks(event.at, event.gap, event.began, event.ended)


def _bot_took(moment: Moment, event: ev.BotTookSeat) -> Command:
    play = _playing(moment, event)
    clocks = play.setup.clocks
    timed = clocks is not None and clocks.turn_s is not None
    if timed and _seat(play, event.seat).missed < MISSED_TURNS:
        raise Fault("the player has not missed two turns in a row")
    return co.BotTakesSeat(event.at, event.seat, event.character)


def _policy_named(moment: Moment, event: ev.PolicyNamed) -> Command:
    play = _playing(moment, event)
    stand_in = _seat(play, event.seat).stand_in
    if event.character != (play.setup.places[event.seat].character or stand_in):
        raise Fault(f"no such bot plays seat {event.seat}")
    if event.policy < 1:
        raise Fault("policies are counted from 1")
    return co.NamePolicy(event.at, event.seat, event.character, event.policy)


def _advice(moment: Moment, event: ev.AdviceGiven) -> Command:
    return co.Advise(event.at, event.seat)


def _returned(moment: Moment, event: ev.PlayerReturned) -> Command:
    return co.Return(event.at, event.seat)


def _script_dropped(moment: Moment, event: ev.ScriptDropped) -> Command:
    play = _playing(moment, event)
    if is_players(play, play.turn.seat):
        raise Fault("only for a bot a script is dropped")
    return co.DropScript(event.at)


def _purse(moment: Moment, event: ev.PurseCounted) -> Command:
    play = _playing(moment, event)
    _seat(play, event.seat)
    if play.setup.places[event.seat].player_id is None or event.purse < 0:
        raise Fault("that seat has no purse")
    purses = tuple(event.purse if seat == event.seat else None for seat in range(len(play.seats)))
    return co.CountPurses(event.at, purses)


def _skip(moment: Moment, event: ev.SkipOrdered) -> Command:
    return co.SkipNext(event.at, event.seat)


def _finished(moment: Moment, event: ev.GameFinished) -> Command:
    if event.reason == "game_clock":
        return co.EndOnClock(event.at)
    if event.reason == "ended_early":
        return co.End(event.at)
    if event.reason == "voided" and not isinstance(moment.game, Finished):
        return co.VoidGame(event.at)
    raise Fault(f"the game cannot end here by {event.reason}")


def _voided(moment: Moment, event: ev.ResultVoided) -> Command:
    return co.VoidGame(event.at)


def _rematch(moment: Moment, event: ev.RematchCreated) -> Command:
    if isinstance(moment.game, Finished) and moment.game.rematch is not None:
        raise Fault("there is a rematch already")
    return co.AnnounceRematch(event.at, event.game_id)


def _setup(moment: Moment) -> Setup:
    if moment.game is None:
        raise Fault("a log begins with game_created")
    return moment.game.setup


def _playing(moment: Moment, event: ev.Event) -> Playing:
    if isinstance(moment.game, Playing):
        return moment.game
    raise Fault(f"{ev.EVENT_NAMES[type(event)]} cannot stand here")


def _seat(play: Playing, seat: int) -> Any:
    if seat not in range(len(play.seats)):
        raise Fault(f"there is no seat {seat}")
    return play.seats[seat]


_ASKS: dict[type[ev.Event], Callable[[Moment, Any], Command]] = {
    ev.GameCreated: _created,
    ev.SettingsChanged: _settings,
    ev.PlayerJoined: _joined,
    ev.PlayerLeft: _left,
    ev.SeatChanged: _seat_changed,
    ev.HostChanged: _host_changed,
    ev.EntropyCommitted: _committed,
    ev.EntropyClosed: _closed,
    ev.EntropyRevealed: _revealed,
    ev.EntropyFailed: _failed,
    **dict.fromkeys(_ROLLS, _rolled),
    ev.TurnTakenOver: _taken_over,
    ev.DiceSelected: _selected,
    ev.TurnBanked: _banked,
    ev.TurnOvershot: _banked,
    ev.TurnTimedOut: _timed_out,
    ev.SeatResigned: _resigned,
    ev.ClockExtended: _extended,
    ev.BotTookSeat: _bot_took,
    ev.PolicyNamed: _policy_named,
    ev.AdviceGiven: _advice,
    ev.PlayerReturned: _returned,
    ev.ScriptDropped: _script_dropped,
    ev.PurseCounted: _purse,
    ev.SkipOrdered: _skip,
    ev.GameFinished: _finished,
    ev.ResultVoided: _voided,
    ev.RematchCreated: _rematch,
}
"""Events that are not here never begin anything: they follow from others."""
