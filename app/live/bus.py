"""
An announcer for several processes: hints go to the own listeners at once, and over a link to those
of the others.

Two tasks own the link, one that sends and one that listens; no request waits for either. What
cannot be sent is dropped and counted: everybody looks at the log once a second anyway. A link that
is lost is opened again and again; each time it listens anew, followers look at the log, since what
was said meanwhile is lost.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Literal, Protocol

from app.live.announcers import Condition, InProcessAnnouncer
from app.live.hints import Outgoing, packed, unpacked
from app.live.loops import Loops
from app.log import log
from app.ports import Heard

CONNECT_S = 2.0
"""To open a connection to the bus."""
SEND_S = 0.1
"""To send a batch; a bus that takes longer is as good as none."""
PING_S = 2.0
"""Between two signs of life on a quiet connection: one that is half open tells nothing."""
PONG_S = 1.0
RETRY_S = 0.5
"""From the loss of a connection to the next attempt."""
SPACING_S = 0.01
"""Between two batches: a busy server sends few large ones, not many small ones."""
MOST_AT_ONCE = 1_000
"""Hints in a batch."""
FLUSH_S = 0.5
"""For the last hints of a process that stops."""


class Sender(Protocol):
    """One connection, of one task."""

    async def send(self, payloads: Sequence[str]) -> None: ...

    async def ping(self) -> None: ...

    async def is_open(self) -> bool:
        """False where the other end is known to have closed it; asks nobody."""
        ...


class Link(Protocol):
    """A way to reach other processes."""

    @property
    def kind(self) -> Literal["postgres", "redis"]: ...

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """What is raised when the other end is away."""
        ...

    def sender(self) -> AbstractAsyncContextManager[Sender]:
        """Opens a connection; whatever happens, it is closed."""
        ...

    async def listen(
        self, heard: Callable[[str | bytes], None], subscribed: Callable[[], None]
    ) -> None:
        """
        Opens a connection and hands every payload on, until it is lost.

        Args:
            subscribed: is called once nothing is missed any more.
        """
        ...


class BusAnnouncer:
    """
    Args:
        missed: is called when hints may have been missed.
    """

    def __init__(
        self,
        link: Link,
        local: InProcessAnnouncer,
        missed: Callable[[], None],
        *,
        retry_s: float = RETRY_S,
    ) -> None:
        self._link = link
        self._local = local
        self._missed = missed
        self._retry_s = retry_s
        self._mark = secrets.token_hex(4)
        self._outgoing = Outgoing()
        self._settled = asyncio.Event()
        self._settled.set()
        self._up: set[str] = set()
        self._complained: set[str] = set()
        self._sent = self._heard = self._failed = 0
        self._loops = Loops()

    def start(self) -> None:
        """Connects in the background; a bus that is away keeps nobody from starting."""
        self._loops.start("announcing", self._send, self._retry_s)
        self._loops.start("listening", self._listen, self._retry_s)

    # The port.

    def announce(self, game_id: str, version: int) -> None:
        self._local.announce(game_id, version)
        self._outgoing.put(game_id, version)
        self._settled.clear()

    def listen(self, heard: Heard) -> Callable[[], None]:
        return self._local.listen(heard)

    async def wait(self, game_id: str, above: int, seconds: float) -> None:
        await self._local.wait(game_id, above, seconds)

    def condition(self) -> Condition:
        return Condition(
            self._link.kind,
            connected=len(self._up) == 2,
            sent=self._sent,
            heard=self._heard,
            dropped=self._failed + self._outgoing.dropped,
        )

    async def close(self) -> None:
        """Sends what waits, where that is quick, and ends both connections. Twice is fine."""
        if "announcing" in self._up:
            try:
                async with asyncio.timeout(FLUSH_S):
                    await self._settled.wait()
            except TimeoutError:
                pass
        await self._loops.close()

    # The two tasks.

    async def _send(self) -> None:
        with self._on_link("announcing"):
            async with self._link.sender() as sender:
                self._connected("announcing")
                while True:
                    await self._send_next(sender)

    async def _send_next(self, sender: Sender) -> None:
        if not await self._outgoing.filled(PING_S):
            async with asyncio.timeout(PONG_S):
                await sender.ping()
            return
        if not await sender.is_open():
            raise ConnectionResetError  # and the hints wait for the next one
        hints = self._outgoing.take(MOST_AT_ONCE)
        try:
            async with asyncio.timeout(SEND_S):
                await sender.send(packed(self._mark, hints))
        except BaseException:
            self._failed += len(hints)
            raise
        self._sent += len(hints)
        if not self._outgoing:
            self._settled.set()
        await asyncio.sleep(SPACING_S)

    async def _listen(self) -> None:
        with self._on_link("listening"):
            await self._link.listen(self._hear, self._subscribed)

    def _hear(self, payload: str | bytes) -> None:
        for game_id, version in unpacked(payload, self._mark) or ():
            self._heard += 1
            self._local.announce(game_id, version)

    def _subscribed(self) -> None:
        self._connected("listening")
        self._missed()

    # How they do.

    def _connected(self, work: str) -> None:
        self._up.add(work)
        if work in self._complained:
            self._complained.remove(work)
            log.info("bus_is_back", bus=self._link.kind, work=work)

    @contextmanager
    def _on_link(self, work: str) -> Iterator[None]:
        """A link that is lost is no fault of ours: it is told once, and opened again."""
        try:
            yield
        except self._link.faults as error:
            if work not in self._complained:
                self._complained.add(work)
                log.warning("bus_is_away", bus=self._link.kind, work=work, why=type(error).__name__)
        finally:
            self._up.discard(work)
