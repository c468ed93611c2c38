"""
Announcers: hints that a game moved, to whoever waits for it.

A hint wakes; it carries no state. Who is woken reads the log, and who is not woken in time reads
it too: a lost hint costs a moment, nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple
from weakref import WeakSet

from app.ports import Heard

MOST_REMEMBERED = 2_048
"""Games whose newest version is kept, so that a hint just missed is not waited for: half a second
of hints at the most that a process has been seen to do, 200 bytes each."""

MOST_WAITING = 10_000
"""Waits at a time; a further one returns at once, and its caller reads the log."""


class Condition(NamedTuple):
    """How an announcer does, for operators; the counts are of hints, since the start."""

    kind: Literal["local", "postgres", "redis"]
    connected: bool
    sent: int = 0
    heard: int = 0
    dropped: int = 0
    """Not sent: too many waited, or sending failed."""


class InProcessAnnouncer:
    """For one process: a dictionary of futures."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}
        """The newest version of a game that anybody spoke of; it may be made up."""
        self._told: dict[str, WeakSet[asyncio.Task[object]]] = {}
        """By game: who has looked since."""
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._waits = 0
        self._listeners: list[Heard] = []
        self._closed = False

    def announce(self, game_id: str, version: int) -> None:
        self._newest[game_id] = max(version, self._newest.pop(game_id, version))
        self._told.pop(game_id, None)
        if len(self._newest) > MOST_REMEMBERED:
            oldest = next(iter(self._newest))
            del self._newest[oldest]
            self._told.pop(oldest, None)
        for waiter in self._waiting.pop(game_id, ()):
            if not waiter.done():
                waiter.set_result(None)
        for heard in self._listeners:
            heard(game_id, version)

    def listen(self, heard: Heard) -> Callable[[], None]:
        """Calls `heard` with every hint; returns what ends that."""
        self._listeners.append(heard)
        return partial(self._listeners.remove, heard)

    async def wait(self, game_id: str, above: int, seconds: float) -> None:
        if self._closed or self._waits >= MOST_WAITING or seconds <= 0:
            return
        if self._newest.get(game_id, 0) > above and self._is_news(game_id):
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiters = self._waiting.setdefault(game_id, set())
        waiters.add(waiter)
        self._waits += 1
        try:
            async with asyncio.timeout(seconds):
                await waiter
        except TimeoutError:
            pass
        finally:
            self._waits -= 1
            waiters.discard(waiter)
            if not waiters and self._waiting.get(game_id) is waiters:
                del self._waiting[game_id]

    def _is_news(self, game_id: str) -> bool:
        """
        Whether the current task should look for itself.

        Once: a task that has looked since, and comes back without that version, was lied to.
        """
        task, told = asyncio.current_task(), self._told.setdefault(game_id, WeakSet())
        if task is None or task in told:
            return False
        told.add(task)
        return True

    def condition(self) -> Condition:
        return Condition("local", connected=True)

    def close(self) -> None:
        """Wake everybody: the server stops, and long-polls must not hold it up."""
        self._closed = True
        for waiters in self._waiting.values():
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)
        self._waiting.clear()
