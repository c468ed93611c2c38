"""
What it costs to come back to a game: a follower resumes from a version, and reads what it missed.

From 0 a game of 10 000 events is played back whole. From near its end only what is missing should
count: the same few events are read at the end of a short game as well, in pairs. Each follower
comes back to a game of its own, a copy, so that nothing is at hand from those before.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from app.store.tables import events
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Unexpected
from benchmarks.copies import copied, copy_id, recorded
from benchmarks.listeners import PLAYED, opened
from benchmarks.pairs import interval
from benchmarks.players import guests
from benchmarks.report import Cell, Table
from benchmarks.servers import STORES, Target
from benchmarks.tables import grow, open_tables

LONG = 10_000
QUICK_LONG = 1_040
SHORT = 272
"""All three lie alike between two snapshots: 16 events after one."""
MISSED = 20
"""Commands near an end: each is a frame."""
TIMEOUT_S = 60.0
AT_REST_S = 0.015
"""From the last frame until the server has closed the stream, and its CPU is read."""

_VERSION = re.compile(rb',"version":(\d+)')


@dataclass(frozen=True)
class Back:
    """One follower's coming back."""

    events: int
    frames: int
    bytes: int
    first_ms: float
    """From the handshake to the first frame of what was missed."""
    last_ms: float
    """To the last one."""
    server_ms: float
    """CPU of the server process."""
    database_ms: float | None

    @property
    def cpu_ms(self) -> float:
        return self.server_ms + (self.database_ms or 0.0)


@dataclass
class Games:
    """Copies of a game, each for one follower."""

    ids: Iterator[str]
    late: int
    """The version before its last commands."""
    current: int


@dataclass
class Row:
    name: str
    view: str
    games: Games
    is_late: bool
    """Only the last commands were missed, else all."""
    found: list[Back] = field(default_factory=list)


async def section(bench: Bench) -> list[Table]:
    rows: list[list[Cell]] = []
    in_force: list[str] = []
    for store in STORES:
        target = await bench.hotdice(store)
        found = await measured(bench, target)
        for row in found:
            rows.append([f"{store}: {row.name}", *cells(row)])
            in_force.append(f"{target.switches}; {SWITCHES}")
        *_, late, short = found
        pairs = zip(late.found, short.found, strict=True)
        ratio = interval([mine.cpu_ms / other.cpu_ms for mine, other in pairs])
        rows[-2].append(str(ratio))
        bench.found[f"resume long × short, {store}"] = ratio
    rows = [[*row, ""][:10] for row in rows]
    columns = (
        *("row", "events", "frames", "MB", "first ms", "last ms", "events/s"),
        *("server ms", "postgres ms", "× short game"),
    )
    notes = (
        f"medians of {bench.pace.rounds}; near an end of {_pairs(bench)} pairs, in turn",
        "first, last: from the handshake to the first and the last frame of what was missed",
        "server ms, postgres ms: CPU for one that comes back",
        f"× short game: all CPU against the same at the end of a game of {SHORT} events, by pairs;",
        "the median and its interval of 95 %, by the sign test",
    )
    return [Table("Resuming", columns, rows, notes, in_force=in_force)]


async def measured(bench: Bench, target: Target) -> list[Row]:
    long = QUICK_LONG if bench.pace.quick else LONG
    of_long, of_short = [await played(bench, target, length) for length in (long, SHORT)]
    rows = [
        Row(f"from 0 of {long} events", "full", of_long, False),
        Row(f"from 0 of {long} events, view=events", "events", of_long, False),
        Row(f"the last {MISSED} commands of {long} events", "full", of_long, True),
        Row(f"the last {MISSED} commands of {SHORT} events", "full", of_short, True),
    ]
    bench.settle(target)
    bench.say(f"resuming on {target.store}")
    for number in range(_pairs(bench)):
        for row in rows if number % 2 == 0 else reversed(rows):
            if row.is_late or number < bench.pace.rounds:  # what takes seconds less often
                row.found.append(_found(target, row))
    return rows


