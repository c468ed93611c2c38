"""What a Hotdice server says of itself at `/metrics`, as far as sections ask for it."""

from __future__ import annotations

import re
import urllib.request
from dataclasses import dataclass

from app.lag import BOUNDS_S

_DECISIONS = re.compile(r"^hotdice_bot_decisions_total (\S+)$", re.MULTILINE)
_LAGS = re.compile(r'^hotdice_loop_lag_seconds_bucket\{le="[^"]+"\} (\S+)$', re.MULTILINE)


@dataclass(frozen=True)
class Scraped:
    """Counts since the server's start."""

    decisions: float
    """That bots made."""
    lags: tuple[float, ...]
    """Timers by how late they were served: up to each of `BOUNDS_S`, and later."""

    def since(self, before: Scraped) -> list[float]:
        """Of the lags, those that came after `before`."""
        return [now - then for now, then in zip(self.lags, before.lags, strict=True)]

    @staticmethod
    def quantile(lags: list[float], share: float) -> float:
        """Seconds; within a bucket by the straight line, the last bound at most. 0.0 for none."""
        wanted = sum(lags) * share
        below, lower = 0.0, 0.0
        for count, upper in zip(lags, BOUNDS_S, strict=False):
            if count and below + count >= wanted:
                return lower + (upper - lower) * (wanted - below) / count
            below, lower = below + count, upper
        return lower if sum(lags) else 0.0


def scrape(port: int) -> Scraped:
    """Asks a server on loopback."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    decisions = _DECISIONS.search(text)
    assert decisions is not None
    up_to = [float(count) for count in _LAGS.findall(text)]
    lags = [now - before for now, before in zip(up_to, [0.0, *up_to], strict=False)]
    return Scraped(float(decisions[1]), tuple(lags))
