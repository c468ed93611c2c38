"""
The process: from start to ready on a database that is there, its memory at rest, and the memory of
a live game that nobody moves.

Live games are copied into the database before the server starts; one command in each brings them
into its memory. What it has grown by then, above what the same commands in a few games led to, is
theirs. There are no more of them than a process keeps at hand.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from statistics import median

from app.clocks.pulse import GAP_MS
from app.store.kept import MOST
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Unexpected, request_bytes
from benchmarks.copies import copied, copy_id, recorded
from benchmarks.measure import Lane, once
from benchmarks.players import Player, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import DURABILITY, STORES, Store, Target, resident_mib
from benchmarks.tables import open_tables
from tests.servers.hotdice import HotdiceServer

STARTS = 3
QUICK_STARTS = 1
AT_REST_S = 0.5
"""From ready until its memory is read."""
AWAY_S = 1.2 * GAP_MS / 1000
"""Without a server: clocks are told of it, and every running game is looked at."""
LOOKED_S = 3.0
"""From ready until that is done."""
OWNERS = 8
EACH = 500
QUICK_EACH = 10
"""Live games of each of them."""
WARM = 2_000
QUICK_WARM = 100
"""Commands, before the live games are touched."""


class Touch:
    """
    One roll in each of these live games, which it may share with other connections.

    Args:
        waiting: the token of each game's player, and its id.
    """

    def __init__(self, waiting: Iterator[tuple[str, str]]) -> None:
        self._waiting = waiting

    def request(self) -> bytes:
        token, game_id = next(self._waiting)
        headers = f"authorization: Bearer {token}\r\n"
        return request_bytes("POST", f"/v1/games/{game_id}/roll", headers=headers)

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        if status != 200:
            raise Unexpected(f"roll: {status} {body[:500]!r}")


async def section(bench: Bench) -> list[Table]:
    each = QUICK_EACH if bench.pace.quick else EACH
    assert each * OWNERS <= MOST, "more games than a process keeps at hand"
    rows: list[list[Cell]] = []
    for store in STORES:
        bench.say(f"the process on {store}")
        server = await bench.prepared(store, "process")
        found = await figures(bench, store, server, each)
        rows.append([store, *found])
        for key, figure in zip(("ready", "idle", "idle game"), found, strict=False):
            bench.found[f"{key}, {store}"] = figure
    columns = (
        *("store", "start to ready s", "idle MiB", "KiB per idle live game"),
        f"idle MiB, {each * OWNERS} live games stored",
    )
    notes = (
        f"start to ready: median of {_starts(bench)}, {each * OWNERS} live games in the database",
        f"idle: resident memory {AT_REST_S} s after ready, before any call; on a new database, and",
        f"on that one: after {AWAY_S:.0f} s without a server, it has looked at every running game",
        f"a live game: what the process grew by when each of the {each * OWNERS} got one command",
    )
    force = [f"{DURABILITY[store]}; {SWITCHES}" for store in STORES]
    return [Table("The process", columns, rows, notes, in_force=force)]


async def figures(bench: Bench, store: Store, server: HotdiceServer, each: int) -> list[float]:
    """Seconds, MiB, KiB, MiB beside the live games."""
    with server:
        await asyncio.sleep(AT_REST_S)
        alone = resident_mib(server.process.pid)
        tokens = guests(server.port, OWNERS)
        originals = {open_tables(server.port, token, 1)[0]: token for token in tokens}
    rows = await recorded(server.database_url, list(originals))
    await copied(server.database_url, rows, each)
    live = [
        (token, copy_id(game_id, number))
        for game_id, token in originals.items()
        for number in range(1, each + 1)
    ]
    if not bench.pace.quick:
        await asyncio.sleep(AWAY_S)
    with server:
        await asyncio.sleep(AT_REST_S if bench.pace.quick else LOOKED_S)
        idle = resident_mib(server.process.pid)
    ready: list[float] = []
    starts = _starts(bench)
    for number in range(starts):
        began = time.perf_counter()
        server.start()
        ready.append(time.perf_counter() - began)
        if number < starts - 1:
            server.terminate()
    try:
        target = bench.target(server, store)
        players = [Player(token) for token in tokens]
        kib = await kib_each(bench, target, players, live)
        return [median(ready), alone, kib, idle]
    finally:
        server.terminate()


async def kib_each(
    bench: Bench, target: Target, players: Sequence[Player], live: Sequence[tuple[str, str]]
) -> float:
    """What the process grows by for each of these, after players have warmed it up."""
    await once(Lane("warm", target, players), QUICK_WARM if bench.pace.quick else WARM)
    before = resident_mib(target.pid)
    waiting = iter(live)
    await once(Lane("touch", target, [Touch(waiting) for _ in players]), len(live))
    return (resident_mib(target.pid) - before) * 1024 / len(live)


def _starts(bench: Bench) -> int:
    return QUICK_STARTS if bench.pace.quick else STARTS
