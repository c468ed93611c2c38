"""
Two players and a die: boardgame.io and Colyseus beside Hotdice, 32 matches at once and one alone.

Every player has a socket of its own; who is to move asks, waits until the move is acknowledged, and
the next one asks. The peers play *pig* without an end, by their own guides; Hotdice plays farkle,
with all that it does for it. The peers' matches are new in each round, so that none has grown.
Its players go by the events, so that is the view they follow; what the full one costs, with the
whole game for both after each move, stands beside it.
"""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from app.rulebook import Rulebook
from benchmarks.bench import SWITCHES, Bench
from benchmarks.measure import Lane, Round, once, ratio, warm_up
from benchmarks.peers.duels import Duel, DuelFleet
from benchmarks.peers.installed import Absent, installed, versions
from benchmarks.peers.running import PEERS, Load, serve
from benchmarks.players import OPTIONS
from benchmarks.report import Cell, Table
from benchmarks.rest import FIGURES
from benchmarks.servers import STORES

MATCHES = (32, 1)
QUICK = (4, 1)
WARM_ROUNDS, WARM_ROUND, WARM_S = 16, 500, 5.0
"""Before anything is counted: so many rounds of so many moves, for so many seconds at most."""
WARM_MOVES = 4
"""For each match, before the pace of a row is taken."""
LEAST = 20
"""Moves of a round."""

TITLE = "Peers: two players, over their own sockets"
COLUMNS = ("row", "matches", "moves/s", "p50 ms", "p99 ms", "server µs", "postgres µs")


@dataclass
class PeerLane(Lane):
    """A row that node plays. Its matches count as scripts do elsewhere."""

    load: Load | None = None
    matches: int = 0

    async def one(self, moves: int) -> Round:
        """Raises: Unexpected."""
        assert self.load is not None
        await self.load.open(self.matches)
        cpu = self.target.server_cpu()
        said = await self.load.play(moves)
        cpu = self.target.server_cpu() - cpu
        return Round(
            asked=moves,
            per_second=moves / said["seconds"],
            p50_ms=said["p50_ms"],
            p99_ms=said["p99_ms"],
            server_us=cpu / moves * 1e6,
            database_us=None,
            answer_bytes=0.0,
            client_us=said["cpu_s"] / moves * 1e6,
        )


@dataclass
class Rows:
    """All rows with so many matches."""

    matches: int
    peers: dict[str, PeerLane] = field(default_factory=dict)
    hotdice: dict[str, Lane] = field(default_factory=dict)

    @property
    def lanes(self) -> list[Lane]:
        return [*self.peers.values(), *self.hotdice.values()]


async def section(bench: Bench) -> list[Table]:
    try:
        scripts = installed()
    except Absent as why:
        row = [f"left out: {why}", *[None] * (len(COLUMNS) - 1)]
        return [Table(TITLE, COLUMNS, [row])]
    targets = {name: serve(bench.brief, scripts, peer) for name, peer in PEERS.items()}
    async with AsyncExitStack() as stack:
        loads = {
            name: await stack.enter_async_context(Load(scripts, peer, targets[name].port))
            for name, peer in PEERS.items()
        }
        found: list[Rows] = []
        for matches in QUICK if bench.pace.quick else MATCHES:
            peers = {
                name: PeerLane(
                    peer.name, targets[name], (), peer.in_force, load=load, matches=matches
                )
                for (name, peer), load in zip(PEERS.items(), loads.values(), strict=True)
            }
            found.append(Rows(matches, peers, await _hotdice(bench, matches)))
        await _measured(bench, found)
    if not bench.pace.quick:
        aimed_at(bench, *found)
    return [table(bench, found)]


async def _hotdice(bench: Bench, matches: int) -> dict[str, Lane]:
    rules = Rulebook.shipped().preset("farkle", OPTIONS, "").rules
    lanes: dict[str, Lane] = {}
    for store in STORES:
        target = await bench.hotdice(store)
        force = f"{target.switches}; {SWITCHES}"
        for view, name in (
            ("events", f"hotdice, {store}"),
            ("full", f"hotdice, {store}, full view"),
        ):
            if view == "events" or store == "postgres":
                duels = [Duel(target.port, rules, view) for _ in range(matches)]
                lanes[name] = Lane(name, target, duels, force, fleet=DuelFleet)
    return lanes


async def _measured(bench: Bench, found: list[Rows]) -> None:
    """Rounds of all rows in turn."""
    bench.say("warming up")
    for rows in found:
        for lane in rows.hotdice.values():
            await warm_up(lane, bench.pace.seconds)
        for peer in rows.peers.values():
            await _warmed(bench, peer)
            first = await peer.one(max(LEAST, WARM_MOVES * rows.matches))
            second = await peer.one(max(LEAST, round(first.per_second * bench.pace.seconds / 2)))
            peer.count = max(LEAST, round(second.per_second * bench.pace.seconds))
    lanes = [lane for rows in found for lane in rows.lanes]
    for number in range(bench.pace.rounds):
        bench.say(f"peers, round {number + 1} of {bench.pace.rounds}")
        for lane in lanes if number % 2 == 0 else reversed(lanes):
            if isinstance(lane, PeerLane):
                lane.rounds.append(await lane.one(lane.count))
            else:
                lane.rounds.append(await once(lane, lane.count))


async def _warmed(bench: Bench, peer: PeerLane) -> None:
    """Node compiles what runs often: until then a move costs three times what it costs after."""
    if bench.pace.quick or peer.matches == 1:  # which the same server has met already
        return
    began = time.monotonic()
    for _ in range(WARM_ROUNDS):
        await peer.one(WARM_ROUND)
        if time.monotonic() - began > WARM_S:
            break


def aimed_at(bench: Bench, many: Rows, one: Rows) -> None:
    """What the aims are about; Hotdice on Postgres."""

    def found(key: str, rows: Rows, peer: str, figure: str) -> None:
        value = ratio(
            rows.hotdice["hotdice, postgres"], rows.peers[peer], lambda r: getattr(r, figure)
        )
        assert value is not None
        bench.found[key] = value

    found("× boardgame memory", many, "boardgame memory", "per_second")
    found("× boardgame files", many, "boardgame files", "per_second")
    found("alone × boardgame memory", one, "boardgame memory", "p50_ms")
    found("p50 × colyseus default", many, "colyseus default", "p50_ms")
    found("cpu × colyseus at once", many, "colyseus at once", "server_us")


def table(bench: Bench, found: list[Rows]) -> Table:
    shown: list[list[Cell]] = []
    in_force: list[str] = []
    rounds = {}
    for rows in found:
        for lane in rows.lanes:
            shown.append([lane.name, rows.matches, *(lane.median(f) for f in FIGURES)])
            shown[-1].append(lane.median(lambda r: r.client_us))
            in_force.append(lane.switches)
            rounds[f"{lane.name} ({rows.matches})"] = [r._asdict() for r in lane.rounds]
    notes = (
        f"medians of {bench.pace.rounds} rounds; {versions()}",
        "a match has two players, each with a socket; a move is acknowledged to who made it",
        "the peers play pig, one die; hotdice plays farkle: rules, fair dice, hash chain, limits",
        "hotdice: both players follow the view=events, or the full one, 5 KB a move for each",
        "client µs: CPU of who plays, node for the peers, Python for hotdice",
    )
    return Table(TITLE, (*COLUMNS, "client µs"), shown, notes, {"rounds": rounds}, in_force)
