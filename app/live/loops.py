"""
Work that recurs in the background, and goes on whatever happens to one round of it.

A round that fails is logged and tried again at its next time. Work that keeps failing is named to
who asks, so that it shows in `/health/ready`.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

from app.errors import Overloaded, StoreUnavailable
from app.log import log

FAILS_AFTER = 3
"""Rounds in a row: one slow second of the database is no failure."""


def spawn(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """A task of nobody's request: its log lines shall not carry the request's notes."""
    return asyncio.create_task(work, context=contextvars.Context())


async def end_all(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancels them; returns when they have ended, however they did."""
    for task in tasks:
        task.cancel()
    if tasks:
        done, _ = await asyncio.wait(tasks)
        for task in done:
            if not task.cancelled():
                task.exception()  # seen


class Loops:
    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, int] = {}
        self._ends = False

    def start(
        self,
        name: str,
        work: Callable[[], Awaitable[None]],
        every_s: float,
        wake: asyncio.Event | None = None,
    ) -> None:
        """
        Runs `work` again and again until closed.

        Args:
            wake: when set, the next round comes at once.
        """

        def over(task: asyncio.Task[None]) -> None:
            if not self._ends:  # cancelled by somebody else, or something worse than an error
                log.error("background_ended", work=name)
                self.start(name, work, every_s, wake)

        task = self._tasks[name] = spawn(self._run(name, work, every_s, wake))
        task.add_done_callback(over)

    async def _run(
        self,
        name: str,
        work: Callable[[], Awaitable[None]],
        every_s: float,
        wake: asyncio.Event | None,
    ) -> None:
        while True:
            try:
                await work()
                self._failed.pop(name, None)
            except Exception as error:
                failed = self._failed[name] = self._failed.get(name, 0) + 1
                if failed.bit_count() == 1:  # 1, 2, 4, 8, …
                    # Where the database is away or busy there is nothing to trace.
                    why: dict[str, Any] = {"exc_info": error}
                    if isinstance(error, StoreUnavailable | Overloaded):
                        why = {"why": error.code}
                    log.warning("background_failed", work=name, rounds=failed, **why)
            if wake is None:
                await asyncio.sleep(every_s)
            else:
                try:
                    async with asyncio.timeout(every_s):
                        await wake.wait()
                except TimeoutError:
                    pass
                wake.clear()

    def failing(self) -> list[str]:
        """Names of work that keeps failing."""
        return sorted(name for name, rounds in self._failed.items() if rounds >= FAILS_AFTER)

    async def close(self) -> None:
        """End all of them; returns when they have ended. Twice is fine."""
        self._ends = True
        tasks = list(self._tasks.values())
        self._tasks.clear()
        await end_all(tasks)
