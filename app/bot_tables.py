"""Whose tables with bots are whose: a player may have so many at a time. Pure."""

from __future__ import annotations

from app.matching import is_waiting
from engine.state import Game


def bots_of(game: Game) -> str | None:
    """
    As whose table with bots a game counts until it is over; None: as nobody's.

    With bots at it, or waiting for them, it is the host's. A table of match-making has no host: it
    is its first seat's holder's. The games of a series count with the series (`Series.bot_tables`).
    """
    setup = game.setup
    has_bots = any(place.kind == "bot" for place in setup.places)
    if setup.host is not None:
        return setup.host if has_bots else None
    if setup.bots.fill_after_s is None or not (has_bots or is_waiting(game)):
        return None
    return next((place.player_id for place in setup.places if place.player_id), None)
