"""An event loop in which time passes at once, and every task knows its process."""

from __future__ import annotations

import asyncio
import contextvars
import selectors
from collections.abc import Callable, Coroutine, Generator, Mapping
from typing import Any


class Died(BaseException):
    """The process has ended here. No error: nothing may catch it and go on."""


class Owner:
    """What runs in one process."""

    def __init__(self) -> None:
        self.tasks: dict[asyncio.Task[Any], None] = {}  # in order, unlike a set
        self.is_dead = False

    def die(self) -> None:
        """What is under way goes no further, and nothing begins."""
        self.is_dead = True
        for task in list(self.tasks):
            task.cancel()


owner: contextvars.ContextVar[Owner | None] = contextvars.ContextVar("owner", default=None)


THREAD_S = 0.002
"""What work in a thread takes."""


class Stuck(AssertionError):
    """Nobody has anything to wait for: somebody was forgotten."""


class _NoSockets(selectors.BaseSelector):
    """Nothing comes from outside: waiting for it means that time passes."""

    def __init__(self) -> None:
        self.passed = 0.0
        self._known: dict[int, selectors.SelectorKey] = {}

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("everybody waits, and nothing will ever happen")
        self.passed += max(timeout, 0.0)
        return []

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        number = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        key = self._known[number] = selectors.SelectorKey(fileobj, number, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._known.pop(fileobj if isinstance(fileobj, int) else fileobj.fileno())

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._known


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._passing = _NoSockets()
        super().__init__(self._passing)
        self.set_task_factory(_task)
        self.set_exception_handler(_unless_dead)
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self._passing.passed

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """No threads: it is done a moment later."""
        over: asyncio.Future[Any] = self.create_future()

        def done() -> None:
            if not over.done():
                try:
                    over.set_result(func(*args))
                except Exception as error:
                    over.set_exception(error)

        self.call_later(THREAD_S, done)
        return over


def _unless_dead(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), Died):
        loop.default_exception_handler(context)


def _task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    context: contextvars.Context | None = None,
) -> asyncio.Task[Any]:
    """A task belongs to the process of who starts it, whatever context it is given."""
    mine = owner.get()
    if mine is not None and mine.is_dead:
        work.close()
        raise Died
    context = context or contextvars.copy_context()
    context.run(owner.set, mine)
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    if mine is not None:
        mine.tasks[task] = None
        task.add_done_callback(lambda over: mine.tasks.pop(over, None))
    return task


def as_owned(mine: Owner, start: Callable[[], Any]) -> Any:
    """Calls something as if from within that process."""
    context = contextvars.copy_context()
    context.run(owner.set, mine)
    return context.run(start)
