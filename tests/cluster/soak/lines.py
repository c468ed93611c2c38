"""
A stream down to its bytes: a WebSocket or server-sent events, cut after so many of them.

What whole frames a line brought before its cut is taken; of a torn one nothing.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from websockets.frames import Opcode

from tests.live.player import Json
from tests.live_streams.raw import HANDSHAKE, Messages, opened, vanish

LISTEN = (
    "GET /v1/games/{game_id}/events{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n{auth}"
    "Accept: text/event-stream\r\n\r\n"
)
BUFFER = 65_536


class Asked(NamedTuple):
    """Where a stream begins, and by whom and how it is asked for."""

    game_id: str
    query: str = ""
    headers: str = ""
    """Whole lines."""
    by: str = "websocket"
    """Or `sse`."""

    def text(self) -> str:
        form = HANDSHAKE if self.by == "websocket" else LISTEN
        return form.format(game_id=self.game_id, query=self.query, auth=self.headers)


class Cut(Exception):
    """By us: it has brought as many bytes as it was to bring."""


class Ended(Exception):
    """Not by us; carries a close code, an error's code, a status, `broken` or `refused`."""


class Reader(Protocol):
    def feed(self, data: bytes) -> Iterator[Json]:
        """The frames that these bytes complete. Raises: Ended."""
        ...


class OfWebSocket:
    def __init__(self, own: socket.socket) -> None:
        self._own = own
        self._messages = Messages()

    def feed(self, data: bytes) -> Iterator[Json]:
        for opcode, payload in self._messages.feed(data):
            if opcode == Opcode.TEXT:
                yield json.loads(payload)
            elif opcode == Opcode.PING:
                self._own.send(masked(Opcode.PONG, payload))
            elif opcode == Opcode.CLOSE:
                raise Ended(str(int.from_bytes(payload[:2], "big")))
        if (head := self._messages.head) and not head.startswith(b"HTTP/1.1 101 "):
            raise Ended(head[9:12].decode())


class OfEvents:
    """Server-sent events, in the chunks of HTTP/1.1."""

    def __init__(self) -> None:
        self._is_open = False
        self._rest = b""
        self._text = b""

    def feed(self, data: bytes) -> Iterator[Json]:
        self._rest += data
        if not self._is_open:
            head, end, tail = self._rest.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 200 "):
                raise Ended(head[9:12].decode())
            self._is_open, self._rest = True, tail
        over = self._take_chunks()
        *events, self._text = self._text.split(b"\n\n")
        for event in events:
            lines = [line for line in event.split(b"\n") if not line.startswith(b":")]
            fields = dict(line.split(b": ", 1) for line in lines if line)
            if not fields:  # a heartbeat
                continue
            frame: Json = json.loads(fields[b"data"])
            if frame["type"] == "error":
                raise Ended(frame["code"])
            yield frame
        if over:
            raise Ended("broken")

    def _take_chunks(self) -> bool:
        """Whether the answer is over."""
        while True:
            size, end, rest = self._rest.partition(b"\r\n")
            length = int(size, 16) if end else 0
            if not end or len(rest) < length + 2:
                return False
            if not length:
                return True
            self._text, self._rest = self._text + rest[:length], rest[length + 2 :]


class Line:
    """
    An open stream.

    Args:
        most: bytes after which it is cut; None for a line that holds.
    """

    def __init__(self, own: socket.socket, reader: Reader, most: int | None) -> None:
        self.bytes = 0
        self._own = own
        self._reader = reader
        self._most = most

    @classmethod
    async def open(cls, port: int, asked: Asked, most: int | None = None) -> Line:
        """Raises: Ended."""
        try:
            own = await opened(port, asked.text(), BUFFER)
        except OSError:
            raise Ended("refused") from None
        return cls(own, OfWebSocket(own) if asked.by == "websocket" else OfEvents(), most)

    async def read(self, take: Callable[[Json], None]) -> None:
        """What comes next; `take` is given its frames. Raises: Cut, Ended."""
        most = BUFFER if self._most is None else min(BUFFER, self._most - self.bytes)
        if not most:
            raise Cut
        try:
            data = await asyncio.get_running_loop().sock_recv(self._own, most)
            if not data:
                raise Ended("broken")
            self.bytes += len(data)
            for frame in self._reader.feed(data):
                take(frame)
        except OSError:
            raise Ended("broken") from None

    def say(self, message: str) -> None:
        """A text, over a WebSocket."""
        self._own.send(masked(Opcode.TEXT, message.encode()))

    def hang_up(self) -> None:
        """The other end sees a reset."""
        vanish(self._own)


def masked(opcode: int, payload: bytes) -> bytes:
    """A client's frame of at most 125 bytes; its mask is the one that changes nothing."""
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload
