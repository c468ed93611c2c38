"""
What people feel of bots: 100 human commands a second, alone and beside 100 tables of bots alone.

People come open-loop, at the same moments in every window; the tables of bots are started for a
window and ended with it. One row lets them play as fast as the server lets them, one at a pace that
people could follow.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from app.lag import BOUNDS_S
from benchmarks.arrivals import arrive, poisson
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import call
from benchmarks.measure import quantile
from benchmarks.players import Player, guests
from benchmarks.report import Cell, Table
from benchmarks.scraped import Scraped, scrape
from benchmarks.servers import STORES, Target
from benchmarks.tables import ENDLESS

PER_SECOND = 100.0
"""Commands of people."""
PEOPLE = 48
TABLES = 100
QUICK_TABLES = 6
HOSTS = 10
"""Of the tables of bots: a host may have no more than so many."""
SECONDS = 1.7
QUICK_SECONDS = 0.4
SETTLES_S = 1.5
"""From the start of the last table of bots to the window: what falls due 3 s later is in it too."""
QUICK_SETTLES_S = 0.1
BOTS: dict[str, int | None] = {"alone": None, "pace 0": 0, "pace 500 ms": 500}
"""Rows: the pace of the bots beside them."""
SOON_S = 0.02
"""The aim: 99 of 100 timers are served within this."""


@dataclass(frozen=True)
class Window:
    """People for a while, with or without bots."""

    commands: int
    p50_ms: float
    p99_ms: float
    decisions: float
    """Of bots, a second."""
    server_cpu: float
    """Of the server process, in cores."""
    database_cpu: float | None
    """Of all Postgres processes, in cores; None without Postgres."""
    lag_p99_ms: float
    """Between the bounds of the server's own histogram, by the straight line."""
    soon: float
    """Share of timers that were served within `SOON_S`."""


@dataclass
class Row:
    target: Target
    pace_ms: int | None
    windows: list[Window] = field(default_factory=list)


async def section(bench: Bench) -> list[Table]:
    seconds, tables, settles_s = SECONDS, TABLES, SETTLES_S
    if bench.pace.quick:
        seconds, tables, settles_s = QUICK_SECONDS, QUICK_TABLES, QUICK_SETTLES_S
    due = poisson(PER_SECOND, seconds, seed=1)
    shown: list[Table] = []
    for store in STORES:
        target = await bench.hotdice(store)
        people = [Player(token) for token in guests(target.port, PEOPLE)]
        hosts = guests(target.port, HOSTS)
        # Everybody sits at a table of its own before anything is measured.
        await arrive(target.port, people, [n / PER_SECOND for n in range(3 * PEOPLE)])
        rows = {name: Row(target, pace_ms) for name, pace_ms in BOTS.items()}
        for number in range(bench.pace.rounds):
            bench.say(f"bots on {store}, round {number + 1} of {bench.pace.rounds}")
            for row in list(rows.values()) if number % 2 == 0 else reversed(rows.values()):
                games = []
                if row.pace_ms is not None:
                    games = start(target, hosts, tables, row.pace_ms)
                    await asyncio.sleep(settles_s)
                row.windows.append(await window(target, people, due))
                for host, game_id in games:
                    call(target.port, "POST", f"/v1/games/{game_id}/end", token=host)
        shown.append(table(bench, target, tables, rows))
    return shown


def start(target: Target, hosts: list[str], how_many: int, pace_ms: int) -> list[tuple[str, str]]:
    """Tables of two bots that play without end: host and game."""
    body = {
        "rules": {"preset": "farkle", "options": {"target": ENDLESS}},
        "seats": [{"kind": "bot"}, {"kind": "bot"}],
        "bots": {"pace_ms": pace_ms},
    }
    games: list[tuple[str, str]] = []
    for number in range(how_many):
        host = hosts[number % len(hosts)]
        games.append((host, call(target.port, "POST", "/v1/games", body, host)["id"]))
    for host, game_id in games:
        call(target.port, "POST", f"/v1/games/{game_id}/start", token=host)
    return games


async def window(target: Target, people: list[Player], due: list[float]) -> Window:
    before, cpu, database = scrape(target.port), target.server_cpu(), target.database_cpu()
    began = time.perf_counter()
    waits = sorted(await arrive(target.port, people, due))
    took, cpu = time.perf_counter() - began, target.server_cpu() - cpu
    if database is not None:
        database = ((target.database_cpu() or 0.0) - database) / took
    after = scrape(target.port)
    lags = after.since(before)
    return Window(
        commands=len(waits),
        p50_ms=quantile(waits, 0.5),
        p99_ms=quantile(waits, 0.99),
        decisions=(after.decisions - before.decisions) / took,
        server_cpu=cpu / took,
        database_cpu=database,
        lag_p99_ms=1000 * Scraped.quantile(lags, 0.99),
        soon=sum(lags[: BOUNDS_S.index(SOON_S) + 1]) / max(1, sum(lags)),
    )


def table(bench: Bench, target: Target, tables: int, rows: dict[str, Row]) -> Table:
    shown: list[list[Cell]] = []
    alone = rows["alone"].windows
    for name, row in rows.items():
        pairs = zip(row.windows, alone, strict=True)
        shown.append(
            [
                f"{target.store}: {name}",
                tables if row.pace_ms is not None else 0,
                median(w.decisions for w in row.windows),
                median(w.p50_ms for w in row.windows),
                median(w.p99_ms for w in row.windows),
                median(mine.p99_ms / other.p99_ms for mine, other in pairs),
                median(w.server_cpu for w in row.windows),
                None
                if target.postgres is None
                else median(w.database_cpu or 0.0 for w in row.windows),
                median(w.lag_p99_ms for w in row.windows),
                100 * median(w.soon for w in row.windows),
            ]
        )
    columns = (
        *("row", "tables of bots", "decisions/s", "p50 ms", "p99 ms", "× p99 alone"),
        *("server cores", "postgres cores", "lag p99 ms", "% of timers within 20 ms"),
    )
    notes = (
        f"medians of {bench.pace.rounds} rounds with {alone[0].commands} commands of people each",
        f"people: {PER_SECOND:.0f} commands a second, Poisson arrivals, open loop",
        "p50, p99 of people's commands, from when each was due to its answer",
        "lag: how late the server's event loop served a timer that is due 40 times a second",
    )
    force = f"{target.switches}; {SWITCHES}"
    raw: dict[str, Any] = {name: [vars(w) for w in row.windows] for name, row in rows.items()}
    title = f"Bots: what people feel of them, on {target.store}"
    return Table(title, columns, shown, notes, {"rounds": raw}, [force] * len(shown))
