"""
Announcers: hints that a game moved, to whoever waits for it.

A hint wakes; it carries no state. Who is woken reads the log, and who is not woken in time reads
it too: a lost hint costs a moment, nothing else.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple
from weakref import WeakSet

from app.ports import Heard

MOST_REMEMBERED = 10_000
"""Games whose newest version is kept, so that a hint just missed is not waited for."""

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


class _Hint:
    """The newest version of a game that anybody spoke of; it may be made up."""

    __slots__ = ("_told", "version")

    def __init__(self, version: int) -> None:
        self.version = version
        self._told: WeakSet[asyncio.Task[object]] | None = None

    def is_news(self, above: int) -> bool:
        """
        Whether the current task should look for itself, for a version above that one.

        Once: a task that has looked since, and comes back without that version, was lied to.
        """
        task = asyncio.current_task()
        if self.version <= above or task is None:
            return False
        if self._told is None:
            self._told = WeakSet()
        elif task in self._told:
            return False
        self._told.add(task)
        return True


class InProcessAnnouncer:
    """For one process: a dictionary of futures."""

    def __init__(self) -> None:
        self._newest: OrderedDict[str, _Hint] = OrderedDict()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._waits = 0
        self._listeners: list[Heard] = []
        self._closed = False

    def announce(self, game_id: str, version: int) -> None:
        before = self._newest.pop(game_id, None)
        self._newest[game_id] = _Hint(max(version, before.version) if before else version)
        if len(self._newest) > MOST_REMEMBERED:
            self._newest.popitem(last=False)
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
        hint = self._newest.get(game_id)
        if hint is not None and hint.is_news(above):
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
