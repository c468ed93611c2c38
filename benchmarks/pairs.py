"""
Ratios of a few percent: two rows in short turns, over connections that stay open.

Each row has a block of a few dozen commands, a tenth of a second at most, then the other one, then
both the other way round, a hundred times. What else the machine does strikes a pair's blocks
alike; what strikes a single block (a checkpoint, a look at what has ended) moves no median.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import NamedTuple

from benchmarks.client import Fleet
from benchmarks.measure import Lane, Round, all_cpu, measured

FIRST = 2
"""Cycles that do not count: connections, prepared statements, pages after a checkpoint."""


class Interval(NamedTuple):
    """A ratio with where it lies, at 95 %."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.3f} ({self.low:.3f} … {self.high:.3f})"


async def duel(
    lane: Lane,
    to: Lane,
    cycles: int,
    each: int,
    before: Callable[[Lane, Fleet, int], Awaitable[None]] | None = None,
) -> Interval:
    """
    All CPU of a row, per command, against that of another one: two pairs of blocks in each cycle.

    Args:
        each: commands of a block on each connection.
        before: what is done before a block, and not measured; it is told the block's number.
    Raises: Unexpected.
    """
    ratios: list[float] = []
    async with _fleet(to) as base, _fleet(lane) as other:
        with _kept_in_memory():
            for number in range(2 * (FIRST + cycles)):
                found: dict[Lane, Round] = {}
                pair = [(to, base), (lane, other)]
                for row, fleet in pair if number % 2 == 0 else reversed(pair):
                    if before is not None:
                        await before(row, fleet, number)
                    found[row] = await measured(row.target, partial(fleet.each, each))
                if number >= 2 * FIRST:
                    ratios.append(all_cpu(found[lane]) / all_cpu(found[to]))
                    for row, block in found.items():
                        row.rounds.append(block)
    return interval(ratios)


def _fleet(lane: Lane) -> Fleet:
    return Fleet(lane.target.ports, lane.scripts, 0)


@contextmanager
def _kept_in_memory() -> Iterator[None]:
    """What this process has by now is not looked through by its garbage collector."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def interval(ratios: Sequence[float]) -> Interval:
    """
    The median of ratios measured in pairs, and the interval of the sign test: each pair lies above
    the true ratio as often as below, whatever its distribution. All of them where fewer than six
    were measured, which is 94 % at most.
    """
    ascending = sorted(ratios)
    count, left_out, chance = len(ascending), 0, 0.0
    while True:
        chance += math.comb(count, left_out) / 2**count
        if chance > 0.025:
            break
        left_out += 1
    least = max(0, left_out - 1)
    return Interval(median(ascending), ascending[least], ascending[count - 1 - least])


def mean(lane: Lane, figure: Callable[[Round], float | None]) -> float | None:
    """Of a figure over all blocks, each with as many commands: nothing is left out of it."""
    known = [value for value in map(figure, lane.rounds) if value is not None]
    return sum(known) / len(known) if known else None
