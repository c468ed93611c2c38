"""A server in this process, on a real port: uvicorn as it serves, with a test's times and parts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from app import serving
from app.live.http import HotdiceHttp
from app.live.hub import Hub
from app.live.timing import Timing
from app.parts import Parts
from app.ports import Announcer, Clock
from app.settings import Settings
from app.store.queries import SqlEventStore
from app.wiring import build_parts
from tests.canary.canary import CANARY


@dataclass(frozen=True)
class Serving:
    port: int
    parts: Parts
    uvicorn: uvicorn.Server

    @property
    def hub(self) -> Hub:
        return self.parts.live.hub

    def stop(self) -> None:
        """What SIGTERM does."""
        self.parts.stop()
        self.uvicorn.should_exit = True


async def until(met: Callable[[], object], within_s: float = 15.0) -> float:
    """Waits for a condition of this process; seconds it took. Raises: TimeoutError."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(within_s):
        while not met():  # noqa: ASYNC110 — what is waited for has no event to wait for
            await asyncio.sleep(0.01)
    return loop.time() - began


@asynccontextmanager
async def serving_on(
    database_url: str,
    *,
    timing: Timing | None = None,
    announcer: Announcer | None = None,
    http: type[HotdiceHttp] = HotdiceHttp,
    clock: Clock | None = None,
    store_type: type[SqlEventStore] = SqlEventStore,
    **settings: Any,
) -> AsyncIterator[Serving]:
    """
    Args:
        settings: fields of `Settings`; limits are off unless switched on.
    """
    asked = {"rate_limits": False, "port": 0, **settings}
    chosen = Settings(database_url=database_url, **asked)
    parts = await build_parts(
        chosen,
        timing=timing,
        announcer=announcer,
        clock=clock,
        entropy=CANARY.draw,
        store_type=store_type,
    )
    parts.games.desk.moved.append(CANARY.moved)
    config = serving.config(chosen, parts)
    config.http = http
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())  # as serve(), without its signal handlers
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.005)
    running = Serving(server.servers[0].sockets[0].getsockname()[1], parts, server)
    try:
        yield running
    finally:
        running.stop()
        await task
