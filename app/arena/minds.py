"""What everything that sits at a table of the arena is, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from engine.commands import Command, Entropy
from engine.state import Playing
from engine.units import Millis

Mind = Callable[[Playing, Millis, Entropy], Command]
"""Asked for one decision after the other, by the game with its own seat to move."""

Begin = Callable[[Random, tuple[str, ...]], Mind]
"""A mind for one game; handed what it may draw from, and the names of who sits there, by seat."""


class NotLoaded(Exception):
    """Somebody's code cannot be used as a strategy; says why."""


class Failed(Exception):
    """
    A strategy did not name a command, or named one that the rules refuse; says what it did.

    Args:
        trace: of its own code, where that raised.
    """

    def __init__(self, did: str, trace: str = "") -> None:
        super().__init__(did)
        self.trace = trace


class Failure(NamedTuple):
    """Which strategy failed where: enough to see it again."""

    number: int
    """Of the game."""
    participant: int | None
    """None: the whole process ended, or stood still, and it cannot be told by whom."""
    did: str
    state: dict[str, Any] | None = None
    """What it saw, as the API shows it, without what stays the same throughout the game."""
    trace: str = ""
