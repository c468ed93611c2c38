"""A connection that says what it is told, byte for byte, and reads what a WebSocket server says."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.asyncapi.checked import FRAMES
from tests.live_streams.corpus.build import CLOSE, TEXT, frame

TIMEOUT_S = 60.0
"""Generous: only to stop."""
NO_CODE, CUT = 1005, 1006
"""Close codes that are never sent: a close without a code, and none at all."""


class Bare:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.head = b""
        """Of the answer to the handshake."""
        self.frames: list[dict[str, Any]] = []
        self.code: int | None = None
        """Of the close; None while it is open."""

    @property
    def received(self) -> bytes:
        """All that can hold an echo."""
        return self.head + json.dumps(self.frames).encode()

    @property
    def status(self) -> int:
        """Of the answer to the handshake; 0 where there was none."""
        return int(self.head.split(b" ", 2)[1]) if self.head else 0

    def say(self, data: bytes) -> None:
        self._writer.write(data)

    async def rest(self) -> bytes:
        """What comes until the end, whatever it is."""
        found = b""
        async with asyncio.timeout(TIMEOUT_S):
            with contextlib.suppress(ConnectionError):
                while more := await self._reader.read(65_536):
                    found += more
        return found

    async def some(self) -> bytes:
        """Whatever comes next; empty at the end."""
        async with asyncio.timeout(TIMEOUT_S):
            return await self._reader.read(65_536)

    async def flushed(self) -> None:
        """Returns when all that was said is on its way, or the line is cut."""
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()

    async def shake(self, handshake: bytes) -> int:
        """Says it, and reads the answer; its status."""
        self.say(handshake)
        return await self.answered()

    async def answered(self) -> int:
        """Reads the answer to a handshake, a refusal to its end; its status, 0 where none came."""
        async with asyncio.timeout(TIMEOUT_S):
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                self.head = await self._reader.readuntil(b"\r\n\r\n")
                if self.status != 101:
                    self.head += await self._reader.read()
        return self.status

    async def next(self) -> dict[str, Any] | None:
        """The next message; None at the end, when `code` tells how it came."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                while True:
                    opcode, payload = await self._frame()
                    if opcode == TEXT:
                        self.frames.append(json.loads(payload))
                        FRAMES.check(self.frames[-1])
                        return self.frames[-1]
                    if opcode == CLOSE:
                        self.code = int.from_bytes(payload[:2], "big") if payload else NO_CODE
                        self.say(frame(CLOSE, payload[:2]))
                        with contextlib.suppress(ConnectionError):
                            await self._reader.read()  # the server ends the connection
                        return None
        except (asyncio.IncompleteReadError, ConnectionError):
            self.code = CUT
            return None

    async def until(self, *kinds: str) -> bool:
        """Reads to a message of these kinds; False where the stream ends before."""
        while (found := await self.next()) is not None:
            if found["type"] in kinds:
                return True
        return False

    async def _frame(self) -> tuple[int, bytes]:
        first, size = await self._reader.readexactly(2)
        if size > 125:
            size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
        return first & 15, await self._reader.readexactly(size)

    def vanish(self) -> None:
        """As a cut cable: the server sees a reset."""
        own: socket.socket = self._writer.get_extra_info("socket")
        with contextlib.suppress(OSError):  # the server was quicker
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self._writer.transport.abort()

    def say_no_more(self) -> None:
        """One direction ends; the other is left open, for a moment."""
        with contextlib.suppress(OSError):
            self._writer.write_eof()

    def leave(self) -> None:
        """Without a word: the server sees the end of what is said."""
        self._writer.close()


@asynccontextmanager
async def bare(port: int, *, source: str = "127.0.0.1") -> AsyncIterator[Bare]:
    """
    Args:
        source: the loopback address it comes from.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    own = Bare(reader, writer)
    try:
        yield own
    finally:
        own.leave()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
