"""
The cost of a command early and late in a game: from event 10, 1 000 and 10 000 of its log.

A longer one and event 10 take short turns: `pairs.duel`. A game at event 10 is left again after a
few blocks, so that it stays young; older ones are played on. The tables are copies of one game for
each length. Before those blocks each table, young or old, is played to the beginning of a turn:
its row is read again then, so that no length pays for a first meeting, and all begin alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Fleet
from benchmarks.copies import copied, copy_id, recorded
from benchmarks.measure import Lane
from benchmarks.pairs import FIRST, Interval, duel, mean
from benchmarks.players import Regular, guests
from benchmarks.report import Cell, Table
from benchmarks.rest import FIGURES
from benchmarks.servers import STORES, Target
from benchmarks.tables import grow, open_tables

LENGTHS = (10, 1_000, 10_000)
QUICK = (10, 100, 300)
CONNECTIONS = 8
EACH = 5
"""Commands of a block on each connection."""
STAY = 4
"""Blocks at a young table."""
A_TURN = 40
"""Commands that no turn needs."""
COSTS = (FIGURES[0], *FIGURES[3:])
LESS = 3
"""Times fewer blocks for what no aim is about."""


async def section(bench: Bench) -> list[Table]:
    rows: list[list[Cell]] = []
    rounds: dict[str, list[dict[str, float | None]]] = {}
    in_force: list[str] = []
    lengths = QUICK if bench.pace.quick else LENGTHS
    for store in STORES:
        target = await bench.hotdice(store)
        cycles = dict.fromkeys(lengths[1:], bench.pace.cycles // LESS)
        cycles[lengths[-1]] = bench.pace.cycles
        lanes = await prepared(bench, target, lengths, sum(cycles.values()) + len(cycles) * FIRST)
        bench.settle(target)
        ratios: dict[int, Interval] = {}
        for length, count in cycles.items():
            bench.say(f"growth on {store}, event {length}")
            young, old = lanes[lengths[0]], lanes[length]
            ratios[length] = await duel(old, young, count, EACH, to_a_turn)
        for length, lane in lanes.items():
            rows.append([f"{store}, from event {length}", CONNECTIONS, len(lane.rounds)])
            rows[-1] += [mean(lane, figure) for figure in COSTS]
            rows[-1] += [str(ratios.get(length, ""))]
            rounds[f"{store} {length}"] = [r._asdict() for r in lane.rounds]
            in_force.append(f"{lane.target.switches}; {SWITCHES}")
        if not bench.pace.quick:
            bench.found[f"event 10 000 × 10, {store}"] = ratios[lengths[-1]]
    columns = ("row", "connections", "blocks", "per s", "server µs", "postgres µs", "× event 10")
    notes = (
        f"means of blocks of {CONNECTIONS * EACH} commands; row and event 10 by turns",
        "× event 10: all CPU, pair by pair; the median and its interval of 95 %, by the sign test",
    )
    title = "The cost of a command as its game grows"
    return [Table(title, columns, rows, notes, {"rounds": rounds}, in_force)]


async def prepared(
    bench: Bench, target: Target, lengths: Sequence[int], cycles: int
) -> dict[int, Lane]:
    """A row for each length; at young tables for so many cycles."""
    lanes: dict[int, Lane] = {}
    for length in lengths:
        bench.say(f"games of {length} events on {target.store}")
        each = 1 if lanes else 1 + 2 * cycles // STAY + len(lengths)
        token, game_ids = await alike(target, length, CONNECTIONS * each)
        scripts = [
            Regular(target.port, token, game_ids[at::CONNECTIONS]) for at in range(CONNECTIONS)
        ]
        lanes[length] = Lane(f"{target.store} {length}", target, scripts)
    return lanes


async def alike(target: Target, length: int, count: int) -> tuple[str, list[str]]:
    """A player's games of so many events, or one or two more, that differ by their dice to come."""
    [token] = guests(target.port, 1)
    [game_id] = open_tables(target.port, token, 1)
    await grow(target, [game_id], length)
    rows = await recorded(target.database_url, [game_id])
    await copied(target.database_url, rows, count)
    return token, [copy_id(game_id, number) for number in range(1, count + 1)]


async def to_a_turn(lane: Lane, fleet: Fleet, block: int) -> None:
    """Young tables are left for others in time; every table is played to the next turn then."""
    if block % STAY == 0:
        for script in lane.scripts:
            cast(Regular, script).move_on()
        await fleet.each(A_TURN, lambda script: cast(Regular, script).begins_turn)
