"""A WebSocket client down to the bytes: one that reads when it is told to, and can vanish."""

from __future__ import annotations

import asyncio
import ctypes
import json
import socket
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from websockets.frames import CloseCode, Opcode

from tests.asyncapi.checked import FRAMES

EVENTS = (
    "GET /v1/games/{game_id}/events{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n{auth}"
    "Accept: text/event-stream\r\n\r\n"
)
HANDSHAKE = (
    "GET /v1/games/{game_id}/stream{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n{auth}"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)

SO_ATTACH_FILTER = 26
"""Not in `socket`."""


class Told(NamedTuple):
    """What a connection brought from its handshake to its end."""

    frames: list[dict[str, Any]]
    code: int
    """Of the close frame; 1006 where there was none."""


async def opened(port: int, asked: str, buffer: int) -> socket.socket:
    """
    A connection on which this was said.

    Args:
        buffer: bytes that the kernel keeps for us.
    Raises: OSError.
    """
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    own.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(own, ("127.0.0.1", port))
        await loop.sock_sendall(own, asked.encode())
    except BaseException:
        own.close()
        raise
    return own


def vanish(own: socket.socket) -> None:
    """As a process that is killed: a reset."""
    own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    own.close()


class RawFollower:
    def __init__(self, own: socket.socket) -> None:
        self.socket = own
        self.data = bytearray()

    @classmethod
    async def open(
        cls,
        port: int,
        game_id: str,
        query: str = "",
        *,
        token: str = "",
        buffer: int = 4_096,
        handshake: str = HANDSHAKE,
    ) -> RawFollower:
        """
        Let it vanish, or read to the end.

        Args:
            buffer: the kernel's, for what is not read yet; little fills a small one.
        """
        auth = f"Authorization: Bearer {token}\r\n" if token else ""
        asked = handshake.format(game_id=game_id, query=query, auth=auth)
        return cls(await opened(port, asked, buffer))

    async def read(self, most: int = 65_536) -> bytes:
        more = await asyncio.get_running_loop().sock_recv(self.socket, most)
        self.data += more
        return more

    async def read_to_the_end(self) -> Told:
        try:
            while await self.read():
                pass
        except ConnectionError:
            pass
        self.socket.close()
        return told(self.data)

    def unplug(self) -> None:
        """As a cable that is pulled: this end's kernel drops whatever comes, and acknowledges none.

        A filter of one instruction that lets nothing in (`man 7 socket`, SO_ATTACH_FILTER).
        """
        nothing = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
        program = struct.pack("HL", 1, ctypes.addressof(nothing))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)

    def vanish(self) -> None:
        vanish(self.socket)


class Message(NamedTuple):
    opcode: int
    payload: bytes


class Messages:
    """What a server sends over a WebSocket, byte for byte: whole messages out of any pieces."""

    def __init__(self) -> None:
        self.head: bytes | None = None
        """Of the answer to the handshake, once it is there whole."""
        self._rest = b""

    def feed(self, data: bytes | bytearray) -> Iterator[Message]:
        """The messages that these bytes complete."""
        rest = self._rest + data
        if self.head is None:
            head, end, tail = rest.partition(b"\r\n\r\n")
            if end:
                self.head, rest = head, tail
        at = 0
        while self.head is not None and len(rest) >= at + 2:
            opcode, length, start = rest[at] & 15, rest[at + 1], at + 2
            if length > 125:
                start += 2 if length == 126 else 8
                length = int.from_bytes(rest[at + 2 : start], "big")
            if len(rest) < start + length:
                break
            at = start + length
            yield Message(opcode, rest[start:at])
        self._rest = rest[at:]


def told(data: bytes | bytearray) -> Told:
    frames, code = [], int(CloseCode.ABNORMAL_CLOSURE)
    for opcode, payload in Messages().feed(data):
        if opcode == Opcode.TEXT:
            frames.append(json.loads(payload))
            FRAMES.check(frames[-1])
        elif opcode == Opcode.CLOSE:
            code = int.from_bytes(payload[:2], "big")
    return Told(frames, code)
