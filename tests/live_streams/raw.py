"""A WebSocket client down to the bytes: one that reads when it is told to, and can vanish."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any, NamedTuple

from websockets.frames import CloseCode, Opcode

HANDSHAKE = (
    "GET /v1/games/{game_id}/stream{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n{auth}"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Told(NamedTuple):
    """What a connection brought from its handshake to its end."""

    frames: list[dict[str, Any]]
    code: int
    """Of the close frame; 1006 where there was none."""


class RawFollower:
    def __init__(self, own: socket.socket) -> None:
        self.socket = own
        self.data = bytearray()

    @classmethod
    async def open(
        cls, port: int, game_id: str, query: str = "", *, token: str = "", buffer: int = 4_096
    ) -> RawFollower:
        """
        Let it vanish, or read to the end.

        Args:
            buffer: the kernel's, for what is not read yet; little fills a small one.
        """
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        own.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(own, ("127.0.0.1", port))
        auth = f"Authorization: Bearer {token}\r\n" if token else ""
        text = HANDSHAKE.format(game_id=game_id, query=query, auth=auth)
        await loop.sock_sendall(own, text.encode())
        return cls(own)

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

    def vanish(self) -> None:
        """As a cut cable and a reset."""
        linger = b"\x01\0\0\0\0\0\0\0"
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()


def told(data: bytes | bytearray) -> Told:
    at = data.find(b"\r\n\r\n") + 4
    frames, code = [], int(CloseCode.ABNORMAL_CLOSURE)
    while len(data) >= at + 2:
        opcode, length, start = data[at] & 15, data[at + 1], at + 2
        if length > 125:
            start = at + (4 if length == 126 else 10)
            length = int.from_bytes(data[at + 2 : start], "big")
        if len(data) < start + length:
            break
        payload, at = data[start : start + length], start + length
        if opcode == Opcode.TEXT:
            frames.append(json.loads(payload))
        elif opcode == Opcode.CLOSE:
            code = int.from_bytes(payload[:2], "big")
    return Told(frames, code)
