"""Who is who at a table: members, hosts, holders of seats. Nothing here asks the rules."""

from __future__ import annotations

from app.errors import GameNotFound, NotHost, NotSeated, NotYourSeat, SeatNeeded
from app.ports import Head, Player
from engine.state import Game, Place, Playing, Sealing, Setup
from engine.units import Seat

Names = tuple[str | None, ...]
"""By seat; None where nobody sits."""


def is_member(setup: Setup, player_id: str | None) -> bool:
    """Whether this player may see a private table, and the join code."""
    if player_id is None:
        return False
    return player_id == setup.host or bool(seats_of(setup, player_id))


def seats_of(setup: Setup, player_id: str) -> tuple[Seat, ...]:
    """The seats this player holds, resigned ones included."""
    # A list in between: a generator takes twice as long, and this is asked with each command.
    return tuple([s for s, place in enumerate(setup.places) if place.player_id == player_id])


def readable(head: Head | None, player_id: str | None) -> Head:
    """
    The game, for one who may read it.

    Raises: GameNotFound, the same for games that are not there and games that are not shown.
    """
    if head is None:
        raise GameNotFound
    setup = head.game.setup
    if setup.visibility == "private" and not is_member(setup, player_id):
        raise GameNotFound
    return head


def hosted(head: Head | None, player_id: str) -> Head:
    """The game, for its host. Raises: GameNotFound, NotHost."""
    found = readable(head, player_id)
    if found.game.setup.host != player_id:
        raise NotHost
    return found


def seated(head: Head | None, player_id: str) -> tuple[Head, tuple[Seat, ...]]:
    """The game and the seats this player holds. Raises: GameNotFound, NotSeated."""
    found = readable(head, player_id)
    return found, sitting(seats_of(found.game.setup, player_id))


def sitting(held: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats of one who may only do it with one. Raises: NotSeated."""
    if not held:
        raise NotSeated
    return held


def acting_seat(game: Game, held: tuple[Seat, ...]) -> Seat:
    """
    The seat a player's turn command is for: the one to move, when the player holds it; else one
    that does not move, which the rules refuse.
    """
    if isinstance(game, Playing) and game.turn.seat in held:
        return game.turn.seat
    return held[0]


def resigning_seat(game: Game, held: tuple[Seat, ...], named: Seat | None) -> Seat:
    """
    The seat a player gives up.

    Raises: NotYourSeat; SeatNeeded, when the player has several to give up and names none.
    """
    if named is not None:
        if named not in held:
            raise NotYourSeat(seat=named)
        return named
    left = held
    if isinstance(game, Playing):
        left = tuple(seat for seat in held if game.seats[seat].active) or held
    elif isinstance(game, Sealing):
        left = tuple(seat for seat in held if seat not in game.resigned) or held
    if len(left) > 1:
        raise SeatNeeded
    return left[0]


def names_after(head: Head, places: tuple[Place, ...], player: Player | None) -> Names:
    """
    Names by seat once the table is laid like this: who stays keeps the name of the seating.

    Args:
        player: who may just have sat down.
    """
    before = head.game.setup.places
    known = {player.id: player.seated_name} if player else {}
    return tuple(
        head.names[seat]
        if seat < len(before) and before[seat].player_id == place.player_id
        else known.get(place.player_id or "")
        for seat, place in enumerate(places)
    )
