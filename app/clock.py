"""The wall clock, in the engine's form."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from engine.units import Millis


class SystemClock:
    def now(self) -> Millis:
        return time.time_ns() // 1_000_000


def rfc3339(millis: Millis) -> str:
    """A time as the API writes it: UTC with milliseconds."""
    moment = datetime.fromtimestamp(millis // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{moment}.{millis % 1000:03d}Z"