async def played(bench: Bench, target: Target, length: int) -> Games:
    """Of this length, in events."""
    [token] = guests(target.port, 1)
    [game_id] = open_tables(target.port, token, 1)
    await grow(target, [game_id], length)
    needed = _pairs(bench) + 2 * bench.pace.rounds
    rows = await recorded(target.database_url, [game_id])
    await copied(target.database_url, rows, needed)
    ends = [0, *sorted({row["command"] for row in rows[events]})]
    ids = iter([copy_id(game_id, number) for number in range(1, needed + 1)])
    return Games(ids, late=ends[-MISSED - 1], current=ends[-1])


def _pairs(bench: Bench) -> int:
    """Near an end; each needs a copy of the long game."""
    return bench.pace.cycles // 2


def cells(row: Row) -> list[Cell]:
    def middle(figure: Callable[[Back], float | None]) -> float | None:
        known = [value for value in map(figure, row.found) if value is not None]
        return median(known) if known else None

    return [
        round(middle(lambda b: b.events) or 0),
        round(middle(lambda b: b.frames) or 0),
        middle(lambda b: b.bytes / 1e6),
        middle(lambda b: b.first_ms),
        middle(lambda b: b.last_ms),
        middle(lambda b: b.events / b.last_ms * 1000),
        middle(lambda b: b.server_ms),
        middle(lambda b: b.database_ms),
    ]


def _found(target: Target, row: Row) -> Back:
    """Raises: Unexpected."""
    after, current = row.games.late if row.is_late else 0, row.games.current
    path = f"/v1/games/{next(row.games.ids)}/stream?after={after}&view={row.view}"
    server, database = target.server_cpu(), target.database_cpu()
    said = came_back(target.port, path, current)
    time.sleep(AT_REST_S)  # the kernel tells of a process that runs what it had at the last tick
    server = target.server_cpu() - server
    if database is not None:
        database = (target.database_cpu() or 0.0) - database
    return Back(
        events=current - after,
        **said._asdict(),
        server_ms=server * 1000,
        database_ms=None if database is None else database * 1000,
    )


class Said(NamedTuple):
    """What one who came back was told."""

    frames: int
    bytes: int
    first_ms: float
    last_ms: float


def came_back(port: int, path: str, current: int) -> Said:
    """
    Follows until the frame that ends with this version. Raises: Unexpected.

    It waits for the socket and nothing else, and looks at the beginning of each frame alone.
    """
    began = time.perf_counter_ns()
    first, frames, size, heard = 0, 0, 0, b""
    with opened(port, path) as own:
        own.settimeout(TIMEOUT_S)
        while b"\r\n\r\n" not in heard:
            heard += _read(own)
        heard = heard.partition(b"\r\n\r\n")[2]
        while True:
            at = 0
            while (frame := frame_at(heard, at)) is not None:
                start, at = frame
                if heard.startswith(PLAYED, start):
                    now = time.perf_counter_ns()
                    first, frames, size = first or now, frames + 1, size + at - start
                    version = _VERSION.match(heard, start + len(PLAYED))
                    if version is not None and int(version[1]) == current:
                        return Said(frames, size, (first - began) / 1e6, (now - began) / 1e6)
            heard = heard[at:] + _read(own)


def frame_at(heard: bytes, at: int) -> tuple[int, int] | None:
    """Where the payload of a server's frame begins and ends; None while it is not whole."""
    if len(heard) < at + 10 and len(heard) < at + 2 + (heard[at + 1] if len(heard) > at + 1 else 1):
        return None
    length, start = heard[at + 1], at + 2
    if length == 126:
        length, start = int.from_bytes(heard[at + 2 : at + 4], "big"), at + 4
    elif length == 127:
        length, start = int.from_bytes(heard[at + 2 : at + 10], "big"), at + 10
    return None if len(heard) < start + length else (start, start + length)


def _read(own: socket.socket) -> bytes:
    data = own.recv(1 << 18)
    if not data:
        raise Unexpected("the server closed the stream of one who came back")
    return data
