"""The wall clock, in the engine's form."""

from __future__ import annotations

import functools
import time
from datetime import UTC, datetime

from engine.units import Millis


class SystemClock:
    def now(self) -> Millis:
        return time.time_ns() // 1_000_000


@functools.lru_cache(maxsize=256)
def rfc3339(millis: Millis) -> str:
    """A time as the API writes it: UTC with milliseconds."""
    seconds, rest = divmod(millis, 1000)
    return f"{_second(seconds)}.{rest:03d}Z"


@functools.lru_cache(maxsize=256)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
