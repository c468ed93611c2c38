"""
Two processes over one Postgres against one: what a command costs each, and how many there are.

The two are started as `make run-cluster` starts them; Redis carries their hints, or Postgres. Each
connection goes to one of them, half to each, over HTTP or a stream.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from app.rulebook import Rulebook
from benchmarks.bench import LIMITS, SWITCHES, Bench
from benchmarks.client import Fleet, Script
from benchmarks.measure import Lane, Round, all_cpu, in_turn, ratio, warm_up
from benchmarks.players import OPTIONS, Player, guests
from benchmarks.report import Cell, Table
from benchmarks.rest import FIGURES, MANY, raw
from benchmarks.servers import Target
from benchmarks.spoken import Endless, StreamFleet
from tests.servers.cluster import processes
from tests.servers.hotdice import HotdiceServer
from tests.servers.redis import RedisServer

WAYS: dict[str, type[Fleet]] = {"REST": Fleet, "streams": StreamFleet}


async def section(bench: Bench) -> list[Table]:
    bench.say("starting two processes, twice")
    redis = RedisServer.launch()
    bench.brief.callback(redis.stop)
    alone = await bench.hotdice("postgres")
    targets = {
        "one process": alone,
        "two processes, Redis": await two(bench, "two_redis", redis.url),
        "two processes, Postgres alone": await two(bench, "two_postgres", None),
    }
    lanes = {
        (name, way): lane(name, target, way) for way in WAYS for name, target in targets.items()
    }
    for each in lanes.values():
        await warm_up(each, bench.pace.seconds)
    await in_turn(list(lanes.values()), bench.pace.rounds, bench.say)
    for way in WAYS:
        found = ratio(lanes["two processes, Redis", way], lanes["one process", way], server_us)
        assert found is not None
        bench.found[f"two × one, {way}"] = found
    rate = lanes["two processes, Redis", "streams"].median(of_cores)
    assert rate is not None
    bench.found["two × cores"] = rate
    return [table(bench, lanes)]


async def two(bench: Bench, name: str, redis_url: str | None) -> Target:
    """Two processes on a new database of this name, as one target."""
    url = await bench.new_database(name)
    started = processes(HotdiceServer, url, redis_url, settings=LIMITS, rate_limits=True)
    first, *others = bench.brief.enter_context(started)
    mates = tuple(Target(other.port, other.process.pid) for other in others)
    return Target(first.port, first.process.pid, "postgres", bench.postgres(), url, mates)


def lane(name: str, target: Target, way: str) -> Lane:
    return Lane(f"{name}: {way}", target, scripts(target, way), fleet=WAYS[way])


def scripts(target: Target, way: str) -> Sequence[Script]:
    """One for each connection; the fleet hands out the ports in the same order."""
    rules = Rulebook.shipped().preset("farkle", OPTIONS, "").rules
    ports = [target.ports[number % len(target.ports)] for number in range(MANY)]
    tokens = guests(target.port, MANY)
    if way == "REST":
        return [Player(token) for token in tokens]
    return [Endless(port, token, rules) for port, token in zip(ports, tokens, strict=True)]


def server_us(of: Round) -> float:
    return of.server_us


def of_cores(of: Round) -> float:
    """The rate, over what all cores allow where server, Postgres and client share them."""
    cores = len(os.sched_getaffinity(0))
    return of.per_second * (all_cpu(of) + of.client_us) / (cores * 1e6)


def table(bench: Bench, lanes: dict[tuple[str, str], Lane]) -> Table:
    rows: list[list[Cell]] = []
    in_force: list[str] = []
    for (name, way), one in lanes.items():
        against = lanes["one process", way]
        rows.append([one.name, MANY, *(one.median(figure) for figure in FIGURES)])
        rows[-1] += [one.median(lambda r: r.client_us), ratio(one, against, server_us)]
        rows[-1] += [ratio(one, against, all_cpu), one.median(of_cores)]
        hints = "Redis" if name.endswith("Redis") else "Postgres"
        in_force.append(f"{one.target.switches}; hints over {hints}; {SWITCHES}")
    columns = (
        *("row", "connections", "per s", "p50 ms", "p99 ms", "server µs", "postgres µs"),
        *("client µs", "× one, server", "× one, with postgres", "× cores"),
    )
    notes = (
        f"medians of {bench.pace.rounds} rounds; server µs: of both processes, for each command",
        "× cores: the rate over cores ÷ (server + postgres + client µs); Redis is not in it",
    )
    title = "Two processes against one, on Postgres"
    return Table(title, columns, rows, notes, {"rounds": raw(list(lanes.values()))}, in_force)
