"""Reading when somebody wants to: one reader at a time, its rounds shared by all who wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from app.live.loops import spawn


class Rounds:
    """
    Args:
        read: one round; True where there may be more to read.
        reached: the version read so far.
        failed: is told what a round failed with; after that only somebody new makes it try again.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[bool]],
        reached: Callable[[], int],
        failed: Callable[[Exception], None],
    ) -> None:
        self._read = read
        self._reached = reached
        self._failed = failed
        self._wanted = 0
        self.is_awaited = False
        """Somebody waits for the round that runs: it must have begun to read after they came."""
        self._waiting: list[asyncio.Future[None]] = []
        self._task: asyncio.Task[None] | None = None

    def want(self, version: int) -> None:
        """Read, unless this version has been reached."""
        if version > self._reached():
            self._wanted = max(version, self._wanted)
            self._go_on()

    @property
    def is_behind(self) -> bool:
        """A version is wanted that has not been reached."""
        return self._wanted > self._reached()

    @property
    def is_idle(self) -> bool:
        """Nobody reads, and nobody waits for it."""
        return self._task is None

    async def next(self) -> None:
        """Returns when a round that began after this call is over. Raises: what it failed with."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(over)
        self._go_on()
        await over

    def _go_on(self) -> None:
        if self._task is None:
            self._task = spawn(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting or self.is_behind:
                await self._round()
        finally:
            self._task = None
            for over in self._waiting:
                over.cancel()

    async def _round(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.is_awaited = bool(waiting)
        wanted = self._wanted
        try:
            is_more = await self._read()
        except Exception as error:
            self._wanted = 0
            self._failed(error)
            for over in waiting:
                if not over.done():
                    over.set_exception(error)
            return
        if is_more:
            self._waiting += waiting
            return
        if self._wanted == wanted:
            self._wanted = 0  # whoever wanted more was mistaken
        for over in waiting:
            if not over.done():
                over.set_result(None)
