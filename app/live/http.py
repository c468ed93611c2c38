"""
uvicorn's HTTP protocol, with an end to requests that have none, and to peers that take no answer.

uvicorn waits for ever for the rest of a request, and for a peer to take its answer; it keeps a head
of any size, and any number of requests behind one that is not answered yet. It also takes a
handshake for a WebSocket while an earlier request on the connection is unanswered, and one of
HTTP/1.0. And it does not show answers without end the transport that they go out on.

An answer that is there as a whole goes out in one piece (`write_whole`): to hand it over in two
messages, whose headers are checked one by one, takes a command as long as its rules.
"""

from __future__ import annotations

import asyncio
from functools import partial

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from app.live.below import left
from app.live.socket import EXTENSION

MOST_LOOSE = 128 * 1024
"""Bytes that have led to no complete head and no body: headers or trailers without end."""

MOST_WAITING = 64
"""Requests of one connection behind the one that is being answered."""

SLICE = 4_096
"""Bytes parsed at once: a quarter of a megabyte may hold ten thousand requests."""

_BLANKS = b" \t"
"""Around a header's value, no part of it (RFC 9110, 5.5); the parser drops those in front."""

WHOLE = "hotdice.whole"
"""Where `write_whole` stands in `scope["extensions"]`."""

_TOO_MUCH = b"The head of the request is too large.\n"
_REFUSED = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(_TOO_MUCH), _TOO_MUCH)
)


def write_whole(cycle: RequestResponseCycle, status: int, head: bytes, body: bytes) -> bool:
    """
    Answers a request with what uvicorn's `send` would write of it, in one piece.

    Args:
        head: lines of headers, each with its end; `content-length` is that of the body.
    Returns: whether it was: not where the peer takes nothing at the moment, or has gone.
    """
    if cycle.flow.write_paused or cycle.disconnected or cycle.response_started:
        return False
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    lines = [STATUS_LINE[status]]
    for name, value in cycle.default_headers:
        lines += (name, b": ", value, b"\r\n")
    lines += (head, b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n", body)
    cycle.transport.write(b"".join(lines))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True


class HotdiceHttp(HttpToolsProtocol):
    """Passes the transport and `write_whole` to the application in `scope["extensions"]`."""

    whole_within_s = 10.0
    """From a connection, or the first byte of a further request, to the request's last byte."""

    taken_within_s = 60.0
    """
    A peer that has acknowledged nothing of its answer for so long takes none any more. Not less: a
    proxy on the same machine acknowledges 64 KiB at once, whenever a slow client has taken them.
    """

    _loose = 0
    _begun = False
    """A request has, and is not whole."""
    _deadline: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _left = 0
    """Of the answer, when it was last looked."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_whole()
        if self._taking is not None:
            self._taking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._loose += len(data)
        if len(data) <= SLICE:
            self._feed(data)
        else:
            self._parse(data)
        if self._begun and self._deadline is None:  # most requests come whole, in one piece
            self._wait()
        if self._loose > MOST_LOOSE and not self.transport.is_closing():
            if not self._is_answering():
                self.transport.write(_REFUSED)
            self.transport.close()

    def _parse(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return  # refused, or a stream by now
            self._feed(data[start : start + SLICE])

    def _feed(self, data: bytes) -> None:
        super().data_received(data)
        if len(self.pipeline) > MOST_WAITING:
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._watch()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {EXTENSION: self.transport}  # type: ignore[dict-item]
        self._begun = True

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value.rstrip(_BLANKS))

    def on_headers_complete(self) -> None:
        self._loose = 0
        super().on_headers_complete()
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.scope is self.scope:
            self.scope["extensions"][WHOLE] = partial(write_whole, cycle)  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        self._loose = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_whole()
        self._begun = False
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        if self._is_answering():
            self.transport.abort()  # its answer would land between our frames
        else:
            super().handle_websocket_upgrade()

    def _should_upgrade(self) -> bool:
        return self.parser.get_http_version() == "1.1" and super()._should_upgrade()

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _watch(self) -> None:
        """Until the peer has taken all, also once this is closing: that waits for the peer too."""
        if self._taking is None:
            self._left = left(self.transport)
            self._taking = self.loop.call_later(self.taken_within_s, self._look)

    def _look(self) -> None:
        self._taking = None
        if not self.transport.get_write_buffer_size():
            return
        before = self._left
        self._watch()
        if self._left >= before:
            self.transport.abort()

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.whole_within_s, self.transport.abort)

    def _is_whole(self) -> None:
        self._loose = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
