"""
Commands, over HTTP and over the game's stream: Hotdice on both stores beside a bare and a naive
FastAPI, with 1, 32 and 256 connections, all in one run.
"""

from __future__ import annotations

from collections.abc import Callable

from app.rulebook import Rulebook
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Fleet, Same, Script
from benchmarks.measure import Lane, Round, in_turn, ratio, warm_up
from benchmarks.players import OPTIONS, Player, Reader, TersePlayer, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import STORES, Store, Target, start_ceiling
from benchmarks.spoken import Endless, StreamFleet

ONE = 1
MANY = 32
MOST = 256
"""Connections."""
SPELLED_OUT = 1_250
"""Bytes of a bare answer without padding, roughly."""
SMALL = 1_500
"""Bytes of the smaller bare answer."""
NO_SWITCHES = "no logs, metrics or limits"

COLUMNS = (
    *("row", "connections", "answer B", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
    "× bare",
)

FIGURES: tuple[Callable[[Round], float | None], ...] = (
    lambda r: r.per_second,
    lambda r: r.p50_ms,
    lambda r: r.p99_ms,
    lambda r: r.server_us,
    lambda r: r.database_us,
)


async def section(bench: Bench) -> list[Table]:
    hotdice = {store: rows_of(store, await bench.hotdice(store)) for store in STORES}
    bench.say("warming up")
    seconds = bench.pace.seconds
    sizes = [
        (await warm_up(lane, seconds)).answer_bytes for lanes in hotdice.values() for lane in lanes
    ]
    bare, ceilings = start_ceilings(bench, round(sizes[0]))
    for lane in ceilings:
        await warm_up(lane, seconds)
    lanes = [*ceilings, *(lane for lanes in hotdice.values() for lane in lanes)]
    await in_turn(lanes, bench.pace.rounds, bench.say)
    for store, [commands, keyed, *_] in hotdice.items():
        for key, lane in (("rest × bare", commands), ("rest, keys × bare", keyed)):
            found = ratio(lane, bare, lambda r: r.server_us)
            assert found is not None
            bench.found[f"{key}, {store}"] = found
    return [table(bench, lanes, bare)]


def rows_of(store: Store, target: Target) -> list[Lane]:
    """What is asked of Hotdice on one store; commands over 32 connections first."""
    rules = Rulebook.shipped().preset("farkle", OPTIONS, "").rules
    port = target.port

    def lane(what: str, scripts: list[Script], fleet: type[Fleet] = Fleet) -> Lane:
        force = f"{target.switches}; {SWITCHES}"
        return Lane(f"hotdice, {store}: {what}", target, scripts, force, fleet=fleet)

    def commands(connections: int) -> Lane:
        return lane("commands", [Player(token) for token in guests(port, connections)])

    def over_streams(connections: int, view: str = "full") -> Lane:
        tokens = guests(port, connections)
        scripts: list[Script] = [Endless(port, token, rules, view) for token in tokens]
        name = "commands over streams" + ("" if view == "full" else f", view={view}")
        return lane(name, scripts, StreamFleet)

    keyed, terse, readers = (guests(port, MANY) for _ in range(3))
    return [
        commands(MANY),
        lane("commands, Idempotency-Key", [Player(token, keys=True) for token in keyed]),
        lane("commands, return=minimal", [TersePlayer(token, rules) for token in terse]),
        over_streams(MANY),
        over_streams(MANY, "events"),
        lane("GET game", [Reader(port, token) for token in readers]),
        commands(ONE),
        over_streams(ONE),
        commands(MOST),
        over_streams(MOST),
    ]


def start_ceilings(bench: Bench, size: int) -> tuple[Lane, list[Lane]]:
    """
    The rows Hotdice is held against, the yardstick first.

    Args:
        size: bytes of an answer of Hotdice to a command.
    """
    bench.say("starting the ceilings")
    padding = max(0, size - SPELLED_OUT)
    same = start_ceiling(bench.brief, "bare", padding=padding)
    small = start_ceiling(bench.brief, "bare", padding=SMALL - SPELLED_OUT)
    sqlite = start_ceiling(bench.brief, "naive", padding=padding)
    postgres = start_ceiling(bench.brief, "naive", padding=padding, postgres=bench.postgres())

    def lane(name: str, target: Target, connections: int = MANY) -> Lane:
        scripts = [Same("POST", "/commands", b'{"type":"roll"}') for _ in range(connections)]
        return Lane(name, target, scripts, f"{target.switches}; {NO_SWITCHES}")

    bare = lane("bare typed route, same size", same)
    return bare, [
        bare,
        lane("bare typed route, small", small),
        lane("naive stack, sqlite", sqlite),
        lane("naive stack, postgres", postgres),
        lane("bare typed route, same size", same, ONE),
        lane("naive stack, sqlite", sqlite, ONE),
        lane("naive stack, postgres", postgres, ONE),
        lane("bare typed route, same size", same, MOST),
        lane("naive stack, sqlite", sqlite, MOST),
        lane("naive stack, postgres", postgres, MOST),
    ]


def table(bench: Bench, lanes: list[Lane], bare: Lane) -> Table:
    rows: list[list[Cell]] = [
        [
            lane.name,
            len(lane.scripts),
            round(lane.median(lambda r: r.answer_bytes) or 0),
            *(lane.median(figure) for figure in FIGURES),
            ratio(lane, bare, lambda r: r.server_us),
        ]
        for lane in lanes
    ]
    notes = [
        f"medians of {bench.pace.rounds} rounds",
        "× bare: server CPU per request against the first row, round by round",
        "over streams: one game without end for each connection; the frames are sent and read too",
    ]
    title = "Commands (server µs: CPU of the server process per request)"
    return Table(title, COLUMNS, rows, notes, {"rounds": raw(lanes)}, [e.switches for e in lanes])


def raw(lanes: list[Lane]) -> dict[str, list[dict[str, float | None]]]:
    """Every round of every row, for JSON."""
    return {f"{e.name} ({len(e.scripts)})": [r._asdict() for r in e.rounds] for e in lanes}
