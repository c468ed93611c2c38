"""
How late the event loop is: a timer that is due again and again, and when it is served.

Whatever holds the loop or the interpreter, a computation, another thread, a busy machine, makes it
late, and every request with it.
"""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left

EVERY_S = 0.025
"""Cheap enough to be always there, often enough to meet what lasts a few milliseconds."""
BOUNDS_S = (
    *(0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1),
    *(0.25, 0.5, 1.0, 5.0),
)


class LoopLag:
    """Counts by how late; in the event loop."""

    def __init__(self) -> None:
        self.buckets = [0] * (len(BOUNDS_S) + 1)
        """How often it was late by no more than each bound, and by more than the one before."""
        self.total_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Looks from now on, in the running loop."""
        loop = asyncio.get_running_loop()
        # Not the loop's own clock: that stands still while it is held up.
        self._timer = loop.call_later(EVERY_S, self._served, loop, time.monotonic() + EVERY_S)

    def _served(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = time.monotonic()
        self.late(now - due)
        self._timer = loop.call_later(EVERY_S, self._served, loop, now + EVERY_S)

    def late(self, seconds: float) -> None:
        """Counts a timer that was served so late; early by a clock's rounding is in time."""
        seconds = max(0.0, seconds)
        self.buckets[bisect_left(BOUNDS_S, seconds)] += 1
        self.total_s += seconds

    def stop(self) -> None:
        """Looks no more. Twice is fine."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
