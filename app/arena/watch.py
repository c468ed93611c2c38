"""
How long a decision takes: a signal ends one that takes too long, and another process sees it last.

Signals reach Python code, and calls that wait; a loop within a library's C code they do not. So the
moment at which a decision began also stands in memory that the process that shares out the games
reads: it ends a process that stands still.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from types import FrameType

AGAIN_S = 0.05
"""Whoever catches the end of its time meets it again so soon."""
GRACE_S = 2.0
"""Before a process that stands still is ended."""


class TooSlow(BaseException):
    """The time for a decision is over. No Exception, so that what is being tried does not catch it
    by the way."""


class Watch:
    """
    Args:
        limit_s: for one decision, by the clock on the wall.
        board: one number, seconds of the monotonic clock: when the decision under way began; 0:
            there is none.
    """

    def __init__(self, limit_s: float, board: MutableSequence[float] | None = None) -> None:
        self.limit_s = limit_s
        self._board = [0.0] if board is None else board
        self._is_set = False

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Raises: TooSlow, in what takes too long."""
        if not self._is_set:
            signal.signal(signal.SIGALRM, _too_slow)
            self._is_set = True
        self._board[0] = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, self.limit_s, AGAIN_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._board[0] = 0.0

    def stands_still(self) -> bool:
        """Whether the signal came and did not help."""
        began = self._board[0]
        return began > 0 and time.monotonic() - began > self.limit_s + GRACE_S


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow
