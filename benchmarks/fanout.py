"""
One game, followed by 1, 100 and 1 000: Hotdice beside a server that only broadcasts, in one run.

The publisher plays one game over HTTP. Each round has two parts: flat out (the next command when
the last one is answered), which tells what a delivery costs; and at a quiet pace, which tells how
long a frame is on its way when nothing waits before it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.audience import Audience, Heard, recorded
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Same
from benchmarks.players import Regular, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import Target, resident_mib, start_broadcast
from benchmarks.tables import open_tables
from tests.servers.rig import process_rig

LISTENERS = (1, 100, 1_000)
QUICK = (1, 10, 100)
PACES = {1: 100.0, 10: 100.0, 100: 100.0, 1_000: 20.0}
"""Frames a second at a quiet pace, by listeners: about a fifth of what the server can do."""

MANY = 100

FRAMES = 200
"""Recorded frames of a game, which the broadcast sends in turn."""


@dataclass
class Row:
    name: str
    audience: Audience
    fast: list[Heard] = field(default_factory=list)
    quiet: list[Heard] = field(default_factory=list)
    kib_each: float | None = None
    """Memory of the server's process for a listener that waits; where there are many."""


async def section(bench: Bench) -> list[Table]:
    hotdice = await bench.hotdice("sqlite")
    [token] = guests(hotdice.port, 1)
    counts = QUICK if bench.pace.quick else LISTENERS
    first, *game_ids = open_tables(hotdice.port, token, 1 + len(counts))

    def play(game_id: str) -> Regular:
        return Regular(hotdice.port, token, [game_id])

    bench.say("recording frames")
    frames = await recorded(hotdice, stream(first), play(first), FRAMES)
    raw = broadcast(bench, frames)
    bench.say("the listeners come")
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        for count, game_id in zip(counts, game_ids, strict=True):
            path = f"/{count}"
            for row in (
                Row("raw broadcast", Audience(raw, path, count, Same("POST", path))),
                Row("hotdice", Audience(hotdice, stream(game_id), count, play(game_id))),
            ):
                before = resident_mib(row.audience.target.pid)
                await stack.enter_async_context(row.audience)
                if count >= MANY:
                    grown = resident_mib(row.audience.target.pid) - before
                    row.kib_each = grown * 1024 / count
                rows.append(row)
        for row in rows:
            await row.audience.round(bench.pace.seconds / 4, None)  # warm
        for number in range(bench.pace.rounds):
            bench.say(f"fan-out, round {number + 1} of {bench.pace.rounds}")
            for row in rows if number % 2 == 0 else reversed(rows):
                pace = PACES[row.audience.count]
                row.fast.append(await row.audience.round(bench.pace.seconds, None))
                row.quiet.append(await row.audience.round(bench.pace.seconds, pace))
    if counts == LISTENERS:
        bench.found["fanout × raw"] = ratio(rows[-1], rows[-2], lambda h: h.per_second)
    return [table(bench, rows, sum(map(len, frames)) / len(frames))]


def stream(game_id: str) -> str:
    return f"/v1/games/{game_id}/stream"


def broadcast(bench: Bench, frames: list[bytes]) -> Target:
    """A server that sends these."""
    path: Path = process_rig().new_folder("frames") / "frames.ndjson"
    path.write_bytes(b"\n".join(frames))
    return start_broadcast(bench.brief, path)


def table(bench: Bench, rows: list[Row], frame_bytes: float) -> Table:
    shown: list[list[Cell]] = []
    for number, row in enumerate(rows):
        raw = rows[number // 2 * 2]
        shown.append(
            [
                row.name,
                row.audience.count,
                middle(row.fast, lambda h: h.per_second),
                middle(row.fast, lambda h: h.server_us),
                middle(row.fast, lambda h: h.client_us),
                middle(row.quiet, lambda h: h.p50_ms),
                middle(row.quiet, lambda h: h.p99_ms),
                middle(row.quiet, lambda h: h.p99_asking_ms),
                row.kib_each,
                ratio(row, raw, lambda h: h.per_second),
                ratio(row, raw, lambda h: h.server_us),
            ]
        )
    columns = (
        *("row", "listeners", "deliveries/s", "server µs", "client µs", "p50 ms", "p99 ms"),
        *("p99 ms from asking", "KiB each", "× raw deliveries/s", "× raw server µs"),
    )
    notes = (
        f"medians of {bench.pace.rounds} rounds; frames of {frame_bytes:,.0f} B on average",
        "deliveries/s and µs per delivery flat out, the commands' own cost included",
        "p50, p99 at a quiet pace, from the command's answer to the frame, over all listeners",
        "KiB each: memory of the server for each listener that has come and waits",
    )
    ours = f"{rows[1].audience.target.switches}; {SWITCHES}"
    theirs = "no store; uvicorn, serialised once, binary, no compression, no queues"
    rounds = {
        f"{row.name} ({row.audience.count})": {
            "fast": [h._asdict() for h in row.fast],
            "quiet": [h._asdict() for h in row.quiet],
        }
        for row in rows
    }
    return Table(
        "Fan-out: one publisher, many listeners",
        columns,
        shown,
        notes,
        {"rounds": rounds},
        [theirs, ours] * (len(rows) // 2),
    )


def middle(rounds: list[Heard], figure: Callable[[Heard], float]) -> float:
    return median(map(figure, rounds))


def ratio(row: Row, raw: Row, figure: Callable[[Heard], float]) -> float:
    """The median of the rounds' ratios."""
    return median(figure(a) / figure(b) for a, b in zip(row.fast, raw.fast, strict=True))
