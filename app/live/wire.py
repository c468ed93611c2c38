"""
A wire: one peer, as whoever sends to it needs it. Nothing here waits.

`write` hands bytes over at once, `paused` says that the peer does not keep up, `on_resume` is
called when it has caught up. `app.live.socket` is the wire of a WebSocket; `PumpWire` makes one out
of any ASGI `send`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from app.live.below import Below
from app.live.frames import Ending, Frame
from app.live.timing import LINGER_S

Message = dict[str, Any]


class Wire(Protocol):
    paused: bool
    is_owed: bool
    """The peer waits for the answer to a command: a stop lets it have it."""
    on_resume: Callable[[], None] | None
    on_text: Callable[[str], bool] | None
    """Takes a message as it comes, where a wire reads what its peer says; False where it has no
    room: then the application receives it, and further ones, when it has."""

    @property
    def unsent(self) -> int:
        """What the peer has yet to take. It shrinks while a paused wire makes progress."""
        ...

    @property
    def heard_at(self) -> float | None:
        """When any byte came, in the loop's time; None where peers have nothing to say."""
        ...

    def write(self, frame: Frame) -> None:
        """Send at once; after `close` or a loss, nothing."""
        ...

    def close(self, ending: Ending) -> None:
        """Say why and end; whoever does not take that in time is cut off. Twice is fine."""
        ...

    def forgive(self) -> None:
        """A frame of the peer is answered for itself: it is no part of a flood."""
        ...

    async def gone(self) -> None:
        """Returns when nothing is left of the connection, after a close or a loss."""
        ...


class Shape(Protocol):
    """How frames and ends look as ASGI messages."""

    def message(self, frame: Frame) -> Message: ...

    def last(self, ending: Ending) -> Message: ...


class SocketShape:
    """For a WebSocket without our own protocol below it."""

    def message(self, frame: Frame) -> Message:
        return {"type": "websocket.send", "text": frame.payload.decode()}

    def last(self, ending: Ending) -> Message:
        return {"type": "websocket.close", "code": ending.close, "reason": ending.code}


class EventShape:
    """For an answer of server-sent events. The error event has been written by then."""

    def message(self, frame: Frame) -> Message:
        return {"type": "http.response.body", "body": frame.event, "more_body": True}

    def last(self, ending: Ending) -> Message:
        return {"type": "http.response.body", "body": b"", "more_body": False}


class PumpWire:
    """
    A wire over an awaited `send`: a task of its owner, `pump`, sends what was written.

    Args:
        below: the connection that frames go out on, where it is known.
        linger_s: a peer may take so long for the end.
    """

    AHEAD = 4
    """Frames handed over beyond what `send` has taken: the pump shall not wait for a wake-up."""

    def __init__(
        self,
        send: Callable[[Message], Awaitable[None]],
        shape: Shape,
        below: Below | None = None,
        linger_s: float = LINGER_S,
    ) -> None:
        self.paused = False
        self.is_owed = False
        self.on_resume: Callable[[], None] | None = None
        self.on_text: Callable[[str], bool] | None = None
        self._send = send
        self._shape = shape
        self._below = below
        self._linger_s = linger_s
        self._pending: deque[Frame] = deque()
        self._last: Message | None = None
        self._wake = asyncio.Event()
        self._linger: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[Any] | None = None

    @property
    def unsent(self) -> int:
        waiting = sum(len(frame.payload) for frame in self._pending)
        return waiting + (0 if self._below is None else self._below.left())

    @property
    def heard_at(self) -> None:
        return None

    def write(self, frame: Frame) -> None:
        if self._last is None:
            self._pending.append(frame)
            self.paused = len(self._pending) >= self.AHEAD
            self._wake.set()

    def close(self, ending: Ending) -> None:
        if self._last is None:
            self._last = self._shape.last(ending)
            self._wake.set()
            self._linger = asyncio.get_running_loop().call_later(self._linger_s, self._cut)

    def forgive(self) -> None:
        """Nobody counts them here."""

    async def gone(self) -> None:
        """Its owner sees to that."""

    def _cut(self) -> None:
        if self._below is not None:
            self._below.cut()
        if self._task is not None:
            self._task.cancel()

    async def pump(self) -> None:
        """Sends until closed; returns then. To be run as a task."""
        self._task = asyncio.current_task()
        try:
            while True:
                while self._pending:
                    await self._send(self._shape.message(self._pending[0]))
                    self._pending.popleft()
                if self._last is not None:
                    await self._send(self._last)
                    return
                self._wake.clear()
                if self.paused:
                    self.paused = False
                    if self.on_resume is not None:
                        self.on_resume()
                if not self._pending and self._last is None:
                    await self._wake.wait()
        finally:
            if self._linger is not None:
                self._linger.cancel()
