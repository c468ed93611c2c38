"""
Characters: pure policies over what everybody sees.

A character is handed the game in play, with its own seat to move, and a source of chance that was
fixed before the game began; it names one move. The same game and the same luck always give the
same move: no memory, nothing of the server's secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.bots.cautious import cautious
from engine.bots.gambler import gambler
from engine.bots.luck import BotLuck, Luck, NoLuck
from engine.bots.move import Move
from engine.bots.strategist import strategist
from engine.bots.versions import VERSIONS
from engine.state import Character, Playing

__all__ = [
    "CHARACTERS",
    "VERSIONS",
    "BotLuck",
    "Luck",
    "Move",
    "NoLuck",
    "cautious",
    "character_of",
    "gambler",
    "move_of",
    "strategist",
]

CHARACTERS: Mapping[Character, Callable[[Playing, Luck], Move]] = {
    "cautious": cautious,
    "gambler": gambler,
    "strategist": strategist,
}
"""Those there are."""


def character_of(play: Playing) -> Character:
    """Who plays the seat to move: the bot that sits there, or stands in for its player."""
    seat = play.turn.seat
    return play.seats[seat].stand_in or play.setup.places[seat].character or "cautious"


def move_of(play: Playing, luck: Luck) -> Move:
    """What the bot to move does."""
    return CHARACTERS[character_of(play)](play, luck)
