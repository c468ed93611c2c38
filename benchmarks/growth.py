"""
The cost of a command early and late in a game: at event 10, 1 000 and 10 000 of its log.

Every round measures all three lengths, in a new order. Games at event 10 are left again after a few
commands, so that they stay young; every table has been read before it is measured, so that no
length pays for a first meeting. What is compared is server CPU per command, and on Postgres that
of its processes too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.bench import SWITCHES, Bench
from benchmarks.measure import Lane, once, paired
from benchmarks.players import Tour, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import STORES, Store, Target
from benchmarks.tables import grow, open_tables

LENGTHS = (10, 1_000, 10_000)
QUICK = (10, 100, 300)
CONNECTIONS = 4
STAY = 25
"""Commands at one young table: it is then at event 50 or so."""


async def section(bench: Bench) -> list[Table]:
    rows: list[list[Cell]] = []
    rounds: dict[str, list[dict[str, float | None]]] = {}
    in_force: list[str] = []
    for store in STORES:
        lanes = await measured(bench, store, await bench.hotdice(store))
        young = lanes[min(lanes)]
        for length, lane in lanes.items():
            rows.append(
                [
                    f"{store}, from event {length}",
                    CONNECTIONS,
                    lane.median(lambda r: r.per_second),
                    lane.median(lambda r: r.server_us),
                    lane.median(lambda r: r.database_us),
                    "" if lane is young else str(paired(lane, young)),
                ]
            )
            rounds[f"{store} {length}"] = [r._asdict() for r in lane.rounds]
            in_force.append(f"{lane.target.switches}; {SWITCHES}")
        if not bench.pace.quick:
            bench.found[f"event 10 000 × 10, {store}"] = paired(lanes[max(lanes)], young)
    columns = ("row", "connections", "per s", "server µs", "postgres µs", "× event 10")
    notes = (
        f"medians of {bench.pace.pairs} rounds of {bench.pace.pair_commands} commands",
        "× event 10: all CPU, geometric mean of the rounds' ratios and its 95 % interval",
    )
    title = "The cost of a command as its game grows"
    return [Table(title, columns, rows, notes, {"rounds": rounds}, in_force)]


async def measured(bench: Bench, store: Store, target: Target) -> dict[int, Lane]:
    """A row for each length, with its rounds."""
    pace = bench.pace
    lengths = QUICK if pace.quick else LENGTHS
    lanes = {length: Lane(f"{store} {length}", target, ()) for length in lengths}
    tokens = guests(target.port, CONNECTIONS)
    bench.say(f"growing games on {store}")
    old: dict[tuple[str, int], str] = {}
    for token in tokens:
        for length in lengths[1:]:
            [game_id] = open_tables(target.port, token, 1)
            await grow(target, [game_id], length)
            old[token, length] = game_id
    for length in orders(pace.pairs, lengths):
        bench.say(f"growth on {store}, event {length}")
        scripts: list[Tour] = []
        for token in tokens:
            if length == lengths[0]:
                needed = pace.pair_commands // CONNECTIONS // STAY + 2
                young = open_tables(target.port, token, needed)
                await grow(target, young, length)
                scripts.append(Tour(target.port, token, young, STAY))
            else:
                scripts.append(Tour(target.port, token, [old[token, length]], 0))
        lane = lanes[length]
        lane.scripts = scripts
        lane.rounds.append(await once(lane, pace.pair_commands))
    return lanes


def orders(rounds: int, sizes: Sequence[int]) -> Iterator[int]:
    """All sizes in every round, each round beginning with another one."""
    for number in range(rounds):
        first = number % len(sizes)
        yield from (*sizes[first:], *sizes[:first])
