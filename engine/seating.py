"""
Who sits where and who comes next; and what the lobby's events lead to. Nothing here refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine import events as ev
from engine.state import Character, Game, Lobby, Place, SeatState, Setup
from engine.units import Seat


def next_seat(seats: tuple[SeatState, ...], after: Seat) -> Seat:
    """The next active seat in turn order; the same one when it is the only one."""
    count = len(seats)
    for step in range(1, count + 1):
        seat = (after + step) % count
        if seats[seat].active:
            return seat
    return after


def first_seat(setup: Setup, resigned: tuple[Seat, ...] = ()) -> Seat:
    """Who begins: the first open seat from the start seat on that was not given up since."""
    count = len(setup.places)
    return next(
        seat % count
        for seat in range(setup.start_seat, setup.start_seat + count)
        if setup.places[seat % count].kind != "closed" and seat % count not in resigned
    )


def others_after(seats: tuple[SeatState, ...], seat: Seat) -> tuple[Seat, ...]:
    """Every other active seat, in turn order."""
    count = len(seats)
    order = ((seat + step) % count for step in range(1, count))
    return tuple(other for other in order if seats[other].active)


def opening_seats(
    setup: Setup, policies: Mapping[Character, int] = MappingProxyType({})
) -> tuple[SeatState, ...]:
    """The seats as play begins; `policies`: versions of the bots' characters, as logged."""
    wild = setup.rules.wild_rolls
    cheats = setup.cheats
    starts = dict(cheats.head_start) if cheats else {}
    skips = cheats.skip_next if cheats else ()
    return tuple(
        SeatState(
            starts.get(seat, 0),
            False,
            wild.allotment if wild and place.kind != "closed" else 0,
            place.kind != "closed",
            seat in skips and place.kind != "closed",
            starts.get(seat, 0),
            policy=policies.get(place.character, 0) if place.character else 0,
        )
        for seat, place in enumerate(setup.places)
    )


def game_created(game: None, event: ev.GameCreated) -> Lobby:
    return Lobby(
        Setup(
            game_id=event.game_id,
            rules=event.rules,
            preset=event.preset,
            places=event.places,
            host=event.host,
            visibility=event.visibility,
            dice=event.dice,
            clocks=event.clocks,
            pass_and_play=event.pass_and_play,
            bots=event.bots,
            advice=event.advice,
            cheats=event.cheats,
            start_seat=event.start_seat,
            server_commits=tuple(event.server_commits),
        )
    )


def settings_changed(game: Lobby, event: ev.SettingsChanged) -> Lobby:
    return _set(
        game,
        rules=event.rules,
        preset=event.preset,
        visibility=event.visibility,
        dice=event.dice,
        clocks=event.clocks,
        bots=event.bots,
        advice=event.advice,
        cheats=event.cheats,
    )


def player_joined(game: Lobby, event: ev.PlayerJoined) -> Lobby:
    place = game.setup.places[event.seat]
    return _place(game, event.seat, place._replace(player_id=event.player_id))


def player_left(game: Lobby, event: ev.PlayerLeft) -> Lobby:
    place = game.setup.places[event.seat]._replace(player_id=None)
    return _place(_uncommitted(game, event.seat), event.seat, place)


def seat_changed(game: Lobby, event: ev.SeatChanged) -> Lobby:
    """Who sat there has left before, but in pass-and-play, where the host holds human seats."""
    holder = game.setup.host if game.setup.pass_and_play and event.kind == "human" else None
    place = Place(event.kind, event.character, holder)
    return _place(_uncommitted(game, event.seat), event.seat, place)


def _uncommitted(game: Lobby, seat: Seat) -> Lobby:
    """Whoever sits down here next contributes anew."""
    if not game.commits:
        return game
    return game._replace(commits=tuple(each for each in game.commits if each[0] != seat))


def _set(game: Lobby, **changes: Any) -> Lobby:
    return game._replace(setup=game.setup._replace(**changes))


def _place(game: Lobby, seat: Seat, place: Place) -> Lobby:
    places = game.setup.places
    return _set(game, places=(*places[:seat], place, *places[seat + 1 :]))


LOBBY: dict[type[ev.Event], Callable[[Any, Any], Game]] = {
    ev.SettingsChanged: settings_changed,
    ev.PlayerJoined: player_joined,
    ev.PlayerLeft: player_left,
    ev.SeatChanged: seat_changed,
}
