"""Commands over HTTP: Hotdice on both stores beside a bare and a naive FastAPI, all in one run."""

from __future__ import annotations

from collections.abc import Callable

from app.rulebook import Rulebook
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Same, Script
from benchmarks.measure import Lane, Round, in_turn, ratio, warm_up
from benchmarks.players import OPTIONS, Player, Reader, TersePlayer, guests
from benchmarks.report import Cell, Table
from benchmarks.servers import STORES, Store, Target, start_ceiling

MANY = 32
SPELLED_OUT = 1_250
"""Bytes of a bare answer without padding, roughly."""
SMALL = 1_500
"""Bytes of the smaller bare answer."""

COLUMNS = (
    *("row", "connections", "answer B", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
    *("× bare", "in force"),
)

FIGURES: tuple[Callable[[Round], float | None], ...] = (
    lambda r: r.per_second,
    lambda r: r.p50_ms,
    lambda r: r.p99_ms,
    lambda r: r.server_us,
    lambda r: r.database_us,
)


async def section(bench: Bench) -> list[Table]:
    hotdice: list[Lane] = []
    for store in STORES:
        hotdice += rows_of(store, await bench.hotdice(store))
    bench.say("warming up")
    seconds = bench.pace.seconds
    sizes = [(await warm_up(lane, seconds)).answer_bytes for lane in hotdice]
    bare, ceilings = start_ceilings(bench, round(sizes[0]))
    for lane in ceilings:
        await warm_up(lane, seconds)
    lanes = [*ceilings, *hotdice]
    await in_turn(lanes, bench.pace.rounds, bench.say)
    return [commands(bench, lanes, bare), process(bench)]


def rows_of(store: Store, target: Target) -> list[Lane]:
    """What is asked of Hotdice on one store."""
    rules = Rulebook.shipped().preset("farkle", OPTIONS, "").rules
    port, name = target.port, f"hotdice, {store}"
    tokens = guests(port, 4 * MANY + 1)
    plain, keyed, terse, readers = (tokens[i * MANY : (i + 1) * MANY] for i in range(4))
    asked: list[tuple[str, list[Script]]] = [
        ("commands", [Player(token) for token in plain]),
        ("commands, Idempotency-Key", [Player(token, keys=True) for token in keyed]),
        ("commands, return=minimal", [TersePlayer(token, rules) for token in terse]),
        ("GET game", [Reader(port, token) for token in readers]),
        ("commands", [Player(tokens[-1])]),
    ]
    force = f"{target.switches}; {SWITCHES}"
    return [Lane(f"{name}: {what}", target, scripts, force) for what, scripts in asked]


def start_ceilings(bench: Bench, size: int) -> tuple[Lane, list[Lane]]:
    """
    The rows Hotdice is held against, the yardstick first.

    Args:
        size: bytes of an answer of Hotdice to a command.
    """
    bench.say("starting the ceilings")
    padding = max(0, size - SPELLED_OUT)
    same = start_ceiling("bare", padding=padding)
    small = start_ceiling("bare", padding=SMALL - SPELLED_OUT)
    sqlite = start_ceiling("naive", padding=padding)
    postgres = start_ceiling("naive", padding=padding, postgres=bench.postgres())

    def lane(name: str, target: Target, connections: int = MANY) -> Lane:
        scripts = [Same("POST", "/commands", b'{"type":"roll"}') for _ in range(connections)]
        return Lane(name, target, scripts, f"{target.switches}; no logs, metrics or limits")

    bare = lane("bare typed route, same size", same)
    return bare, [
        bare,
        lane("bare typed route, small", small),
        lane("naive stack, sqlite", sqlite),
        lane("naive stack, postgres", postgres),
        lane("bare typed route, same size", same, 1),
    ]


def commands(bench: Bench, lanes: list[Lane], bare: Lane) -> Table:
    forces = list(dict.fromkeys(lane.switches for lane in lanes))
    rows: list[list[Cell]] = [
        [
            lane.name,
            len(lane.scripts),
            round(lane.median(lambda r: r.answer_bytes) or 0),
            *(lane.median(figure) for figure in FIGURES),
            ratio(lane, bare, lambda r: r.server_us),
            f"[{forces.index(lane.switches) + 1}]",
        ]
        for lane in lanes
    ]
    notes = [
        f"medians of {bench.pace.rounds} rounds",
        "× bare: server CPU per request against the first row, round by round",
        *(f"[{number}] {force}" for number, force in enumerate(forces, 1)),
    ]
    rounds = {
        f"{lane.name} ({len(lane.scripts)})": [r._asdict() for r in lane.rounds] for lane in lanes
    }
    title = "Commands over HTTP (server µs: CPU of the server process per request)"
    return Table(title, COLUMNS, rows, notes, {"rounds": rounds})


def process(bench: Bench) -> Table:
    rows = [[s, bench.ready_s[s], bench.idle_mib[s]] for s in STORES if s in bench.ready_s]
    columns = ("store", "start to ready s", "idle MiB")
    return Table("The process, on a database that is there", columns, rows, ("one start each",))
