"""
Straight lines: what a throw is worth once scores are so high that its best choices stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.odds.ways import Way

CLOSE = 1e-13
"""Shares that differ by less count as equal."""


class Line(NamedTuple):
    """Value of a throw from some score on: `share` × points at risk + `more`."""

    share: float
    more: float

    def at(self, risk: float) -> float:
        return self.share * risk + self.more

    def over(self, other: Line) -> bool:
        """Whether it is the higher of the two once scores are high enough."""
        if abs(self.share - other.share) > CLOSE:
            return self.share > other.share
        return self.more > other.more


BUST = Line(0.0, 0.0)


def max_line(way: Way, lines: Sequence[Line]) -> Line:
    """What the way is worth once scores are high enough."""
    return max_of(lines_of(way, lines))


def lines_of(way: Way, lines: Sequence[Line]) -> list[Line]:
    found = [] if way.bank is None else [Line(1.0, float(way.bank))]
    for throw, points, protected in way.on:
        share, more = lines[throw]
        found.append(Line(share, share * points + more + protected))
    return found


def max_of(lines: list[Line]) -> Line:
    best = BUST
    for line in lines:
        if line.over(best):
            best = line
    return best


def cross(way: Way, lines: Sequence[Line]) -> float:
    """Points at risk from which on the way's highest line is above its others."""
    found = lines_of(way, lines)
    best = max_of(found)
    return max((crossing(line, best) for line in found), default=0.0)


def crossing(low: Line, high: Line) -> float:
    """Points at risk from which on `high`, the steeper, is the higher of the two."""
    if high.share - low.share <= CLOSE or low.more <= high.more:
        return 0.0
    return (low.more - high.more) / (high.share - low.share)
