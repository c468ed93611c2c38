"""
What follows from an event. Nothing here refuses.

Replay needs nothing else: no dice, no clock, no preset file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from engine import contributing
from engine import events as ev
from engine.ended import ENDED, game_finished
from engine.errors import BrokenHistory
from engine.guards import jester
from engine.scoring import scoring_of
from engine.seating import LOBBY, game_created, next_seat
from engine.state import (
    FinalRound,
    Finished,
    Game,
    Lobby,
    Offer,
    Playing,
    Sealing,
    SeatState,
    ToRoll,
    ToSelect,
)
from engine.units import Millis, Seat, dice_of, mask_of
from engine.wild_rolls import WILD_ROLLS, with_seat


def evolve(game: Game | None, event: ev.Event) -> Game:
    """
    The game after an event; `game` is None before the first.

    Raises: BrokenHistory, when the event cannot follow.
    """
    follows, step = _EVOLVE.get(type(event), ((), _unknown))
    if not isinstance(game, follows):
        raise BrokenHistory(f"{type(event).__name__} cannot follow here")
    try:
        return step(game, event)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as wrong:
        raise BrokenHistory(f"{type(event).__name__} does not fit the game") from wrong


def _unknown(game: Game | None, event: object) -> Game:
    raise BrokenHistory("no event that is known")


def replay(events: Iterable[ev.Event]) -> Game:
    """
    The game a log leads to.

    Raises: BrokenHistory, also for an empty log.
    """
    game = reduce(evolve, events, _nothing())
    if game is None:
        raise BrokenHistory("a log begins with game_created")
    return game


def _nothing() -> Game | None:
    return None


def dice_rolled(game: Playing, event: ev.DiceRolled) -> Playing:
    """Locks the selection, or clears all dice when they are hot; lays the new dice."""
    turn, rules = game.turn, game.setup.rules
    rolled = mask_of(event.positions)
    seats = game.seats
    if event.wild:
        rolled |= jester(game)
        seat = seats[event.seat]
        if seat.wild_rolls:  # else it was paid from the purse, by the event before
            seats = with_seat(seats, event.seat, seat._replace(wild_rolls=seat.wild_rolls - 1))
    seats, touched_at = _touched(game, seats, event.seat, event.at)
    if isinstance(turn, ToRoll):
        locked, carried, banked, protected = 0, 0, 0, 0
        sets: tuple[tuple[int, int], ...] = ()
        faces = [0] * rules.dice
    else:
        locked = turn.locked | turn.selected
        carried = turn.carried
        banked, protected = turn.banked + turn.points, turn.protected
        faces = list(turn.faces)
        if turn.wild_face:
            faces[-1] = turn.wild_face
        sets = turn.sets
        if locked == rules.all_dice:
            locked, sets = 0, ()
        elif rules.set_upgrade and turn.selected:
            sets = _sets_after(game, turn)
    for position, face in zip(event.positions, event.dice, strict=True):
        faces[position] = face
    if event.wild:
        faces[-1] = 0
    return Playing(
        game.setup,
        seats,
        ToSelect(
            event.seat,
            turn.began_at,
            tuple(faces),
            locked,
            rolled,
            event.wild,
            0,
            0,
            0,
            0,
            carried,
            banked,
            protected,
            sets,
        ),
        None,
        game.final_round,
        game.reached,
        game.rolls + 1,
        game.script[1:] if event.scripted else game.script,
        game.epoch,
        game.seal,
        game.started_at,
        game.credits,
        game.turn_credits,
        game.gap,
        touched_at,
        game.mixed,
    )


def _sets_after(game: Playing, turn: ToSelect) -> tuple[tuple[int, int], ...]:
    scoring = scoring_of(game.setup.rules)
    choice = scoring.choice(
        dice_of(turn.selected), turn.selected, turn.faces, turn.rolled, turn.wild_face, turn.sets
    )
    return scoring.sets_after(turn.sets, choice) if choice else turn.sets


def dice_selected(game: Playing, event: ev.DiceSelected) -> Playing:
    turn = _after_roll(game)
    seats, touched_at = _touched(game, game.seats, event.seat, event.at)
    return Playing(
        game.setup,
        seats,
        ToSelect(
            turn.seat,
            turn.began_at,
            turn.faces,
            turn.locked,
            turn.rolled,
            turn.wild,
            mask_of(event.dice),
            event.wild_face or 0,
            event.points,
            event.protected,
            turn.carried,
            turn.banked,
            turn.banked_protected,
            turn.sets,
        ),
        game.offer,
        game.final_round,
        game.reached,
        game.rolls,
        game.script,
        game.epoch,
        game.seal,
        game.started_at,
        game.credits,
        game.turn_credits,
        game.gap,
        touched_at,
        game.mixed,
    )


def _after_roll(game: Playing) -> ToSelect:
    if isinstance(game.turn, ToSelect):
        return game.turn
    raise BrokenHistory("no dice have been rolled in this turn")


def hot_dice(game: Playing, event: ev.HotDice) -> Playing:
    """A note for readers: the roll that follows clears the dice."""
    return game


def turn_taken_over(game: Playing, event: ev.TurnTakenOver) -> Playing:
    """The taker's turn before its roll: the banker's dice locked, its points carried."""
    offer = game.offer
    faces = offer.faces if offer else (0,) * game.setup.rules.dice
    held = mask_of(event.held)
    turn = ToSelect(
        event.seat, game.turn.began_at, faces, held, 0, False, 0, 0, 0, 0, event.score, 0, 0, ()
    )
    return game._replace(turn=turn, offer=None)


def turn_banked(game: Playing, event: ev.TurnBanked) -> Playing:
    seat, rules = game.seats[event.seat], game.setup.rules
    turn, offer = _after_roll(game), None
    after = next_seat(game.seats, event.seat)
    if rules.take_over and after != event.seat:
        held = mask_of(event.held)
        faces = turn.faces
        if event.wild_face:
            faces = (*faces[:-1], event.wild_face)
        offer = Offer(after, event.score, 0 if held == rules.all_dice else held, faces)
    ended = _credited(game, event.seat, seat._replace(score=event.total, on_board=True))
    if not seat.missed:  # by the player, not by the clock
        ended = ended._replace(touched_at=_touched(game, game.seats, event.seat, event.at)[1])
    return _end_turn(ended, event.seat, event.at, offer)


def turn_lost(game: Playing, event: ev.TurnBusted | ev.TurnOvershot | ev.TurnLapsed) -> Playing:
    seat, opening = game.seats[event.seat], game.setup.rules.opening
    opens = 0 < event.credited >= opening
    after = seat._replace(score=event.total, on_board=seat.on_board or opens)
    return _end_turn(_credited(game, event.seat, after), event.seat, event.at)


def turn_skipped(game: Playing, event: ev.TurnSkipped) -> Playing:
    seat = game.seats[event.seat]._replace(skip=False)
    skipped = game._replace(seats=with_seat(game.seats, event.seat, seat))
    return _end_turn(skipped, event.seat, event.at)


def skip_ordered(game: Playing, event: ev.SkipOrdered) -> Playing:
    seat = game.seats[event.seat]._replace(skip=True)
    return game._replace(seats=with_seat(game.seats, event.seat, seat), touched_at=event.at)


def turn_timed_out(game: Playing, event: ev.TurnTimedOut) -> Playing:
    seat = game.seats[event.seat]
    missed = seat._replace(missed=seat.missed + 1)
    return game._replace(seats=with_seat(game.seats, event.seat, missed))


def clock_extended(game: Sealing | Playing, event: ev.ClockExtended) -> Game:
    if isinstance(game, Sealing):
        return contributing.clock_extended(game, event)
    of_turn = max(0, event.ended - max(event.began, game.turn.began_at))
    return game._replace(
        credits=game.credits + event.by_ms,
        turn_credits=game.turn_credits + of_turn,
        gap=event.gap,
        touched_at=game.touched_at + event.by_ms,
    )


def bot_took_seat(game: Playing, event: ev.BotTookSeat) -> Playing:
    seat = game.seats[event.seat]._replace(stand_in=event.character, policy=0)
    return game._replace(seats=with_seat(game.seats, event.seat, seat))


def policy_named(game: Playing, event: ev.PolicyNamed) -> Playing:
    seat = game.seats[event.seat]._replace(policy=event.policy)
    return game._replace(seats=with_seat(game.seats, event.seat, seat))


def advice_given(game: Playing, event: ev.AdviceGiven) -> Playing:
    seats, touched_at = _touched(game, game.seats, event.seat, event.at)
    seat = seats[event.seat]._replace(advised=game.moment)
    return game._replace(seats=with_seat(seats, event.seat, seat), touched_at=touched_at)


def player_returned(game: Playing, event: ev.PlayerReturned) -> Playing:
    seat = game.seats[event.seat]._replace(stand_in=None, missed=0)
    return game._replace(seats=with_seat(game.seats, event.seat, seat), touched_at=event.at)


def script_dropped(game: Playing, event: ev.ScriptDropped) -> Playing:
    return game._replace(script=())


def host_changed(game: Lobby | Playing, event: ev.HostChanged) -> Lobby | Playing:
    return game._replace(setup=game.setup._replace(host=event.player_id))


def final_round_opened(game: Playing, event: ev.FinalRoundOpened) -> Playing:
    return game._replace(final_round=FinalRound(event.seat, event.waiting))


def seat_resigned(game: Sealing | Playing, event: ev.SeatResigned) -> Game:
    if isinstance(game, Sealing):
        return contributing.seat_resigned(game, event)
    before = game.seats[event.seat]
    seat = before._replace(
        score=event.total,
        active=False,
        improved=before.improved if event.total == before.score else game.rolls,
    )
    resigned = game._replace(seats=with_seat(game.seats, event.seat, seat), touched_at=event.at)
    if event.seat == game.turn.seat:
        return _end_turn(resigned, event.seat, event.at)
    return resigned._replace(final_round=_without(game.final_round, event.seat))


def _touched(
    game: Playing, seats: tuple[SeatState, ...], at: Seat, when: Millis
) -> tuple[tuple[SeatState, ...], Millis]:
    """A player did something: no turn of this seat is missed. Bots touch nothing."""
    seat = seats[at]
    if seat.stand_in is not None or game.setup.places[at].kind != "human":
        return seats, game.touched_at
    return (with_seat(seats, at, seat._replace(missed=0)) if seat.missed else seats), when


def _credited(game: Playing, at: Seat, seat: SeatState) -> Playing:
    """The seat's new total, and its place among those that reached the target."""
    reached = game.reached
    if seat.score != game.seats[at].score:
        seat = seat._replace(improved=game.rolls)
    if at not in reached and game.setup.rules.reaches(seat.score):
        reached = (*reached, at)
    return game._replace(seats=with_seat(game.seats, at, seat), reached=reached)


