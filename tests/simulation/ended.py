"""What a run leaves: everything there was, and some figures."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.purses import Credited, Purchase
from tests.simulation.contests import Contest
from tests.simulation.disk import Disk
from tests.simulation.people import Acted, Follower


@dataclass(frozen=True)
class Run:
    """What happened, in figures."""

    seed: int
    seconds: float
    """Of virtual time."""
    commits: int
    conflicts: int
    deaths: int
    connections: int
    hints_dropped: int
    timed_out: int
    """Turns that ended on the clock."""
    own: int
    """Commands of bots and clocks."""
    gaps: int
    """Times in which nobody was there."""
    meetings: int
    """Changes of tables of strangers."""
    series_games: int
    """Games of series that were recorded."""
    purse_entries: int
    trace: str
    """A digest of all logs: the same for the same seed."""


@dataclass
class Ended:
    """Everything there was, for the judge."""

    run: Run
    disk: Disk
    acted: list[Acted]
    followers: list[Follower]
    errands: list[Acted] = field(default_factory=list)
    contests: list[Contest] = field(default_factory=list)
    purchases: list[tuple[Purchase, Credited]] = field(default_factory=list)
