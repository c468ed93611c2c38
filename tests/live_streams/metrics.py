"""What a server process says of itself."""

from __future__ import annotations

import asyncio
import re

from tests.live.server import Live
from tests.live.wire import ask_once, request

DEADLINE_S = 30.0
"""Generous: only to stop."""


async def metric(server: Live, name: str, *, or_none: bool = False) -> int:
    """
    A gauge or counter, named with its labels.

    Args:
        or_none: 0 where it is not there yet.
    """
    text = (await ask_once(server.port, request("GET", "/metrics"))).body.decode()
    found = re.search(rf"^hotdice_{re.escape(name)} (\S+)$", text, re.MULTILINE)
    if found is None and or_none:
        return 0
    assert found is not None, text
    return int(float(found[1]))


async def streams(server: Live) -> int:
    return await metric(server, "streams")


async def comes_down(server: Live, name: str, most: int = 0) -> None:
    """Returns once the metric is no more than that. Raises: TimeoutError."""
    async with asyncio.timeout(DEADLINE_S):
        while await metric(server, name) > most:  # noqa: ASYNC110 — another process has no event for us
            await asyncio.sleep(0.05)
