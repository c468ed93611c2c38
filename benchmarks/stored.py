"""
The cost of a command by how many games are stored: 100, 10 000, 100 000, half of them over.

For each number there is a server with a database of its own, and every round measures all of them,
in a new order. What is played are whole games: opening one touches every index that has grown.
"""

from __future__ import annotations

import asyncio

from app.store import tables
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Unexpected, call
from benchmarks.copies import Rows, copied, recorded
from benchmarks.growth import orders
from benchmarks.measure import Lane, once, paired
from benchmarks.players import Player, guests, seated
from benchmarks.report import Cell, Table, shown
from benchmarks.rest import FIGURES
from benchmarks.servers import STORES, Store, Target

SIZES = (100, 10_000, 100_000)
QUICK = (10, 100)
CONNECTIONS = 8
SEATED = 1_000
"""Players at the copies, of each original one."""
COUNTED_IN_S = 20
WARM = 200
"""Commands that are not measured."""
ROLLS = 3
"""In each of the originals, with what follows of each."""


async def section(bench: Bench) -> list[Table]:
    rows: list[list[Cell]] = []
    rounds: dict[str, list[dict[str, float | None]]] = {}
    in_force: list[str] = []
    for store in STORES:
        lanes = await measured(bench, store)
        fewest = lanes[min(lanes)]
        for size, lane in lanes.items():
            count = shown(size)
            against = "" if lane is fewest else str(paired(lane, fewest))
            rows.append([f"{store}, {count} games", CONNECTIONS])
            rows[-1] += [*(lane.median(figure) for figure in FIGURES), against]
            rounds[f"{store} {size}"] = [r._asdict() for r in lane.rounds]
            in_force.append(f"{lane.target.switches}; {SWITCHES}")
        if not bench.pace.quick:
            bench.found[f"games 100 000 × 100, {store}"] = paired(lanes[max(lanes)], fewest)
    columns = (
        *("row", "connections", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
        "× fewest games",
    )
    notes = (
        f"medians of {bench.pace.pairs} rounds of {bench.pace.pair_commands} commands",
        "× fewest games: all CPU, geometric mean of the rounds' ratios and its 95 % interval",
    )
    title = "The cost of a command by games stored"
    return [Table(title, columns, rows, notes, {"rounds": rounds}, in_force)]


async def measured(bench: Bench, store: Store) -> dict[int, Lane]:
    """A row for each number of games, with its rounds."""
    sizes = QUICK if bench.pace.quick else SIZES
    target = await bench.hotdice(store)
    originals = await counted(target.database_url, [running(target), over(target)])
    lanes: dict[int, Lane] = {}
    for size in sizes:
        bench.say(f"{size} games on {store}")
        server = await bench.prepared(store, f"games_{size}")
        await copied(server.database_url, originals, size // 2, SEATED)
        bench.brief.enter_context(server)
        scripts = [Player(token) for token in guests(server.port, CONNECTIONS)]
        lanes[size] = Lane(f"{store} {size}", bench.target(server, store), scripts)
        await once(lanes[size], WARM)
    if store == "postgres":
        bench.postgres().sql("CHECKPOINT")  # of what was copied, before anything is measured
    for size in orders(bench.pace.pairs, sizes):
        lanes[size].rounds.append(await once(lanes[size], bench.pace.pair_commands))
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
