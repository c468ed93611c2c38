"""
Where a character's chance comes from: a number for each decision, fixed before the game began.

    HMAC-SHA-256(S_e, LP("pf1/bot") LP(game_id) u32(seat) u64(decision index))

S_e is the server's seed of the epoch, secret until the game is over. The decision index is the
version of the last event before the decision: whoever has the log knows it, so that a finished
game's decisions can be made again. Source: docs/bots.md, "Chance".
"""

from __future__ import annotations

from typing import Protocol

from engine.dice import bot_block
from engine.units import Seat


class Luck(Protocol):
    """What a character may draw on."""

    def below(self, many: int) -> int:
        """
        A number from 0 to `many` − 1, each as likely to within 2⁻¹²⁸ (`many` at most 2³²); always
        the same one.
        """
        ...


class BotLuck:
    """The luck of one decision of a game."""

    __slots__ = ("_game_id", "_index", "_seat", "_seed")

    def __init__(self, seed: bytes, game_id: str, seat: Seat, index: int) -> None:
        """
        Args:
            seed: the server's, of the epoch.
            index: version of the last event before the decision.
        """
        self._seed, self._game_id, self._seat, self._index = seed, game_id, seat, index

    def number(self) -> bytes:
        """32 bytes."""
        return bot_block(self._seed, self._game_id, self._seat, self._index)

    def below(self, many: int) -> int:
        return int.from_bytes(self.number(), "big") % many


class NoLuck:
    """For those who want a character's plain opinion: it never does what it does now and then."""

    def below(self, many: int) -> int:
        return many - 1
