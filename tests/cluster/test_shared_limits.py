"""Two processes count together while Redis is there, and each alone while it is not."""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack

import pytest

from tests.conftest import FreshDatabase
from tests.live.player import Player
from tests.live.server import Live, healthy
from tests.live.wire import ask_once, request
from tests.servers.redis import RedisServer

LIMIT = 160


async def is_shared(server: Live) -> bool:
    text = (await ask_once(server.port, request("GET", "/metrics"))).body.decode()
    found = re.search(r"^hotdice_rate_limits_shared (\S+)$", text, re.MULTILINE)
    assert found is not None, text
    return float(found[1]) == 1


async def both(servers: list[Live], *, shared: bool) -> None:
    for _ in range(300):
        if [await is_shared(server) for server in servers] == [shared] * len(servers):
            return
        await asyncio.sleep(0.05)
    raise TimeoutError


@pytest.mark.wide
async def test_who_is_refused_here_is_refused_there(
    cluster_template: str, fresh_database: FreshDatabase
) -> None:
    url = fresh_database(cluster_template).app_url
    redis = RedisServer.launch()
    settings = {"HOTDICE_REDIS_URL": redis.url, "HOTDICE_LIMIT_READS": str(LIMIT)}
    servers = [Live(url, settings=settings, rate_limits=True) for _ in range(2)]
    with ExitStack() as stack:
        stack.callback(redis.stop)
        for server in servers:
            server.start()
            stack.callback(server.terminate)
        await both(servers, shared=True)
        one, other = servers
        ana = await Player.make(one.port)

        async def served(player: Player, server: Live, calls: int) -> int:
            answers = [
                await player.ask("GET", "/v1/players/me", port=server.port) for _ in range(calls)
            ]
            return sum(answer.status == 200 for answer in answers)

        # Its first call with a token is counted before a process knows whose it is.
        assert await served(ana, one, LIMIT + 10) >= LIMIT
        await served(ana, other, LIMIT // 16 + 1)
        await asyncio.sleep(1)
        assert await served(ana, other, LIMIT) < LIMIT // 4
        redis.kill()
        await both(servers, shared=False)
        bo = await Player.make(one.port, "Bo")
        assert await served(bo, one, LIMIT) >= LIMIT - 1
        assert await served(bo, other, LIMIT) >= LIMIT - 1
        redis.start()
        await both(servers, shared=True)
        for server in servers:
            healthy(server)
