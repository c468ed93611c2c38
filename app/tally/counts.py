"""
How often something happened in the last minute, in dictionaries.

The last minute is estimated from this clock minute and the share of the one before that still lies
in it. Whole dictionaries are dropped as minutes pass, so that no key has to be swept. Nothing here
waits for anybody: a count is on the path of every request.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

WINDOW_S = 60

Key = tuple[str, str | bytes]
"""What is counted, and for whom."""


class Standing(NamedTuple):
    """Where somebody stands with a limit."""

    limit: int
    """A minute."""
    left: int
    """How many more there may be now."""
    reset_s: int
    """Until what has been counted counts no more."""
    wait_s: int
    """Until there may be one; 0: now, and it has been counted."""


class Tally(Protocol):
    @property
    def shared(self) -> bool | None:
        """Whether other processes' counts are known; None where nobody else is asked."""
        ...

    def hit(self, key: Key, limit: int) -> Standing:
        """Counts one, if it stays within the limit."""
        ...

    def blocked(self, key: Key, limit: int) -> int:
        """Seconds until `hit` would count; counts nothing."""
        ...


class Minute:
    """What was counted in a minute of the clock."""

    __slots__ = ("elsewhere", "number", "own", "told")

    def __init__(self, number: int) -> None:
        self.number = number
        self.own: dict[Key, int] = {}
        """Here."""
        self.elsewhere: dict[Key, int] = {}
        """By other processes, as far as they have told."""
        self.told: dict[Key, int] = {}
        """Of `own`, what the others have been told."""


class MemoryTally:
    """A sliding minute for one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.now = Minute(0)
        self.before = Minute(-1)

    @property
    def shared(self) -> bool | None:
        return None

    def hit(self, key: Key, limit: int) -> Standing:
        passed = self._turn()
        now, before = self.now, self.before
        own = now.own.get(key, 0)
        counted = own + 1
        if now.elsewhere:
            counted += now.elsewhere.get(key, 0)
        used: float = counted
        if before.own or before.elsewhere:
            used += (before.own.get(key, 0) + before.elsewhere.get(key, 0)) * (1 - passed)
        reset_s = 2 * WINDOW_S - int(passed * WINDOW_S)
        if used > limit:
            return Standing(limit, 0, reset_s, self._wait(key, limit, passed))
        now.own[key] = own + 1
        return Standing(limit, int(limit - used), reset_s, 0)

    def blocked(self, key: Key, limit: int) -> int:
        passed = self._turn()
        now, before = self.now, self.before
        used = now.own.get(key, 0) + now.elsewhere.get(key, 0) + 1.0
        used += (before.own.get(key, 0) + before.elsewhere.get(key, 0)) * (1 - passed)
        return self._wait(key, limit, passed) if used > limit else 0

    def _wait(self, key: Key, limit: int, passed: float) -> int:
        """Seconds until one more is within the limit, which it now is not."""
        now = self.now.own.get(key, 0) + self.now.elsewhere.get(key, 0)
        before = self.before.own.get(key, 0) + self.before.elsewhere.get(key, 0)
        room = limit - 1 - now
        if room >= 0:  # waits for the minute before to fade
            fades = 1 - room / before if before else 1.0
            return max(1, math.ceil((fades - passed) * WINDOW_S))
        fades = 1 - (limit - 1) / now  # waits for this one to fade in the next
        return max(1, math.ceil((1 - passed + fades) * WINDOW_S))

    def _turn(self) -> float:
        """Moves to the present minute; how much of it has passed, 0 to 1."""
        minute, passed = divmod(self._clock(), WINDOW_S)
        if minute != self.now.number:
            follows = minute == self.now.number + 1
            self.before = self.now if follows else Minute(int(minute) - 1)
            self.now = Minute(int(minute))
        return passed / WINDOW_S
