"""Both processes replaced, one after the other, while people play: nobody loses anything."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.cluster.buses import Bus
from tests.cluster.roamer import Roamer
from tests.live.history import History
from tests.live.load import exported, repeat_some, settled, tables_of
from tests.live.player import Json, Player, all_events
from tests.live.server import Live, healthy
from tests.live_streams.follower import following
from tests.live_streams.test_following import LONG
from tests.servers.cluster import processes

TABLES = 4


class Wanderer:
    """Follows one game from its beginning, at whichever process is there."""

    def __init__(self, ports: tuple[int, ...], game_id: str) -> None:
        self.events: list[Json] = []
        self.connections = 0
        self._ports = ports
        self._game_id = game_id

    @property
    def version(self) -> int:
        return len(self.events)

    async def until(self, version: int) -> None:
        number = 0
        while self.version < version:
            number += 1
            port = self._ports[number % len(self._ports)]
            try:
                async with following(port, self._game_id, f"?after={self.version}") as follower:
                    self.connections += 1
                    while self.version < version:
                        frame = await follower.next("played")
                        versions = [event["version"] for event in frame["events"]]
                        assert versions[0] == self.version + 1
                        self.events += frame["events"]
            except (OSError, ConnectionClosed, InvalidHandshake):
                await asyncio.sleep(0.02)


async def replace_each(servers: list[Live]) -> None:
    for server in servers:
        await asyncio.sleep(0.5)
        await asyncio.to_thread(server.terminate)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(server.start)


@pytest.mark.wide
@pytest.mark.parametrize("bus", ["redis", "postgres"], indirect=True)
async def test_a_rolling_restart_loses_nothing(bus: Bus) -> None:
    with processes(Live, bus.database_url, bus.settings().get("redis_url")) as servers:
        ports = tuple(server.port for server in servers)
        history, over = History(), asyncio.Event()
        ana = await Player.make(ports[0])
        watched = await ana.table(LONG)
        wanderers = [Wanderer(ports, watched["id"]), Wanderer(ports[::-1], watched["id"])]
        async with tables_of(ports[0], TABLES, history, 11, Roamer) as tables:
            for number, table in enumerate(tables):
                table.ports = ports
                table.player = replace(table.player, port=ports[number % 2])
            host = Roamer(ana, History(), tables[0].chance, game=watched, ports=ports)
            players = [asyncio.create_task(t.play_until(over)) for t in (*tables, host)]
            following_on = [asyncio.create_task(w.until(10**9)) for w in wanderers]
            await replace_each(servers)
            over.set()
            await asyncio.gather(*players)
            await settled((*tables, host))
            await repeat_some(history, tables, 20)
        host.hang_up()
        log = await all_events(replace(ana, port=ports[1]), watched["id"])
        for task in following_on:
            task.cancel()
        await asyncio.gather(*following_on, return_exceptions=True)
        for wanderer in wanderers:
            await wanderer.until(len(log))
            assert wanderer.events == log
            assert wanderer.connections > 1
        history.check(await exported(history, ports[1]))
        assert len(history.accepted) > 100
        for server in servers:
            healthy(server)
            assert server.output().count('"event":"serving"') == 2
