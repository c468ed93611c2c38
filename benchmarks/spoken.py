"""
The load client for commands over streams: WebSockets that each ask, wait for the acknowledgement,
and ask again; and connections that follow while the commands go over HTTP.

Frames are masked with zeros, which the protocol allows: masking is the client's work and costs the
server the same. Of the other frames only the heads are looked at.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from functools import partial
from itertools import cycle
from typing import Any, cast

from benchmarks.client import TIMEOUT_S, Asking, Fleet, Load, Script, Unexpected, call
from benchmarks.players import TersePlayer, table
from engine.rules import Rules

ENDLESS = 1_000_000
"""A target that no run reaches."""

_HANDSHAKE = (
    "GET {path}/stream?view={view} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {token}\r\n\r\n"
)
_ANSWERED = b'{"type":"answered"'
_REFUSED = b'{"type":"refused"'
_FIRST = b'{"type":"presence"'


def handshake(path: str, token: str, view: str = "full") -> bytes:
    """What opens the stream of a game."""
    return _HANDSHAKE.format(path=path, view=view, token=token).encode()


class Endless(TersePlayer):
    """
    Plays one game without end, by the events in the answers.

    Args:
        view: of the stream.
        whole: over HTTP, the game comes in each answer too.
    """

    def __init__(
        self, port: int, token: str, rules: Rules, view: str = "full", *, whole: bool = False
    ) -> None:
        super().__init__(token, rules)
        if whole:
            self.prefer = ""
        game = call(port, "POST", "/v1/games", table(ENDLESS), token)
        self._path = f"/v1/games/{game['id']}"
        call(port, "POST", f"{self._path}/start", token=token)
        self._next("roll")
        self.handshake = handshake(self._path, token, view)

    def _read(self, answer: dict[str, Any]) -> None:
        super()._read({"events": answer["events"]})

    def command(self) -> bytes:
        """The next one, as a WebSocket frame."""
        self.commands += 1
        said = b'{"id":%d,"command":"%b"' % (self.commands, self._verb.encode())
        said += b"," + self._body[1:] if self._body else b"}"
        return b"\x81" + bytes((0x80 | len(said), 0, 0, 0, 0)) + said

    def acknowledged(self, payload: bytes) -> None:
        """Raises: Unexpected."""
        if not payload.startswith(_ANSWERED):
            raise Unexpected(f"{self._verb}: {payload[:500]!r}")
        self._read(json.loads(payload)["answer"])


class Stream(Asking):
    """One of them."""

    def __init__(self, script: Endless, load: Load, most: int) -> None:
        super().__init__(load, most)
        self.has_begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._script = script

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        assert self._transport is not None
        self._transport.write(self.handshake())

    def handshake(self) -> bytes:
        return self._script.handshake

    def goes_on(self) -> None:
        """Its command has been acknowledged."""
        self.ask()

    def next_one(self) -> bytes:
        return self._script.command()

    def data_received(self, data: bytes) -> None:
        heard, at = self._heard + data if self._heard else data, 0
        if not self.has_begun.done() and heard.startswith(b"HTTP"):
            at = heard.find(b"\r\n\r\n") + 4
            if at < 4:
                self._heard = heard
                return
        while len(heard) >= at + 2:
            size, start = heard[at + 1], at + 2
            if size > 125:
                start += 2 if size == 126 else 8
                size = int.from_bytes(heard[at + 2 : start], "big")
            if len(heard) < start + size:
                break
            payload, at = heard[start : start + size], start + size
            try:
                self._told(payload)
            except Exception as error:
                self._fail(error)
        self._heard = heard[at:]

    def _told(self, payload: bytes) -> None:
        if not self.has_begun.done():
            if payload.startswith(_FIRST):
                self.has_begun.set_result(None)
        elif payload.startswith((_ANSWERED, _REFUSED)):
            self._load.waits_ns.append(time.perf_counter_ns() - self._asked_at)
            self._load.body_bytes += len(payload)
            self._script.acknowledged(payload)
            self.goes_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(Unexpected(f"the server closed the stream: {exc or self._heard[-200:]!r}"))

    def _fail(self, error: Exception) -> None:
        for waited in (self.has_begun, self.done):
            if not waited.done():
                waited.set_exception(error)


class StreamFleet(Fleet):
    """Open streams, one for each script, for one round: commands and frames over the same."""

    def __init__(self, ports: Sequence[int], scripts: Sequence[Script], count: int) -> None:
        super().__init__(ports, scripts, count)
        self._streams: list[Stream] = []

    async def __aenter__(self) -> StreamFleet:
        await self._follow()
        return self

    async def _follow(self) -> None:
        loop = asyncio.get_running_loop()
        for script, port in zip(self._scripts, cycle(self._ports), strict=False):
            made = partial(Stream, cast(Endless, script), self._load, self._count)
            _, stream = await loop.create_connection(made, "127.0.0.1", port)
            self._streams.append(stream)
        await asyncio.wait_for(asyncio.gather(*(s.has_begun for s in self._streams)), TIMEOUT_S)

    def asking(self) -> Sequence[Asking]:
        return self._streams

    async def run(self) -> Load:
        """All commands, spread over the streams as they become free. Raises: Unexpected."""
        began = time.perf_counter()
        for stream in self._streams:
            stream.ask()
        await asyncio.wait_for(asyncio.gather(*(s.done for s in self._streams)), TIMEOUT_S)
        self._load.seconds = time.perf_counter() - began
        return self._load

    async def __aexit__(self, *error: Any) -> None:
        for stream in self._streams:
            stream.close()
            stream.done.cancel()
        await super().__aexit__(*error)


class FollowedFleet(StreamFleet):
    """Commands over HTTP, each game followed by its player over a stream."""

    def asking(self) -> Sequence[Asking]:
        return Fleet.asking(self)

    async def __aenter__(self) -> FollowedFleet:
        await self._follow()
        await Fleet.__aenter__(self)
        return self

    async def run(self) -> Load:
        return await Fleet.run(self)
