"""
uvicorn's WebSocket protocol, as a wire.

It adds what uvicorn lacks: frames written past the protocol machine and only while the transport's
buffer is empty, a close that waits for nobody, an end for peers that have fallen silent, and a
close code that arrives whatever the peer did. It passes itself to the application in
`scope["extensions"]["hotdice"]`.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio.transports import BaseTransport
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame as RawFrame
from websockets.protocol import State

from app.live.below import Below
from app.live.endings import NO_PROTOCOL, NOT_JSON, RESTART, TOO_LARGE, TOO_MANY_MESSAGES
from app.live.frames import Ending, Frame
from app.live.machine import Machine
from app.live.timing import LINGER_S

EXTENSION = "hotdice"

SLICE = 4_096
"""Bytes parsed at once: what a peer has sent too much of is dropped before it costs time."""

MOST_FRAMES = 1_000
FRAMES_S = 10.0
"""So many frames in so many seconds, pings and pieces of messages too, are a flood."""

_log = logging.getLogger(__name__)
_log.setLevel(logging.WARNING)
"""At the info level uvicorn and websockets print addresses with their tickets."""

_PONG = b"\x8a"
_BROKEN = {ending.close: ending for ending in (NO_PROTOCOL, NOT_JSON, TOO_LARGE)}


class HotdiceSocket(WebSocketsSansIOProtocol):
    """One WebSocket; `app.live.wire.Wire`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _log
        self.conn: Machine = Machine(max_size=self.config.ws_max_size, logger=_log)
        self.paused = False
        self.is_owed = False
        self.on_resume: Callable[[], None] | None = None
        self.on_text: Callable[[str], bool] | None = None
        self._heard_at = self.loop.time()
        self.ended: Ending | None = None
        """How it ended for what the application never saw."""
        self._counted_since = self._heard_at
        self._failed = False
        self._lost = asyncio.Event()

    # The wire.

    @property
    def unsent(self) -> int:
        return 0 if self.disconnected else self._below.left()

    @property
    def heard_at(self) -> float | None:
        return self._heard_at

    def write(self, frame: Frame) -> None:
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frame.socket)

    def close(self, ending: Ending) -> None:
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return
        self.queue.put_nowait(
            {"type": "websocket.disconnect", "code": ending.close, "reason": ending.code}
        )
        self.conn.send_close(ending.close, ending.code)
        self._part()

    def forgive(self) -> None:
        self.conn.frames -= 1

    async def gone(self) -> None:
        await self._lost.wait()

    def _part(self, *, half_close: bool = False) -> None:
        """
        Send what the protocol machine holds and leave; cut off a peer who does not.

        What the peer has sent is still taken from the kernel: closing with unread bytes would
        reset the connection, and the peer might never see the close frame.
        """
        self.stop_keepalive()
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if half_close and self.transport.can_write_eof():
            self.transport.write_eof()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self._cut_later()

    def _cut_later(self) -> None:
        if self.close_timer is None and not self.disconnected:
            self.close_timer = self.loop.call_later(LINGER_S, self._below.cut)

    # What uvicorn calls.

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]
        await super().run_asgi()

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._below = Below(self.transport)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.paused = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.paused = False
        if self.on_resume is not None:
            self.on_resume()

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_resume = self.on_text = None
        super().connection_lost(exc)
        self._lost.set()

    def data_received(self, data: bytes) -> None:
        self._heard_at = self.loop.time()
        for start in range(0, len(data), SLICE):
            if self._failed:
                return
            self._parse(data[start : start + SLICE])
            if self._is_flooded():
                self._refuse(TOO_MANY_MESSAGES)
                self._failed = True

    def _is_flooded(self) -> bool:
        if self._heard_at - self._counted_since >= FRAMES_S:
            self._counted_since, self.conn.frames = self._heard_at, 0
        return self.conn.frames > MOST_FRAMES

    def _refuse(self, ending: Ending) -> None:
        """End it for what the application never sees."""
        if not self.close_sent:
            self.ended = ending
        if not self.paused:
            self.write(ending.frame())
        self.close(ending)

    def _parse(self, data: bytes) -> None:
        if (text := self.conn.short_text(data)) is not None:
            self.curr_msg_data_type = "text"
            self.frames = [text]
            self.send_receive_event_to_app()
            return
        super().data_received(data)
        if not self.handshake_initiated and self.conn.handshake_exc is not None:
            # A request that only the HTTP parser understood: say so instead of saying nothing.
            self._failed = self.close_sent = True
            response = self.conn.reject(HTTPStatus.BAD_REQUEST, "")
            self.transport.write(response.serialize())
            self.transport.close()

    def handle_parser_exception(self) -> None:
        """The peer broke the protocol, or sent too much; the machine has said so in its close."""
        self._failed = True
        sent = self.conn.close_sent
        code = 1006 if sent is None else sent.code
        if not self.close_sent:
            self.ended = _BROKEN.get(code, NO_PROTOCOL)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})
        self._part(half_close=True)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                text = b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._refuse(NOT_JSON)
                return
            if self.on_text is not None and self.queue.empty() and self.on_text(text):
                self.frames = []
                return
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        # One answer is enough for many pings (RFC 6455, 5.5.3), and a peer that reads nothing needs
        # none: pings fill no buffer.
        output = self.conn.data_to_send()
        pongs = [data for data in output if data[:1] == _PONG]
        others = [data for data in output if data[:1] != _PONG]
        if pongs and not self.paused:
            self.transport.write(pongs[-1])
        # The answer to a close that came behind it waits for what stands between: nothing may be
        # sent after it (5.5.1).
        self.conn.writes = others

    def handle_close(self, event: RawFrame) -> None:
        super().handle_close(event)
        self._cut_later()

    def shutdown(self) -> None:
        if self.handshake_complete:
            if not self.is_owed:
                self.close(RESTART)
        else:
            super().shutdown()
