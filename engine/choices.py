"""
What a table of scores says: the worth of a hand, a selection of a roll, all selections of one.

`engine.scoring` works them out; rolls share the selections they are made of.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.patterns import Pattern
from engine.rules import CombinationKind
from engine.units import Dice, Face, Mask, Points

Sets = tuple[tuple[Face, int], ...]
"""Locked sets a further die upgrades: (face, how many), faces ascending."""


class HandScore(NamedTuple):
    """The best split of a hand."""

    points: Points
    """The all-dice bonus included."""
    protected: Points
    parts: tuple[Pattern, ...]
    """In the rule set's order; an upgrade comes first."""
    bonus: Points = 0


class Choice(NamedTuple):
    """A selection that scores."""

    dice: Dice
    mask: Mask
    points: Points
    protected: Points
    wild_face: Face
    """The Jester's face where the selection holds it, else 0."""
    score: HandScore


class Part(NamedTuple):
    """One combination of a scored selection, with the dice that make it."""

    kind: CombinationKind
    id: str
    dice: Dice
    points: Points


class RollTable(NamedTuple):
    """Every selection of one roll that scores, by positions, then wild face."""

    choices: tuple[Choice, ...]

    def within(self, limit: Points | None) -> tuple[Choice, ...]:
        """Those worth at most `limit` (exact play); all without a limit."""
        if limit is None:
            return self.choices
        return tuple(c for c in self.choices if c.points <= limit)

    def best(self, limit: Points | None = None) -> Choice | None:
        """Most points, then most dice, then the lowest positions, then the lowest wild face."""
        found, most = None, (0, 0)
        for choice in self.choices:
            worth = (choice.points, len(choice.dice))
            if worth > most and (limit is None or choice.points <= limit):
                found, most = choice, worth
        return found


NOTHING = HandScore(0, 0, ())
