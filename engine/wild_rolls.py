"""What events about Wild Rolls lead to, the game's own and the players'. Nothing here refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.state import Game, Playing, SeatState
from engine.units import Seat


def wild_roll_earned(game: Playing, event: ev.WildRollEarned) -> Playing:
    seat = game.seats[event.seat]._replace(wild_rolls=event.wild_rolls)
    return game._replace(seats=with_seat(game.seats, event.seat, seat))


def purse_counted(game: Playing, event: ev.PurseCounted) -> Playing:
    seat = game.seats[event.seat]._replace(purse=event.purse)
    return game._replace(seats=with_seat(game.seats, event.seat, seat))


def purse_spent(game: Playing, event: ev.PurseSpent) -> Playing:
    """In pass-and-play several seats share one purse."""
    places = game.setup.places
    player = places[event.seat].player_id
    seats = tuple(
        seat._replace(purse=event.purse)
        if player is not None and place.player_id == player
        else seat
        for seat, place in zip(game.seats, places, strict=True)
    )
    spender = seats[event.seat]
    spender = spender._replace(purse=event.purse, from_purse=spender.from_purse + 1)
    return game._replace(seats=with_seat(seats, event.seat, spender))


def with_seat(seats: tuple[SeatState, ...], at: Seat, seat: SeatState) -> tuple[SeatState, ...]:
    return (*seats[:at], seat, *seats[at + 1 :])


WILD_ROLLS: dict[type[ev.Event], Callable[[Any, Any], Game]] = {
    ev.WildRollEarned: wild_roll_earned,
    ev.PurseCounted: purse_counted,
    ev.PurseSpent: purse_spent,
}
