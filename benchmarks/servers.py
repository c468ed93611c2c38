"""
The processes that are measured, and their CPU clocks.

They are started through the rig of the tests: free loopback ports, ended with this process however
it ends. CPU time is the kernel's own count for a process, all its threads included.
"""

from __future__ import annotations

import os
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import make_url

from tests.servers.postgres import PostgresServer
from tests.servers.process import ServerProcess, child_pids, free_port
from tests.servers.rig import process_rig

Store = Literal["sqlite", "postgres"]
STORES: tuple[Store, ...] = ("sqlite", "postgres")
ROOT = Path(__file__).resolve().parents[1]

DURABILITY = {
    "none": "no store",
    "sqlite": "SQLite WAL, synchronous=FULL",
    "postgres": "Postgres, fsync and synchronous_commit on",
}
"""By store."""


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far, user and system; 0.0 for one that has gone."""
    try:
        # The clock of another process (see clock_getcpuclockid): nanoseconds, not /proc's ticks.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        pass
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid: int) -> float:
    """Memory of a process that is in use now."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True)
class Target:
    """A server under load."""

    port: int
    pid: int
    store: str = "none"
    postgres: PostgresServer | None = None
    """The database server behind it, if it has one of its own."""
    database_url: str = ""
    others: tuple[Target, ...] = ()
    """Further processes of the same server: connections go to all of them in turn."""

    @property
    def ports(self) -> tuple[int, ...]:
        return (self.port, *(other.port for other in self.others))

    def server_cpu(self) -> float:
        """CPU seconds of the server's processes so far."""
        return cpu_seconds(self.pid) + sum(other.server_cpu() for other in self.others)

    def database_cpu(self) -> float | None:
        """
        Of Postgres so far, without the connections of other databases: servers at rest ask now and
        then. Processes that have ended are included; None without Postgres.
        """
        if self.postgres is None:
            return None
        pid, name = postmaster(self.postgres), make_url(self.database_url).database
        mine = [child for child in child_pids(pid) if serves(child) in (None, name)]
        return ended_children_s(pid) + sum(map(cpu_seconds, (pid, *mine)))

    @property
    def switches(self) -> str:
        """What is in force below the routes."""
        return DURABILITY[self.store]


def ended_children_s(pid: int) -> float:
    """CPU time of a process's children that have ended: a connection each, in Postgres."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def serves(pid: int) -> str | None:
    """The database of a connection's process, which Postgres writes in its title; else None."""
    try:
        title = Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split()
    except OSError:
        return None
    # "postgres: role database 127.0.0.1(54321) idle"
    return title[2] if len(title) > 3 and "(" in title[3] else None


def postmaster(server: PostgresServer) -> int:
    """The pid of the parent of all its processes."""
    assert server.folder is not None
    return int((server.folder / "data" / "postmaster.pid").read_text().split("\n")[0])


def start_ceiling(
    stack: ExitStack,
    kind: Literal["bare", "naive"],
    *,
    padding: int = 0,
    postgres: PostgresServer | None = None,
) -> Target:
    """
    One of the applications in `ceilings`, in a process of its own.

    Args:
        stack: ends it.
        padding: bytes of text that each answer carries, on top of what is spelled out.
        postgres: for a naive one; without, it stands on SQLite.
    """
    port, folder = free_port(), process_rig().new_folder(kind)
    url = f"sqlite+aiosqlite:///{folder / 'naive.db'}"
    if postgres is not None:
        postgres.create_database("naive")
        url = postgres.owner_url("naive")
    command = [sys.executable, "-m", "benchmarks.ceilings", kind, str(port), str(padding)]
    process = _started(folder, [*command, url] if kind == "naive" else command)
    stack.callback(process.stop)
    process.wait_until(lambda: _answers(f"http://127.0.0.1:{port}/ready"), timeout_s=30)
    store = "none" if kind == "bare" else "sqlite" if postgres is None else "postgres"
    return Target(port, process.pid, store, postgres, url)


def start_broadcast(stack: ExitStack, frames: Path) -> Target:
    """The application in `broadcast`, which sends the lines of this file; `stack` ends it."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.broadcast", str(port), str(frames)]
    process = _started(frames.parent, command)
    stack.callback(process.stop)
    process.wait_until(lambda: _answers(f"http://127.0.0.1:{port}/ready"), timeout_s=30)
    return Target(port, process.pid)


def _started(folder: Path, command: list[str]) -> ServerProcess:
    return ServerProcess(folder, command, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=folder)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False
