"""What a character says."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.commands import Bank, Command, Entropy, Roll, Selection, TakeOver, WildRoll
from engine.units import Millis, Seat


class Move(NamedTuple):
    """One command of a turn; a selection goes with what follows it."""

    name: Literal["roll", "bank", "take-over", "wild-roll"]
    select: Selection | None = None

    def command(self, at: Millis, seat: Seat, entropy: Entropy) -> Command:
        """The order that this move is."""
        if self.name == "bank":
            return Bank(at, seat, self.select)
        if self.name == "take-over":
            return TakeOver(at, seat, entropy)
        if self.name == "wild-roll":
            return WildRoll(at, seat, entropy, self.select)
        return Roll(at, seat, entropy, self.select)
