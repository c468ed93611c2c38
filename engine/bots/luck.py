"""
Where a character's chance comes from: a number for each decision, fixed before the game began.

    HMAC-SHA-256(S_e, LP("pf1/bot") LP(game_id) u32(seat) u64(decision index))

S_e is the server's seed of the epoch, secret until the game is over. The decision index is the
version of the last event before the decision: whoever has the log knows it, so that a finished
game's decisions can be made again. Source: docs/bots.md, "Chance".
"""

from __future__ import annotations

from hmac import digest
from typing import NamedTuple, Protocol

from engine.dice import lp
from engine.units import Seat


class Luck(Protocol):
    """What a character may draw on."""

    def below(self, many: int) -> int:
        """
        A number from 0 to `many` − 1, each as likely to within 2⁻¹²⁸ (`many` at most 2³²); always
        the same one.
        """
        ...


class BotLuck(NamedTuple):
    """The luck of one decision of a game."""

    seed: bytes
    game_id: str
    seat: Seat
    index: int
    """Version of the last event before the decision."""

    def number(self) -> bytes:
        """32 bytes."""
        data = lp(b"pf1/bot") + lp(self.game_id.encode()) + self.seat.to_bytes(4, "big")
        return digest(self.seed, data + self.index.to_bytes(8, "big"), "sha256")

    def below(self, many: int) -> int:
        return int.from_bytes(self.number(), "big") % many


class NoLuck(NamedTuple):
    """For those who want a character's plain opinion: always 0."""

    def below(self, many: int) -> int:
        return 0
