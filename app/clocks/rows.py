"""What the runner needs of a database beside the log."""

from __future__ import annotations

from typing import Protocol

from app.ports import Gap
from engine.units import Millis


class ClockRows(Protocol):
    """
    When to look at which game again, for all processes to see: a row for each that is not over.

    Written by `EventStore.append`; a row may say too early, never too late.
    """

    async def due(self, most: int) -> list[str]:
        """Games that may have something due, the longest overdue first."""
        ...

    async def postpone(self, game_id: str, by_ms: Millis) -> None:
        """A game that cannot be looked at now, whatever the reason."""
        ...

    async def games(self, after: str, most: int) -> list[str]:
        """Games with a row, by id, above `after`."""
        ...

    async def beat(self, gap_ms: Millis) -> list[Gap]:
        """
        Some process is there. When none was for more than `gap_ms`, that makes a gap.

        Returns the last gaps, ascending.
        """
        ...

    async def credited(self, number: int) -> None:
        """The gap needs no more crediting."""
        ...
