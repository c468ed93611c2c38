"""
What waits for one peer: nothing while it keeps up, a few frames by reference while it does not.

A full outbox, or a peer that takes nothing for a while, ends the stream: the peer may come back and
resume, and nobody else notices. No task runs here; the wire's own callback drains the queue.
"""

from __future__ import annotations

import asyncio
from collections import deque

from app.live.endings import GONE, TOO_SLOW
from app.live.frames import Ending, Frame
from app.live.wire import Wire

MOST_QUEUED = 64


class Outbox:
    __slots__ = ("_clear", "_queue", "_stalled_at", "_unsent", "ended", "wire")

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.ended: Ending | None = None
        """Why the server ended it; None while it runs."""
        self._queue: deque[Frame] = deque()
        self._clear: asyncio.Future[None] | None = None
        self._stalled_at: float | None = None
        self._unsent = 0
        wire.on_resume = self._resumed

    @property
    def is_clear(self) -> bool:
        """What is sent now goes out now."""
        return not (self._queue or self.wire.paused)

    def send(self, frame: Frame) -> None:
        """Out at once, or behind what waits; a full outbox ends the stream."""
        if not (self._queue or self.wire.paused):
            self.wire.write(frame)
        elif self.ended is None:
            if len(self._queue) >= MOST_QUEUED:
                self.end(TOO_SLOW)
            else:
                self._queue.append(frame)

    async def clear(self) -> None:
        """Returns once the peer has caught up, or the stream has ended."""
        while self.ended is None and not self.is_clear:
            if self._clear is None:
                self._clear = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._clear)

    def _resumed(self) -> None:
        self._stalled_at = None
        wire, queue = self.wire, self._queue
        while queue and not wire.paused:
            wire.write(queue.popleft())
        if self.is_clear:
            self._tell()

    def has_stalled(self, now: float, after_s: float) -> bool:
        """Whether the peer has taken nothing for so long. Asked once a second."""
        if not self.wire.paused:
            self._stalled_at = None
            return False
        unsent = self.wire.unsent
        if self._stalled_at is None or unsent < self._unsent:
            self._stalled_at = now
        self._unsent = unsent
        return now - self._stalled_at >= after_s

    def end(self, ending: Ending) -> None:
        """End the stream and say why. The first reason counts."""
        if self.ended is None:
            self.ended = ending
            self._queue.clear()
            if not self.wire.paused:
                self.wire.write(ending.frame())
            self.wire.close(ending)
            self._tell()

    def lost(self) -> None:
        """The peer has gone: nothing is sent any more."""
        if self.ended is None:
            self.ended = GONE
            self._queue.clear()
            self._tell()
        self.wire.on_resume = None

    def _tell(self) -> None:
        clear, self._clear = self._clear, None
        if clear is not None and not clear.done():
            clear.set_result(None)
