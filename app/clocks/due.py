"""
What falls due next at a game, and when: a pure function of its head.

A time that has passed already means: now.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Literal, NamedTuple

from app.matching import is_waiting
from app.ports import Head
from app.service.members import seats_of
from engine.deadlines import GRACE_MS, game_deadline, is_players, turn_deadline
from engine.state import Lobby, Playing, Sealing, SeatState, Setup
from engine.units import Millis, Seat

What = Literal[
    "game",
    "turn",
    "too_long",
    "host_left",
    "host_away",
    "absent",
    "abandoned",
    "lobby",
    "reveal",
    "fill",
    "bot",
]

TAKES_OVER_MS = 3_000
"""A bot's move falls due so much later than the bot makes it: only when the process that should
have made it is gone."""
MISSED = 2
"""Turns in a row after which a bot may take the seat."""


class Waits(NamedTuple):
    """How long tables wait, in milliseconds."""

    lobby: Millis
    """For a start, from the creation on."""
    host: Millis
    """For an absent host, from the last event in the lobby on."""
    absent: Millis
    """For a seat's player, where no turn clock runs and bots may take seats."""
    abandoned: Millis
    """For anybody, from the last thing a player did."""
    most_events: int
    """A longer game ends."""


class Due(NamedTuple):
    at: Millis
    what: What


_at = attrgetter("at")


def due(head: Head, waits: Waits) -> Due | None:
    """What falls due first; None: nothing any more."""
    return min(all_due(head, waits), key=_at, default=None)


def due_at(head: Head, waits: Waits) -> Millis | None:
    """When something falls due; None: never again."""
    found = all_due(head, waits)
    return min(found, key=_at).at if found else None


def all_due(head: Head, waits: Waits) -> list[Due]:
    """Everything that falls due; of what is due at once, the first comes first."""
    game = head.game
    if isinstance(game, Playing):
        return _in_play(head, game, waits)
    found: list[Due] = []
    if isinstance(game, Sealing):
        if game.reveal_by is not None:
            found.append(Due(game.reveal_by + GRACE_MS + 1, "reveal"))
    elif isinstance(game, Lobby):
        found.append(Due(head.created_at + waits.lobby, "lobby"))
        fill_after_s = game.setup.bots.fill_after_s
        if fill_after_s is not None and is_waiting(game):
            found.append(Due(head.created_at + 1000 * fill_after_s, "fill"))
        if heirs(game):
            found.append(Due(head.updated_at + waits.host, "host_away"))
    return found


def _in_play(head: Head, play: Playing, waits: Waits) -> list[Due]:
    found: list[Due] = []
    clocks, turn_ends_at = play.setup.clocks, None
    if clocks is not None:
        ends_at, turn_ends_at = game_deadline(play), turn_deadline(play)
        if ends_at is not None:
            found.append(Due(ends_at + GRACE_MS + 1, "game"))
        if turn_ends_at is not None:
            found.append(Due(turn_ends_at + GRACE_MS + 1, "turn"))
    if head.version >= waits.most_events:
        found.append(Due(head.updated_at, "too_long"))
    places, players, left = play.setup.places, list[SeatState](), False
    for place, seat in zip(places, play.seats, strict=True):
        if not seat.active:
            left = True
        elif place.kind == "human" and seat.stand_in is None:
            players.append(seat)
    if left and _has_left(play, play.setup.host) and heirs(play):
        found.append(Due(head.updated_at, "host_left"))
    mover = play.turn.seat
    if not is_players(play, mover):
        found.append(Due(head.updated_at + play.setup.bots.pace_ms + TAKES_OVER_MS, "bot"))
    elif turn_ends_at is None and play.setup.bots.take_absent_seats:
        found.append(Due(max(play.touched_at, play.turn.began_at) + waits.absent, "absent"))
    timed = clocks is not None and clocks.turn_s is not None
    if players and (not timed or all(seat.missed for seat in players)):
        found.append(Due(play.touched_at + waits.abandoned, "abandoned"))
    return found


def _has_left(play: Playing, player_id: str | None) -> bool:
    """Whether a player sat here and plays no longer."""
    if player_id is None:
        return False
    held = seats_of(play.setup, player_id)
    return bool(held) and not any(play.seats[seat].active for seat in held)


def heirs(game: Lobby | Playing) -> tuple[Seat, ...]:
    """Seats whose players could be the host instead; none where there shall be none."""
    setup: Setup = game.setup
    if setup.host is None:
        return ()
    return tuple(
        seat
        for seat, place in enumerate(setup.places)
        if place.kind == "human"
        and place.player_id not in (None, setup.host)
        and (isinstance(game, Lobby) or (game.seats[seat].active and is_players(game, seat)))
    )
