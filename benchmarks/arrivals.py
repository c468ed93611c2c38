"""
Open-loop load: requests that come when they come, whether or not earlier ones are answered.

A wait counts from the moment at which a request was due, so that a server which stands still is
charged for all who would have come meanwhile.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

from benchmarks.client import Script, Unexpected

GIVES_UP_S = 30.0
"""For the last answers; a server that stands still must not stop the run."""


def poisson(per_second: float, seconds: float, seed: int) -> list[float]:
    """Seconds from the beginning at which requests are due; the same for the same seed."""

    def times() -> Iterator[float]:
        chance, at = random.Random(seed), 0.0
        while (at := at + chance.expovariate(per_second)) < seconds:
            yield at

    return list(times())


class _Caller(asyncio.Protocol):
    """One connection, which asks once at a time."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._transport: asyncio.Transport | None = None
        self._heard = b""
        self._answered: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def ask(self) -> asyncio.Future[None]:
        """Done when the whole answer is there; fails with Unexpected."""
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(self._script.request())
        return self._answered

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, end, body = self._heard.partition(b"\r\n\r\n")
        if not end or len(body) < int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]):
            return
        self._heard = b""
        assert self._answered is not None
        try:
            self._script.answered(int(head[9:12]), head, body)
        except Exception as error:
            self._answered.set_exception(error)
        else:
            self._answered.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(Unexpected(f"the server closed the connection: {exc}"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def arrive(port: int, scripts: Sequence[Script], due: Sequence[float]) -> list[float]:
    """
    Asks at these seconds from now, each time by whichever script has waited longest for its turn.

    Gives the waits in milliseconds. Raises: Unexpected.
    """
    loop = asyncio.get_running_loop()
    callers = [
        (await loop.create_connection(partial(_Caller, script), "127.0.0.1", port))[1]
        for script in scripts
    ]
    free, wanted = deque(callers), asyncio.Semaphore(len(callers))
    waits: list[float] = []

    async def one(at: float) -> None:
        async with wanted:
            caller = free.popleft()
            await caller.ask()
            waits.append((time.perf_counter() - began - at) * 1000)
            free.append(caller)

    began = time.perf_counter()
    try:
        async with asyncio.timeout(due[-1] + GIVES_UP_S), asyncio.TaskGroup() as group:
            for at in due:
                if (early := began + at - time.perf_counter()) > 0:
                    await asyncio.sleep(early)
                group.create_task(one(at))
    except ExceptionGroup as faults:
        raise faults.exceptions[0] from None
    finally:
        for caller in callers:
            caller.close()
    return waits
