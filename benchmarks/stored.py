"""
The cost of a command by how many games are stored: 100, 10 000, 100 000, half of them over.

For each number there is a server with a database of its own. All of them run, and take short turns:
`pairs.duel`. What is played are short games from the first command to the last, for opening
and ending one touches every index that has grown; each block opens and ends as many.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.store import tables
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Unexpected, call
from benchmarks.copies import Rows, copied, recorded
from benchmarks.growth import LESS
from benchmarks.measure import Lane
from benchmarks.pairs import Interval, duel, mean
from benchmarks.players import Brief, guests, seated
from benchmarks.report import Cell, Table, shown
from benchmarks.rest import FIGURES
from benchmarks.servers import STORES, Store, Target

SIZES = (100, 10_000, 100_000)
QUICK = (10, 100)
CONNECTIONS = 8
EACH = 5
"""Commands of a block on each connection."""
BLOCKS = 8
"""That a game lasts: one connection opens one at the beginning of each."""
SEATED = 1_000
"""Players at the copies, of each original one."""
COUNTED_IN_S = 20
ROLLS = 2
"""In each of the originals, with what follows of each."""


async def section(bench: Bench) -> list[Table]:
    rows: list[list[Cell]] = []
    rounds: dict[str, list[dict[str, float | None]]] = {}
    in_force: list[str] = []
    sizes = QUICK if bench.pace.quick else SIZES
    for store in STORES:
        lanes = await prepared(bench, store, sizes)
        ratios: dict[int, Interval] = {}
        for size in sizes[1:]:
            bench.say(f"{sizes[0]} and {size} games on {store}, by turns")
            cycles = bench.pace.cycles // (1 if size == sizes[-1] else LESS)
            ratios[size] = await duel(lanes[size], lanes[sizes[0]], cycles, EACH)
        for size, lane in lanes.items():
            rows.append([f"{store}, {shown(size)} games", CONNECTIONS, len(lane.rounds)])
            rows[-1] += [*(mean(lane, figure) for figure in FIGURES), str(ratios.get(size, ""))]
            rounds[f"{store} {size}"] = [r._asdict() for r in lane.rounds]
            in_force.append(f"{lane.target.switches}; {SWITCHES}")
        if not bench.pace.quick:
            bench.found[f"games 100 000 × 100, {store}"] = ratios[sizes[-1]]
    columns = (
        *("row", "connections", "blocks", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
        "× fewest",
    )
    notes = (
        f"means of blocks of {CONNECTIONS * EACH} commands; row and fewest games by turns",
        f"games of {BLOCKS * EACH} commands: opened, started, played, resigned",
        "× fewest: all CPU, pair by pair; the median and its interval of 95 %, by the sign test",
    )
    title = "The cost of a command by games stored"
    return [Table(title, columns, rows, notes, {"rounds": rounds}, in_force)]


async def prepared(bench: Bench, store: Store, sizes: Sequence[int]) -> dict[int, Lane]:
    """A row for each number of games, its server running."""
    target = await bench.hotdice(store)
    originals = await counted(target.database_url, [running(target), over(target)])
    lanes: dict[int, Lane] = {}
    for size in sizes:
        bench.say(f"{size} games on {store}")
        server = await bench.prepared(store, f"games_{size}")
        await copied(server.database_url, originals, size // 2, SEATED)
        bench.brief.enter_context(server)
        scripts = [
            Brief(token, BLOCKS * EACH, first=EACH * (1 + number % BLOCKS))
            for number, token in enumerate(guests(server.port, CONNECTIONS))
        ]
        lanes[size] = Lane(f"{store} {size}", bench.target(server, store), scripts)
    bench.settle(target)  # what was copied, too, is on disk before anything is measured
    return lanes


async def counted(database_url: str, game_ids: list[str]) -> Rows:
    """
    Their rows, once the server has counted the one that is over: else every copy would have to be
    counted while something is measured. Raises: Unexpected.
    """
    for _ in range(COUNTED_IN_S):
        rows = await recorded(database_url, game_ids)
        if rows[tables.results] and not rows[tables.ended]:
            return rows
        await asyncio.sleep(1)
    raise Unexpected("a game that is over was not counted")


def running(target: Target) -> str:
    """A game of two players that goes on."""
    return played(target, guests(target.port, 2))


def over(target: Target) -> str:
    """One that is over: somebody has resigned."""
    tokens = guests(target.port, 2)
    game_id = played(target, tokens)
    call(target.port, "POST", f"/v1/games/{game_id}/resign", token=tokens[0])
    return game_id


def played(target: Target, tokens: list[str]) -> str:
    """A game of these, some turns old."""
    game = seated(target.port, tokens)
    path = f"/v1/games/{game['id']}"
    for _ in range(ROLLS):
        mover = tokens[game["turn"]["seat"]]
        game = call(target.port, "POST", f"{path}/roll", token=mover)["game"]
        if game["turn"]["phase"] == "to_select":
            best = max(game["legal"]["selections"], key=lambda s: s["points"])
            chosen = {"dice": best["dice"]}
            game = call(target.port, "POST", f"{path}/select", chosen, mover)["game"]
    game_id: str = game["id"]
    return game_id