def _end_turn(game: Playing, seat: Seat, at: Millis, offer: Offer | None = None) -> Playing:
    after = next_seat(game.seats, seat)
    return game._replace(
        turn=ToRoll(after, at),
        offer=offer,
        final_round=_without(game.final_round, seat),
        turn_credits=0,
    )


def _without(final: FinalRound | None, seat: Seat) -> FinalRound | None:
    """The final round once this seat's last turn is over."""
    if final is None or seat not in final.waiting:
        return final
    return FinalRound(final.opened_by, tuple(s for s in final.waiting if s != seat))


_Step = Callable[[Any, Any], Game]
_IN_PLAY: dict[type[ev.Event], _Step] = {
    **WILD_ROLLS,
    ev.DiceRolled: dice_rolled,
    ev.DiceSelected: dice_selected,
    ev.HotDice: hot_dice,
    ev.TurnTakenOver: turn_taken_over,
    ev.TurnBanked: turn_banked,
    ev.TurnBusted: turn_lost,
    ev.TurnOvershot: turn_lost,
    ev.TurnSkipped: turn_skipped,
    ev.TurnTimedOut: turn_timed_out,
    ev.TurnLapsed: turn_lost,
    ev.BotTookSeat: bot_took_seat,
    ev.PolicyNamed: policy_named,
    ev.AdviceGiven: advice_given,
    ev.PlayerReturned: player_returned,
    ev.ScriptDropped: script_dropped,
    ev.SkipOrdered: skip_ordered,
    ev.FinalRoundOpened: final_round_opened,
}
_EVOLVE: dict[type[ev.Event], tuple[type | tuple[type, ...], _Step]] = {
    ev.GameCreated: (type(None), game_created),
    **{kind: (Lobby, step) for kind, step in LOBBY.items()},
    ev.EntropyCommitted: (Lobby, contributing.entropy_committed),
    ev.EntropyClosed: (Lobby, contributing.entropy_closed),
    **{kind: (Sealing, step) for kind, step in contributing.SEALING.items()},
    **{kind: (Playing, step) for kind, step in _IN_PLAY.items()},
    ev.ClockExtended: ((Sealing, Playing), clock_extended),
    ev.SeatResigned: ((Sealing, Playing), seat_resigned),
    ev.HostChanged: ((Lobby, Playing), host_changed),
    ev.GameFinished: ((Lobby, Sealing, Playing), game_finished),
    **{kind: (Finished, step) for kind, step in ENDED.items()},
}
"""Each event with the phases it may follow in."""
