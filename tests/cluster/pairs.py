"""Two server processes on one database, and what each says of its bus."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple, TypeVar

from tests.cluster.buses import Bus, PostgresBus, RedisBus
from tests.live.server import Live
from tests.live.wire import ask_once, request
from tests.servers.cluster import processes
from tests.servers.postgres import PostgresServer
from tests.servers.redis import RedisServer

T = TypeVar("T")


class Pair(NamedTuple):
    """One is written to, the other is asked what it has heard."""

    one: Live
    other: Live
    bus: Bus


class Pairs:
    """A pair for each bus, started when first asked for."""

    def __init__(self, stack: ExitStack, postgres: PostgresServer, database: str) -> None:
        self._stack = stack
        self._postgres = postgres
        self._database = database
        self._made: dict[str, Pair] = {}

    def over(self, kind: str, redis: Callable[[], RedisServer]) -> Pair:
        if kind not in self._made:
            url = self._postgres.app_url(self._database)
            bus: Bus = PostgresBus(url, self._postgres, self._database)
            if kind == "redis":
                bus = RedisBus(url, redis())
            one, other = self._stack.enter_context(
                processes(Live, url, bus.settings().get("redis_url"))
            )
            self._made[kind] = Pair(one, other, bus)
        return self._made[kind]


async def ready(server: Live) -> dict[str, Any]:
    """What `/health/ready` says of the announcer. The server is ready."""
    answer = await ask_once(server.port, request("GET", "/health/ready"))
    assert answer.status == 200, answer
    said: dict[str, Any] = answer.json()["announcer"]
    return said


async def counted(server: Live, what: str) -> int:
    """`heard`, `sent` or `dropped`, by `/metrics`."""
    text = (await ask_once(server.port, request("GET", "/metrics"))).body.decode()
    found = re.search(rf"^hotdice_hints_{what}_total (\S+)$", text, re.MULTILINE)
    assert found is not None, text
    return int(float(found[1]))


async def connected(*servers: Live, is_up: bool = True) -> None:
    """Returns once the servers say so of their bus. Raises: TimeoutError."""
    for server in servers:
        await _when(partial(ready, server), lambda said: said["connected"] is is_up)


async def heard_beyond(server: Live, count: int) -> None:
    """Returns once it has heard more hints than that. Raises: TimeoutError."""
    await _when(partial(counted, server, "heard"), lambda heard: heard > count)


async def _when(ask: Callable[[], Awaitable[T]], is_met: Callable[[T], bool]) -> None:
    async with asyncio.timeout(15):
        while not is_met(await ask()):  # noqa: ASYNC110 — another process has no event for us
            await asyncio.sleep(0.02)
