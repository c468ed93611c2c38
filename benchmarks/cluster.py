"""
Two processes over one Postgres against one: what a command costs each, and how many there are.

The two are started as `make run-cluster` starts them; Redis carries their hints, or Postgres. They
are held against one process with as many connections as each of them has, and with as many as both:
commands that arrive together share a transaction, so that who has fewer of them pays more for
each. Beside them a bare route, in one process and in two: what the machine itself takes for it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.rulebook import Rulebook
from benchmarks.bench import LIMITS, SWITCHES, Bench
from benchmarks.client import Fleet, Same, Script
from benchmarks.measure import Lane, Round, all_cpu, in_turn, ratio, warm_up
from benchmarks.pairs import Interval, duel
from benchmarks.players import OPTIONS, Player, guests
from benchmarks.report import Cell, Table
from benchmarks.rest import FIGURES, NO_SWITCHES, SPELLED_OUT, raw
from benchmarks.servers import Target, start_ceiling
from benchmarks.spoken import Endless, StreamFleet
from tests.servers.cluster import processes
from tests.servers.hotdice import HotdiceServer
from tests.servers.redis import RedisServer

WAYS: dict[str, type[Fleet]] = {"REST": Fleet, "streams": StreamFleet}
EACH = 16
"""Connections of a process where there are two."""
BLOCK = 20
"""Commands on each connection, where two rows take turns: long enough for all to be busy."""
LESS = 6
"""Times fewer of these than where blocks are short; half as many of what no aim is about."""
SECONDS = 0.4
"""Of a round at the usual pace."""
BARE, ONE, REDIS, POSTGRES = "bare route", "hotdice", "hotdice, Redis", "hotdice, Postgres alone"


class Kind(NamedTuple):
    """A row."""

    what: str
    processes: int
    connections: int
    way: str = "REST"

    @property
    def alone(self) -> Kind:
        """One process with as many connections as each of this one's has."""
        what = BARE if self.what == BARE else ONE
        return Kind(what, 1, self.connections // self.processes, self.way)


async def section(bench: Bench) -> list[Table]:
    bench.say("starting two processes, twice")
    redis = RedisServer.launch()
    bench.brief.callback(redis.stop)
    alone = await bench.hotdice("postgres")
    targets = {
        REDIS: await two(bench, "two_redis", redis.url),
        POSTGRES: await two(bench, "two_postgres", None),
    }
    lanes: dict[Kind, Lane] = {}
    for way in WAYS:
        for connections in (EACH, 2 * EACH):
            kind = Kind(ONE, 1, connections, way)
            lanes[kind] = lane(kind, alone)
        for name, target in targets.items():
            kind = Kind(name, 2, 2 * EACH, way)
            lanes[kind] = lane(kind, target)
    seconds = min(bench.pace.seconds, SECONDS)
    first, *_ = [await warm_up(each, seconds) for each in lanes.values()]
    for kind, each in bare(bench, round(first.answer_bytes)).items():
        lanes[kind] = each
        await warm_up(each, seconds)
    await in_turn(list(lanes.values()), bench.pace.rounds, bench.say)
    ratios: dict[Kind, Interval] = {}
    for kind, each in lanes.items():
        if kind.processes == 2:
            bench.say(f"{each.name}, beside one process")
            cycles = bench.pace.cycles // (LESS if kind.what == REDIS else 2 * LESS)
            ratios[kind] = await by_turns(each, lanes[kind.alone], cycles)
            if kind.what == REDIS:
                bench.found[f"two × one, {kind.way}"] = ratios[kind]
    rate = lanes[Kind(REDIS, 2, 2 * EACH, "streams")].median(of_cores)
    assert rate is not None
    bench.found["two × cores"] = rate
    return [table(bench, lanes, ratios)]


async def by_turns(lane: Lane, alone: Lane, cycles: int) -> Interval:
    """Server CPU of a row against one process; their rounds stay as they are."""
    first, second = replace(lane, rounds=[]), replace(alone, rounds=[])
    return await duel(first, second, max(1, cycles), BLOCK, cost=server_us)


async def two(bench: Bench, name: str, redis_url: str | None) -> Target:
    """Two processes on a new database of this name, as one target."""
    url = await bench.new_database(name)
    started = processes(HotdiceServer, url, redis_url, settings=LIMITS, rate_limits=True)
    first, *others = bench.brief.enter_context(started)
    mates = tuple(Target(other.port, other.process.pid) for other in others)
    return Target(first.port, first.process.pid, "postgres", bench.postgres(), url, mates)


def lane(kind: Kind, target: Target) -> Lane:
    force = f"{target.switches}; hints over {'Redis' if kind.what == REDIS else 'Postgres'}"
    chosen = scripts(kind, target)
    return Lane(name_of(kind), target, chosen, f"{force}; {SWITCHES}", fleet=WAYS[kind.way])


def bare(bench: Bench, size: int) -> dict[Kind, Lane]:
    """
    The bare route, in one process and in two.

    Args:
        size: bytes of an answer of Hotdice to a command.
    """
    padding = max(0, size - SPELLED_OUT)
    first, second = [start_ceiling(bench.brief, "bare", padding=padding) for _ in range(2)]
    both = Target(first.port, first.pid, others=(second,))
    found: dict[Kind, Lane] = {}
    for number, target in ((1, first), (2, both)):
        kind = Kind(BARE, number, number * EACH)
        asked = [Same("POST", "/commands", b'{"type":"roll"}') for _ in range(kind.connections)]
        found[kind] = Lane(name_of(kind), target, asked, f"{target.switches}; {NO_SWITCHES}")
    return found


def name_of(kind: Kind) -> str:
    return f"{kind.what}, {'two processes' if kind.processes == 2 else 'one process'}: {kind.way}"


def scripts(kind: Kind, target: Target) -> Sequence[Script]:
    """One for each connection; the fleet hands out the ports in the same order."""
    rules = Rulebook.shipped().preset("farkle", OPTIONS, "").rules
    ports = [target.ports[number % len(target.ports)] for number in range(kind.connections)]
    tokens = guests(target.port, kind.connections)
    if kind.way == "REST":
        return [Player(token) for token in tokens]
    return [Endless(port, token, rules) for port, token in zip(ports, tokens, strict=True)]


def server_us(of: Round) -> float:
    return of.server_us


def of_cores(of: Round) -> float:
    """The rate, over what all cores allow where server, Postgres and client share them."""
    cores = len(os.sched_getaffinity(0))
    return of.per_second * (all_cpu(of) + of.client_us) / (cores * 1e6)


def table(bench: Bench, lanes: dict[Kind, Lane], ratios: dict[Kind, Interval]) -> Table:
    rows: list[list[Cell]] = []
    order = [kind for what in (BARE, ONE, REDIS, POSTGRES) for kind in lanes if kind.what == what]
    for kind in order:
        one, against = lanes[kind], lanes[kind.alone]
        rows.append([one.name, kind.connections, *(one.median(figure) for figure in FIGURES)])
        rows[-1] += [one.median(lambda r: r.client_us)]
        if kind.processes == 1:
            rows[-1] += ["", None, None, one.median(of_cores)]
            continue
        shared = lanes.get(kind._replace(what=kind.alone.what, processes=1))
        rows[-1] += [str(ratios[kind]), ratio(one, against, all_cpu)]
        rows[-1] += [None if shared is None else ratio(one, shared, server_us)]
        rows[-1] += [one.median(of_cores)]
    columns = (
        *("row", "connections", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
        *("client µs", "× one", "× one, with postgres", "× one with all", "× cores"),
    )
    notes = (
        f"medians of {bench.pace.rounds} rounds; server µs: of both processes, for each command",
        f"× one: server CPU against one process with {EACH} connections, as each of the two has;",
        "by turns, pair by pair: the median and its interval of 95 %, by the sign test",
        f"× one with all: against one process with all {2 * EACH}",
        "× cores: the rate over cores ÷ (server + postgres + client µs); Redis is not in it",
    )
    title = "Two processes against one, on Postgres"
    force = [lanes[kind].switches for kind in order]
    return Table(title, columns, rows, notes, {"rounds": raw(list(lanes.values()))}, force)
