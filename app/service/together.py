"""
Orders that arrive while a transaction runs share the next one.

Nobody waits for a batch to fill: whoever finds no transaction under way begins one. Where one takes
long (another process holds a game it needs, say), those that wait need not wait for it: another
begins beside it.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from app.errors import Overloaded
from app.ports import Order, Outcome, Tell

MOST = 64
"""Orders in one transaction; their decisions hold the loop for about 5 ms."""
AT_ONCE = 3
"""Transactions beside each other; the store keeps connections for others too."""
LONG_S = 0.02
"""A transaction that takes longer is not waited for."""
WAIT_S = 2.0
"""Past this, more waiting helps nobody: the caller is told to come back."""


class _Waiting(NamedTuple):
    order: Order
    outcome: asyncio.Future[Outcome]
    since: float


class Together:
    """
    Args:
        append: runs orders in one transaction, to its end, and tells of each how it ended.
        wait_s: for a transaction to begin; whoever has waited longer is told to come back.
        long_s: a transaction that takes longer is not waited for.
    """

    def __init__(
        self,
        append: Callable[[Sequence[Order], Tell], Awaitable[object]],
        wait_s: float = WAIT_S,
        long_s: float = LONG_S,
    ) -> None:
        self._append = append
        self._wait_s = wait_s
        self._long_s = long_s
        self._waiting: deque[_Waiting] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._beside: asyncio.TimerHandle | None = None

    def ask(self, order: Order) -> asyncio.Future[Outcome]:
        """The outcome that will be; giving up the wait for it does not take the order back."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(order, loop.create_future(), loop.time())
        self._waiting.append(waiting)
        if not self._running:
            self._begin()
        elif self._beside is None and len(self._running) < AT_ONCE:
            self._beside = loop.call_later(self._long_s, self._begin)
        return waiting.outcome

    @property
    def is_idle(self) -> bool:
        """Nothing waits and nothing runs."""
        return not self._running

    async def idle(self) -> None:
        """Returns when it is."""
        while self._running:
            await asyncio.wait(set(self._running))

    def _begin(self) -> None:
        if self._beside is not None:
            self._beside.cancel()
            self._beside = None
        if self._waiting and len(self._running) < AT_ONCE:
            # Of nobody's request: its log lines shall not carry the notes of the one that began it.
            task = asyncio.create_task(self._run(), context=contextvars.Context())
            self._running.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # each who waited has been given it
        if not self._running:
            self._begin()

    async def _run(self) -> None:
        while taken := self._take():
            try:
                await self._append([each.order for each in taken], _teller(taken))
            except BaseException as error:
                for each in taken:
                    _give(each.outcome, error)
                raise

    def _take(self) -> list[_Waiting]:
        taken: list[_Waiting] = []
        late = asyncio.get_running_loop().time() - self._wait_s
        while self._waiting and len(taken) < MOST:
            waiting = self._waiting.popleft()
            if waiting.since < late:
                _give(waiting.outcome, Overloaded())
            else:
                taken.append(waiting)
        return taken


def _teller(taken: Sequence[_Waiting]) -> Tell:
    waiting = {id(each.order): each.outcome for each in taken}

    def tell(order: Order, outcome: Outcome) -> None:
        _give(waiting[id(order)], outcome)

    return tell


def _give(outcome: asyncio.Future[Outcome], given: Outcome | BaseException) -> None:
    if outcome.done():
        return
    if isinstance(given, Exception) or not isinstance(given, BaseException):
        outcome.set_result(given)
    else:
        outcome.set_exception(given)
        outcome.exception()  # who waited may be gone, and then nobody else is to hear of it
