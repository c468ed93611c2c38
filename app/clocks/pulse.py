"""
The heartbeat of all processes together: when it stood still, nobody is charged for it.

A gap gets a number. Each running game is told of it once, by a scan of all games or in front of its
next command or clock, whichever comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.clocks.rows import ClockRows
from app.ports import Gap

GAP_MS = 5_000
"""A shorter pause is no gap: a busy database may take as long."""
BEAT_EVERY_MS = 1_500


class Pulse:
    """
    Args:
        monotonic_ms: a clock of this process that never goes back.
    """

    def __init__(self, rows: ClockRows, monotonic_ms: Callable[[], float]) -> None:
        self._rows = rows
        self._monotonic_ms = monotonic_ms
        self._beat_at: float | None = None
        self.gaps: Sequence[Gap] = ()
        """Those known to this process, ascending."""

    async def beat(self) -> None:
        """
        Called often; does something now and then.

        By a loop of its own, for a round of the clocks may take long; and before each round, which
        must know of a gap first.
        Raises: StoreUnavailable.
        """
        now = self._monotonic_ms()
        if self._beat_at is not None and now < self._beat_at + BEAT_EVERY_MS:
            return
        self.gaps = await self._rows.beat(GAP_MS)
        self._beat_at = now

    def open_gaps(self) -> list[Gap]:
        """Gaps that some game may not have been told of."""
        return [gap for gap in self.gaps if not gap.credited]
