"""
Characters: pure policies over what everybody sees.

A character is handed the game in play, with its own seat to move, and names one move. The same
game always gives the same move: no chance, no memory, nothing of the server's secrets.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.bots.cautious import cautious
from engine.bots.move import Move
from engine.state import Character, Playing

__all__ = ["CHARACTERS", "Move", "move_of"]

CHARACTERS: dict[Character, Callable[[Playing], Move]] = {"cautious": cautious}
"""Those there are."""


def move_of(play: Playing) -> Move:
    """What the bot to move does; it may be one that stands in for a player."""
    seat = play.turn.seat
    character = play.seats[seat].stand_in or play.setup.places[seat].character or "cautious"
    return CHARACTERS.get(character, cautious)(play)
