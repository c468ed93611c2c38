"""
The cost of a command early and late in a game: at event 10, 1 000 and 10 000 of its log.

Every round measures all three lengths, in a new order. Games at event 10 are left again after a few
commands, so that they stay young; every table has been read before it is measured, so that no
length pays for a first meeting. What is compared is server CPU per command, and on Postgres that
of its processes too.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.bench import SWITCHES, Bench
from benchmarks.measure import Lane, Round, interval, once
from benchmarks.players import Tour, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import STORES, Store, Target
from benchmarks.tables import grow, open_tables

LENGTHS = (10, 1_000, 10_000)
CONNECTIONS = 4
STAY = 25
"""Commands at one young table: it is then at event 50 or so."""


async def section(bench: Bench) -> list[Table]:
    rows: list[list[Cell]] = []
    rounds: dict[str, list[dict[str, float | None]]] = {}
    for store in STORES:
        lanes = await measured(bench, store, await bench.hotdice(store))
        young = lanes[LENGTHS[0]]
        for length, lane in lanes.items():
            rows.append(
                [
                    f"{store}, from event {length}",
                    CONNECTIONS,
                    lane.median(lambda r: r.per_second),
                    lane.median(lambda r: r.server_us),
                    lane.median(lambda r: r.database_us),
                    "" if lane is young else ratios(lane, young),
                ]
            )
            rounds[f"{store} {length}"] = [r._asdict() for r in lane.rounds]
    columns = ("row", "connections", "per s", "server µs", "postgres µs", "× event 10")
    notes = (
        f"medians of {bench.pace.pairs} rounds of {bench.pace.growth_commands} commands",
        "× event 10: all CPU, geometric mean of the rounds' ratios and its 95 % interval",
        SWITCHES,
    )
    title = "The cost of a command as its game grows"
    return [Table(title, columns, rows, notes, {"rounds": rounds})]


async def measured(bench: Bench, store: Store, target: Target) -> dict[int, Lane]:
    """A row for each length, with its rounds."""
    pace = bench.pace
    lanes = {length: Lane(f"{store} {length}", target, ()) for length in LENGTHS}
    tokens = guests(target.port, CONNECTIONS)
    bench.say(f"growing games on {store}")
    old: dict[tuple[str, int], str] = {}
    for token in tokens:
        for length in LENGTHS[1:]:
            [game_id] = open_tables(target.port, token, 1)
            await grow(target, [game_id], length)
            old[token, length] = game_id
    for length in orders(pace.pairs):
        bench.say(f"growth on {store}, event {length}")
        scripts: list[Tour] = []
        for token in tokens:
            if length == LENGTHS[0]:
                needed = pace.growth_commands // CONNECTIONS // STAY + 2
                young = open_tables(target.port, token, needed)
                await grow(target, young, length)
                scripts.append(Tour(target.port, token, young, STAY))
            else:
                scripts.append(Tour(target.port, token, [old[token, length]], 0))
        lane = lanes[length]
        lane.scripts = scripts
        lane.rounds.append(await once(lane, pace.growth_commands))
    return lanes


def orders(rounds: int) -> Iterator[int]:
    """All lengths in every round, each beginning with another one."""
    for number in range(rounds):
        first = number % len(LENGTHS)
        yield from (*LENGTHS[first:], *LENGTHS[:first])


def ratios(lane: Lane, young: Lane) -> str:
    pairs = zip(lane.rounds, young.rounds, strict=True)
    return str(interval([_cpu(late) / _cpu(early) for late, early in pairs]))


def _cpu(of: Round) -> float:
    return of.server_us + (of.database_us or 0.0)
