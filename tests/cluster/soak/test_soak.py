"""500 sockets, 2 000 reconnects, buses that die, processes rolled and killed: nothing is missed."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import pytest

from tests.cluster.buses import Bus
from tests.cluster.pairs import connected
from tests.cluster.soak.figures import Figures
from tests.cluster.soak.scenario import Size, run
from tests.cluster.soak.seen import Faults
from tests.live.server import Live, healthy
from tests.servers.cluster import processes

WHOLE = Size(
    processes=3,
    sockets=500,
    reconnects=2_000,
    commands=3_000,
    outages=5,
    rolls=3,
    kills=6,
    tables=20,
    pace_s=0.4,
    most_bytes=2_000_000,
    within_s=600,
)
TENTH = Size(
    processes=2,
    sockets=50,
    reconnects=200,
    commands=300,
    outages=1,
    rolls=1,
    kills=1,
    tables=4,
    pace_s=0.1,
    most_bytes=2_000_000,
    within_s=240,
)
SIZES = [
    pytest.param(TENTH, id="tenth", marks=[pytest.mark.wide, pytest.mark.timeout(300)]),
    pytest.param(WHOLE, id="whole", marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
]
OPEN_FILES = 4_096
EXPECTED = {"1012", "restarting", "broken", "refused", "4408", "too_slow"}
"""
Ends of streams while processes are replaced and killed. All followers share one process, which on a
busy machine may read too slowly.
"""


@pytest.fixture(autouse=True)
def _open_files() -> None:
    """Enough of them, also for the servers."""
    has, may = resource.getrlimit(resource.RLIMIT_NOFILE)
    if has < OPEN_FILES:
        most = OPEN_FILES if may == resource.RLIM_INFINITY else min(may, OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, may))


def proved(size: Size, figures: Figures, bus: Bus | None) -> None:
    assert figures.faults == Faults(followed=figures.faults.followed)
    assert set(figures.tally.ends) <= EXPECTED, figures.tally.ends
    assert figures.tally.cuts >= size.reconnects
    assert figures.happened["outages"] == (size.outages if bus else 0)
    assert figures.happened["rolled"] == size.rolls * figures.processes
    assert figures.happened["killed"] == size.kills
    assert figures.faults.followed > figures.commands


def show(capsys: pytest.CaptureFixture[str], figures: Figures, over: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{figures.table(over)}")


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_missed_over_a_bus(
    bus: Bus, size: Size, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [None] * size.processes
    redis_url = bus.settings().get("redis_url")
    with processes(Live, bus.database_url, redis_url, folders=folders) as servers:
        figures = await run(size, servers, bus)
        await connected(*servers)
        for server in servers:
            healthy(server)
    show(capsys, figures, f"Postgres, {bus.kind}")
    proved(size, figures, bus)


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_missed_of_one_process(
    tmp_path: Path, size: Size, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    with processes(Live, url, folders=[None]) as servers:
        figures = await run(size, servers, None)
        healthy(servers[0])
    show(capsys, figures, "SQLite")
    proved(size, figures, None)
