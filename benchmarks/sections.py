"""Which sections there are, in the order in which they run, and how long each is meant to take."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from benchmarks import (
    bots,
    cluster,
    engine,
    fanout,
    growth,
    process,
    rest,
    resume,
    slow,
    sockets,
    stored,
)
from benchmarks.bench import Bench
from benchmarks.peers import section as peers
from benchmarks.report import Table


class Section(NamedTuple):
    measure: Callable[[Bench], Awaitable[list[Table]]]
    """Measures, and hands back its tables."""
    seconds: int
    """At the usual pace on two quiet cores."""
    is_usual: bool = True
    """Without being asked for; the others cost too much for what they tell of the aims."""


SECTIONS: dict[str, Section] = {
    "engine": Section(engine.section, 20),
    "process": Section(process.section, 50),
    "rest": Section(rest.section, 80),
    "sockets": Section(sockets.section, 40, is_usual=False),
    "peers": Section(peers.section, 55),
    "growth": Section(growth.section, 25),
    "stored": Section(stored.section, 45),
    "resume": Section(resume.section, 15),
    "cluster": Section(cluster.section, 30),
    "fanout": Section(fanout.section, 40),
    "slow": Section(slow.section, 50, is_usual=False),
    "bots": Section(bots.section, 70, is_usual=False),
}
