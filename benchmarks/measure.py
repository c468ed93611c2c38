"""
Rounds of many rows in turn, so that whatever else the machine does strikes them alike.

A row's figures are the medians of its rounds. A ratio is taken round by round, then its median: the
two rounds lie seconds apart, while two medians may lie minutes apart.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from benchmarks.client import Fleet, Load, Script
from benchmarks.servers import Target

WARM_UP = 6
"""Requests per connection before the pace of a row is taken: prepared statements, first games."""


class Round(NamedTuple):
    """One round of one row."""

    asked: int
    per_second: float
    p50_ms: float
    p99_ms: float
    server_us: float
    """CPU of the server process, per request."""
    database_us: float | None
    """CPU of all Postgres processes, per request; None without Postgres."""
    answer_bytes: float
    client_us: float
    """CPU of this process, per request."""


@dataclass(eq=False)
class Lane:
    """A row: who is asked what, over as many connections as there are scripts."""

    name: str
    target: Target
    scripts: Sequence[Script]
    switches: str = ""
    rounds: list[Round] = field(default_factory=list)
    count: int = 0
    """Requests of one round; the same in every round."""
    fleet: type[Fleet] = Fleet
    """How they are asked."""

    def median(self, figure: Callable[[Round], float | None]) -> float | None:
        """Of one figure over the rounds; None where it is not known."""
        known = [value for value in map(figure, self.rounds) if value is not None]
        return median(known) if known else None


async def once(lane: Lane, count: int) -> Round:
    """So many requests. Raises: Unexpected."""
    async with lane.fleet(lane.target.ports, lane.scripts, count) as fleet:
        return await measured(lane.target, fleet.run)


async def measured(target: Target, load: Callable[[], Awaitable[Load]]) -> Round:
    """What this load costs. Raises: Unexpected."""
    gc.collect()
    gc.disable()  # of this process: it must not pause in the middle of a wait
    try:
        database, server = target.database_cpu(), target.server_cpu()
        client = time.process_time()
        done = await load()
        client = time.process_time() - client
        server_s = target.server_cpu() - server
        database_s = None if database is None else (target.database_cpu() or 0.0) - database
    finally:
        gc.enable()
    waits = sorted(done.waits_ns)
    return Round(
        asked=len(waits),
        per_second=len(waits) / done.seconds,
        p50_ms=quantile(waits, 0.5) / 1e6,
        p99_ms=quantile(waits, 0.99) / 1e6,
        server_us=server_s / len(waits) * 1e6,
        database_us=None if database_s is None else database_s / len(waits) * 1e6,
        answer_bytes=done.body_bytes / len(waits),
        client_us=client / len(waits) * 1e6,
    )


def quantile(ascending: Sequence[float], share: float) -> float:
    """The value below which this share of them lies, or the one above it."""
    return ascending[min(len(ascending) - 1, math.ceil(len(ascending) * share))]


async def warm_up(lane: Lane, seconds: float) -> Round:
    """Gets everything into its stride, and settles how many requests a round has."""
    first = await once(lane, max(50, len(lane.scripts) * WARM_UP))
    warm = await once(lane, max(50, round(first.per_second * seconds / 2)))
    least = max(50, len(lane.scripts) * 4)
    lane.count = max(least, round(warm.per_second * seconds / 10) * 10)
    return warm


async def in_turn(lanes: Sequence[Lane], rounds: int, say: Callable[[str], None]) -> None:
    """Every row once, then every row again, forwards and backwards."""
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for lane in lanes if number % 2 == 0 else list(reversed(lanes)):
            lane.rounds.append(await once(lane, lane.count))


def ratio(lane: Lane, to: Lane, figure: Callable[[Round], float | None]) -> float | None:
    """The median of the rounds' ratios; None where a figure is not known."""
    found: list[float] = []
    for mine, other in zip(lane.rounds, to.rounds, strict=True):
        above, below = figure(mine), figure(other)
        if above is None or not below:
            return None
        found.append(above / below)
    return median(found) if found else None


def all_cpu(of: Round) -> float:
    """Of the server and, where there is one, of Postgres; µs per request."""
    return of.server_us + (of.database_us or 0.0)
