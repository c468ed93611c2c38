"""
What 200 listeners feel of bad company: 200 that never read and 200 that read a byte a second.

The same game at the same pace, without and with them, in turn. They are measured from when they are
let in until they are sent away: the kernel's buffers fill, then their queues, then they are closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.audience import Audience, Heard, end, said, start
from benchmarks.bench import SWITCHES, Bench
from benchmarks.players import Regular, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import DURABILITY
from benchmarks.tables import open_tables

EACH = 200
QUICK = 10
PER_SECOND = 20.0
"""Frames."""

SECONDS = 7.2
"""A second or two until buffers are full, then five without a byte until a peer is sent away."""
QUICK_SECONDS = 0.5


async def section(bench: Bench) -> list[Table]:
    target = await bench.hotdice("sqlite")
    [token] = guests(target.port, 1)
    [game_id] = open_tables(target.port, token, 1)
    path = f"/v1/games/{game_id}/stream"
    each, seconds = (QUICK, QUICK_SECONDS) if bench.pace.quick else (EACH, SECONDS)
    alone: list[Heard] = []
    beside: list[Heard] = []
    async with Audience(target, path, each, Regular(target.port, token, [game_id])) as healthy:
        await healthy.round(seconds / 4, PER_SECOND)  # warm
        for number in range(bench.pace.rounds):
            bench.say(f"slow peers, round {number + 1} of {bench.pace.rounds}")
            alone.append(await healthy.round(seconds, PER_SECOND))
            bad = await start("benchmarks.dawdlers", str(target.port), path, str(each))
            await said(bad)
            beside.append(await healthy.round(seconds, PER_SECOND))
            await end(bad)
    return [table(bench, each, alone, beside)]


def table(bench: Bench, each: int, alone: list[Heard], beside: list[Heard]) -> Table:
    rows: list[list[Cell]] = []
    for name, rounds in ((f"{each} alone", alone), (f"beside {2 * each} slow ones", beside)):
        pairs = list(zip(rounds, alone, strict=True))
        rows.append(
            [
                name,
                median(h.p50_ms for h in rounds),
                median(h.p99_ms for h in rounds),
                median(h.p99_asking_ms for h in rounds),
                median(h.server_us for h in rounds),
                ratio([(mine.p99_ms, other.p99_ms) for mine, other in pairs]),
                ratio([(mine.p99_asking_ms, other.p99_asking_ms) for mine, other in pairs]),
            ]
        )
    columns = (
        *("row", "p50 ms", "p99 ms", "p99 ms from asking", "server µs"),
        *("× p99", "× p99 from asking"),
    )
    notes = (
        f"medians of {bench.pace.rounds} rounds, {PER_SECOND:.0f} frames a second",
        "p50, p99 from the command's answer to the frame, over all healthy listeners",
        "server µs: CPU per delivery to a healthy one, with all else that the server did",
    )
    force = f"{DURABILITY['sqlite']}; {SWITCHES}"
    raw = {
        "alone": [h._asdict() for h in alone],
        "beside": [h._asdict() for h in beside],
    }
    title = "Slow peers: what healthy listeners feel of them"
    return Table(title, columns, rows, notes, raw, [force] * len(rows))


def ratio(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The median; None where nobody ever waited alone, for then there is nothing to compare."""
    found = [mine / other for mine, other in pairs if other]
    return median(found) if found else None
