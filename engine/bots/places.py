"""Finds the throws of `engine.odds` that a position of a real game corresponds to."""

from __future__ import annotations

from engine.choices import Sets
from engine.odds.throws import Throws
from engine.units import Mask


class Places:
    """Throws by their dice and sets; without what they lead to: little to keep and to send."""

    def __init__(self, throws: Throws) -> None:
        self._many = len(throws.throws)
        self._throws = throws.without_outcomes()
        self._known: dict[tuple[Mask, Sets], int] = {}

    def of(self, dice: Mask, sets: Sets = ()) -> int:
        """
        Index of the throw of these dice, none meaning all.

        By simpler rules than the table's some sets may never come up: then the dice alone count.
        """
        found = self._known.get((dice, sets))
        if found is None:
            found = self._throws.index(dice, sets)
            if found >= self._many:
                found = self._throws.index(dice)
            self._known[dice, sets] = found
        return found
