"""
The whole run: people play, many follow, lines are cut, buses and processes die; then the proof.

What is proved at the end: every follower was told, in order and exactly once, each event of the
log after the version it began with, one frame for each command; all of them were told the same;
and every command that was acknowledged, and no other, is in the log.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tests.cluster.buses import Bus
from tests.cluster.roamer import Roamer
from tests.cluster.soak.figures import Figures
from tests.cluster.soak.follower import Follower
from tests.cluster.soak.seen import Faults, Seen, Tally, mark_of
from tests.cluster.soak.troubles import Troubles
from tests.live.history import History, claim_of, verified
from tests.live.load import exported, repeat_some, settled, tables_of
from tests.live.player import Json, Player, all_events
from tests.live.server import Live

STATES_COMPARED = 100
TABLE: Json = {
    "rules": {"preset": "farkle", "options": {"target": 4000, "opening": 0}},
    "pass_and_play": True,
}


class Size(NamedTuple):
    processes: int
    """Where there can be more than one."""
    sockets: int
    reconnects: int
    """After cuts, at least."""
    commands: int
    """At least."""
    outages: int
    """Of the bus."""
    rolls: int
    """Of all processes."""
    kills: int
    tables: int
    pace_s: float
    """Of a table: from one command to the next, on average."""
    most_bytes: int
    """Of a line, before it is cut."""
    within_s: float
    """Stops the run, should it never end."""


def followers(
    size: Size, ports: Sequence[int], tables: Sequence[Roamer], seen: Seen, tally: Tally
) -> list[Follower]:
    """Most by WebSocket, some by server-sent events; half of them in each view."""
    return [
        Follower(
            ports,
            tables,
            seen,
            tally,
            random.Random(f"follower {number}"),
            by="sse" if number % 10 in (0, 1) else "websocket",
            view="view=events" if number % 2 else "view=full",
            most_bytes=size.most_bytes,
        )
        for number in range(size.sockets)
    ]


async def run(size: Size, servers: list[Live], bus: Bus | None, seed: int = 1) -> Figures:
    """Over running servers. Raises: AssertionError, TimeoutError."""
    began, history, chance = time.monotonic(), History(), random.Random(seed)
    ports = tuple(server.port for server in servers)
    seen, tally = Seen(), Tally()

    def done() -> float:
        return min(tally.cuts / size.reconnects, len(history.sent) / size.commands)

    troubles = Troubles(servers, bus, done, chance)
    async with (
        asyncio.timeout(size.within_s),
        tables_of(ports[0], size.tables, history, seed, Roamer) as tables,
    ):
        for number, table in enumerate(tables):
            table.ports, table.pace_s, table.asked = ports, size.pace_s, TABLE
            table.player = replace(table.player, port=ports[number % len(ports)])
        crowd = followers(size, ports, tables, seen, tally)
        over = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play_until(over))
            following = [tasks.create_task(follower.follow()) for follower in crowd]
            await troubles.happen(size.outages, size.rolls, size.kills)
            while done() < 1:  # noqa: ASYNC110 — a count, no event
                await asyncio.sleep(0.05)
            over.set()
            for task in following:
                task.cancel()
        await settled(tables)
        await repeat_some(history, tables, 50)
        logs = await exported(history, ports[-1])
        history.check(logs)
        reader = await Player.make(ports[0])
        events = {game: await all_events(reader, game) for game in logs}
        assert events == {game: verified(log, game) for game, log in logs.items()}
        await asyncio.gather(*(f.finish(lasts_of(events)) for f in crowd))
        faults = await differences(history, events, crowd, seen, reader)
    return Figures(
        processes=len(servers),
        sockets=len(crowd),
        games=len({told.game_id for follower in crowd for told in follower.games}),
        commands=len(history.accepted),
        happened=troubles.happened,
        tally=tally,
        states=len(seen.states),
        faults=faults,
        seconds=time.monotonic() - began,
    )


def lasts_of(events: Mapping[str, Sequence[Json]]) -> dict[str, int]:
    """The newest version of each game."""
    return {game: len(log) for game, log in events.items()}


async def differences(
    history: History,
    events: dict[str, list[Json]],
    crowd: Sequence[Follower],
    seen: Seen,
    reader: Player,
) -> Faults:
    """Between what all were told and the log."""
    commands: defaultdict[str, list[int]] = defaultdict(list)
    for claim in map(claim_of, history.accepted):
        commands[claim.game].append(claim.last)
    faults = Faults(different=seen.compare(events))
    for follower in crowd:
        for told in follower.games:
            faults.compare(told, sorted(commands[told.game_id]))
    some = random.Random(1).sample(sorted(seen.states), min(STATES_COMPARED, len(seen.states)))
    for game, version in some:
        state = await reader.do("GET", f"/v1/games/{game}/states/{version}")
        faults.different += mark_of(state) != seen.states[game, version]
    return faults
