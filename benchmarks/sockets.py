"""Commands over the stream of a game, beside the same commands over HTTP, in one run."""

from __future__ import annotations

from app.rulebook import Rulebook
from benchmarks.bench import SWITCHES, Bench
from benchmarks.client import Fleet
from benchmarks.measure import Lane, in_turn, ratio, warm_up
from benchmarks.players import OPTIONS, guests
from benchmarks.report import Cell, Table
from benchmarks.rest import FIGURES, MANY, raw
from benchmarks.servers import STORES, Store, Target
from benchmarks.spoken import Endless, FollowedFleet, StreamFleet

COLUMNS = (
    *("row", "connections", "answer B", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
    "× HTTP",
)
WHOLE = "HTTP"
WAYS: tuple[tuple[str, type[Fleet], int, str], ...] = (
    (WHOLE, Fleet, MANY, "full"),
    ("stream", StreamFleet, MANY, "full"),
    ("HTTP, return=minimal", Fleet, MANY, "full"),
    ("stream, view=events", StreamFleet, MANY, "events"),
    ("HTTP, return=minimal, followed", FollowedFleet, MANY, "full"),
    (WHOLE, Fleet, 1, "full"),
    ("stream", StreamFleet, 1, "full"),
)


async def section(bench: Bench) -> list[Table]:
    return [_table(bench, store, await _rows(bench, store)) for store in STORES]


async def _rows(bench: Bench, store: Store) -> list[Lane]:
    target = await bench.hotdice(store)
    bench.say("warming up")
    lanes = [_lane(store, target, *way) for way in WAYS]
    for lane in lanes:
        await warm_up(lane, bench.pace.seconds)
    await in_turn(lanes, bench.pace.rounds, bench.say)
    return lanes


def _lane(
    store: Store, target: Target, name: str, fleet: type[Fleet], connections: int, view: str
) -> Lane:
    rules = Rulebook.shipped().preset("farkle", OPTIONS, "").rules
    tokens = guests(target.port, connections)
    scripts = [Endless(target.port, token, rules, view, whole=name == WHOLE) for token in tokens]
    force = f"{target.switches}; {SWITCHES}"
    return Lane(f"{store}: {name}", target, scripts, force, fleet=fleet)


def _table(bench: Bench, store: Store, lanes: list[Lane]) -> Table:
    first = {len(lane.scripts): lane for lane in reversed(lanes)}
    rows: list[list[Cell]] = [
        [
            lane.name,
            len(lane.scripts),
            round(lane.median(lambda r: r.answer_bytes) or 0),
            *(lane.median(figure) for figure in FIGURES),
            ratio(lane, first[len(lane.scripts)], lambda r: r.server_us),
        ]
        for lane in lanes
    ]
    notes = (
        f"medians of {bench.pace.rounds} rounds; one game without end for each connection",
        "HTTP answers with the game; over a stream an answer is minimal",
        "the game comes with the frame there, sent and read too; view=events: the events alone",
        "× HTTP: server CPU per command against the first row of as many connections",
    )
    title = f"Commands over streams, {store} (server µs: CPU of the server process per command)"
    return Table(title, COLUMNS, rows, notes, {"rounds": raw(lanes)}, [e.switches for e in lanes])
