"""
Watches: one reader for all who watch a list of games, who are told what the last look found new.

A watcher is sent the list whole, then what changes in it. It is told states, not events: one that
does not keep up is sent the list again once it does, so that nothing piles up for it, and nothing
is lost that still holds.

A hint makes the watch look at once, or soon where nobody here knows the game; the poll makes it
look in any case. What a look finds does not depend on who wrote it, or on anybody's clock.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from app.errors import AppError
from app.live.connections import Connection
from app.live.endings import FAULT
from app.live.frames import Frame
from app.live.rounds import Rounds
from app.live.source import Source
from app.log import log

SPACING_S = 0.03
"""Between two looks: on a busy server one tells what many hints have said."""

UNKNOWN_S = 0.2
"""After a hint of a game that nobody here knows: somebody watched may have sat down there."""


class Watcher:
    """One connection that watches."""

    __slots__ = ("_begun", "connection", "has_list")

    def __init__(self, connection: Connection, begun: int) -> None:
        """
        Args:
            begun: looks begun so far; those say nothing of what this watcher may know already.
        """
        self.connection = connection
        self.has_list = False
        """It has the list as of the last look."""
        self._begun = begun

    def tell(self, news: Iterable[Frame], whole: Callable[[], Frame], look: int) -> None:
        """
        What a look has found: the news for one that has the list, else the list, which has them.

        Args:
            look: its number.
        """
        outbox = self.connection.outbox
        if outbox.ended is not None or look <= self._begun:
            return
        if not self.has_list:
            if outbox.is_clear:
                outbox.send(whole())
                self.has_list = self.connection.has_begun = True
            return
        for frame in news:
            if not outbox.is_clear:
                self.has_list = False
                return
            outbox.send(frame)


class Watch(ABC):
    """What the watches of players and of the lobby share: when they look."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.looks = 0
        """Begun so far."""
        self._rounds = Rounds(self._round, lambda: self.looks, self._failed)
        self._next_at = 0.0
        self._later: asyncio.TimerHandle | None = None

    @abstractmethod
    def watchers(self) -> list[Watcher]:
        """All of them."""

    @abstractmethod
    def known(self, game_id: str) -> int | None:
        """The version that watchers were last told of; None for a game that none was told of."""

    @abstractmethod
    async def look(self) -> None:
        """Reads, and tells every watcher. Raises: StoreUnavailable, Overloaded."""

    async def next(self) -> None:
        """Returns when a look that begins now or later is over. Raises: what it failed with."""
        await self._rounds.next()

    async def poll(self) -> None:
        """A look, where anybody watches. Raises: StoreUnavailable, Overloaded."""
        if self.watchers():
            await self.next()

    def hear(self, game_id: str, version: int) -> None:
        """A hint; it may be wrong in every way."""
        known = self.known(game_id)
        if known is None:
            if self._later is None and self.watchers():
                loop = asyncio.get_running_loop()
                self._later = loop.call_later(UNKNOWN_S, self._look_at_once)
        elif version > known:
            self._look_at_once()

    def close(self) -> None:
        """No look begins by itself any more. Twice is fine."""
        if self._later is not None:
            self._later.cancel()
            self._later = None

    def _look_at_once(self) -> None:
        self.close()
        self._rounds.want(self.looks + 1)

    async def _round(self) -> bool:
        loop = asyncio.get_running_loop()
        if (wait_s := self._next_at - loop.time()) > 0:
            await asyncio.sleep(wait_s)
        self._next_at = loop.time() + SPACING_S
        self.looks += 1
        await self.look()
        return False

    def _failed(self, error: Exception) -> None:
        if isinstance(error, AppError):
            return  # the database is away, or busy: the poll looks again
        log.error("watch_failed", watch=type(self).__name__, exc_info=error)
        for watcher in self.watchers():
            watcher.connection.outbox.end(FAULT)
