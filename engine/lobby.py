"""The commands before the first roll: who sits where, under which settings."""

from __future__ import annotations

from engine import commands as co
from engine import events as ev
from engine.dice import PROTOCOL
from engine.errors import (
    AlreadySeated,
    AlreadyStarted,
    CheatNeedsHuman,
    NoSuchSeat,
    SeatTaken,
    TableFull,
)
from engine.guards import in_lobby
from engine.setup import checked
from engine.state import Cheats, Place, Reason, Setup
from engine.turns import Flow
from engine.units import Millis, Seat


def create(flow: Flow, command: co.Create) -> None:
    """Opens a table; whoever the setup already seats (the host, a rematch's players) joins."""
    if flow.game is not None:
        raise AlreadyStarted()
    setup = checked(command.setup)
    first, second, *_ = setup.server_commits
    flow.emit(
        ev.GameCreated(
            at=command.at,
            game_id=setup.game_id,
            protocol=PROTOCOL,
            server_commits=(first, second),
            rules=setup.rules,
            preset=setup.preset,
            places=tuple(Place(place.kind, place.character) for place in setup.places),
            host=setup.host,
            visibility=setup.visibility,
            dice=setup.dice,
            clocks=setup.clocks,
            pass_and_play=setup.pass_and_play,
            bots=setup.bots,
            advice=setup.advice,
            cheats=setup.cheats,
            start_seat=setup.start_seat,
            rematch_of=command.rematch_of,
        )
    )
    for seat, place in enumerate(setup.places):
        if place.player_id is not None:
            flow.emit(ev.PlayerJoined(command.at, seat, place.player_id))


def join(flow: Flow, command: co.Join) -> None:
    places = in_lobby(flow.game).setup.places
    for seat, place in enumerate(places):
        if place.player_id == command.player_id:
            raise AlreadySeated(seat=seat)
    free = [s for s, place in enumerate(places) if place.kind == "human" and not place.player_id]
    if command.seat is None:
        if not free:
            raise TableFull()
        flow.emit(ev.PlayerJoined(command.at, free[0], command.player_id))
        return
    _check_seat(places, command.seat)
    if command.seat not in free:
        raise SeatTaken(seat=command.seat)
    flow.emit(ev.PlayerJoined(command.at, command.seat, command.player_id))


def leave(flow: Flow, command: co.Leave) -> None:
    """Frees the player's seats; a host's role passes on, and the last one out closes the table."""
    setup = in_lobby(flow.game).setup
    for seat, place in enumerate(setup.places):
        if place.player_id == command.player_id:
            flow.emit(ev.PlayerLeft(command.at, seat, command.player_id, False))
    if setup.host not in (command.player_id, None):
        return
    for seat, place in enumerate(in_lobby(flow.game).setup.places):
        if place.player_id is not None:
            if setup.host is not None:
                flow.emit(ev.HostChanged(command.at, seat, place.player_id))
            return
    close(flow)


def close(flow: Flow, reason: Reason = "ended_early") -> None:
    """The table ends before play has begun: nobody wins."""
    setup = flow.setup
    starts = dict(setup.cheats.head_start) if setup.cheats else {}
    rows = [(s, starts.get(s, 0)) for s, p in enumerate(setup.places) if p.kind != "closed"]
    standings = tuple(sorted(rows, key=lambda row: (-row[1], row[0])))
    flow.emit(ev.GameFinished(flow.at, reason, (), standings))


def set_seat(flow: Flow, command: co.SetSeat) -> None:
    """Whoever sits there is removed, whatever the seat becomes."""
    setup = in_lobby(flow.game).setup
    _check_seat(setup.places, command.seat)
    place = setup.places[command.seat]
    character = command.character
    if command.kind == "bot" and character is None:
        character = "cautious"
    after = place._replace(kind=command.kind, character=character, player_id=None)
    if command.kind != "human" and setup.cheats and command.seat in dict(setup.cheats.light):
        raise CheatNeedsHuman(seat=command.seat)
    _check_places(setup, command.seat, after)
    if place.player_id is not None and not setup.pass_and_play:
        flow.emit(ev.PlayerLeft(command.at, command.seat, place.player_id, True))
    if (place.kind, place.character) != (command.kind, character):
        flow.emit(ev.SeatChanged(command.at, command.seat, command.kind, character))
    if command.kind == "closed" and setup.cheats is not None:
        kept = _without(setup.cheats, command.seat)
        if kept != setup.cheats:
            flow.emit(_settings(command.at, setup._replace(cheats=kept)))


def change_settings(flow: Flow, command: co.ChangeSettings) -> None:
    setup = in_lobby(flow.game).setup
    fields = command._asdict()
    fields.pop("at")
    after = checked(setup._replace(**fields))
    if after == setup:
        return
    flow.emit(_settings(command.at, after))


def _settings(at: Millis, setup: Setup) -> ev.SettingsChanged:
    return ev.SettingsChanged(
        at,
        setup.rules,
        setup.preset,
        setup.visibility,
        setup.dice,
        setup.clocks,
        setup.bots,
        setup.advice,
        setup.cheats,
    )


def _without(cheats: Cheats, seat: Seat) -> Cheats:
    """The cheats once a seat is closed: nothing is set for nobody."""
    return Cheats(
        tuple(s for s in cheats.loaded if s != seat),
        tuple(pair for pair in cheats.light if pair[0] != seat),
        tuple(pair for pair in cheats.head_start if pair[0] != seat),
        tuple(s for s in cheats.skip_next if s != seat),
        tuple(s for s in cheats.always_score if s != seat),
    )


def _check_seat(places: tuple[Place, ...], seat: Seat) -> None:
    if not 0 <= seat < len(places):
        raise NoSuchSeat(seats=len(places))


def _check_places(setup: Setup, seat: Seat, place: Place) -> None:
    """Raises: MalformedSettings, when the table would have too many or too few open seats."""
    places = (*setup.places[:seat], place, *setup.places[seat + 1 :])
    checked(setup._replace(places=places, cheats=None))
