"""Clients of streams: a WebSocket, and a check that what it saw is the log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from tests.asyncapi.checked import FRAMES
from tests.canary.canary import CANARY
from tests.canary.heard import HEARD

Json = dict[str, Any]
TIMEOUT_S = 10.0


class Follower:
    """One WebSocket and every frame it has read."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.raw: list[bytes] = []
        self.frames: list[Json] = []

    @property
    def path(self) -> str:
        """Of its stream."""
        request = self.connection.request
        assert request is not None
        return request.path

    async def next(self, *kinds: str) -> Json:
        """The next frame (of these kinds); others are kept and passed over."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                raw = await self.connection.recv(decode=False)
                HEARD.note(raw)
                CANARY.look(raw, "a frame of a stream")
                frame: Json = json.loads(raw)
                FRAMES.check(frame, self.path)
                self.raw.append(raw)
                self.frames.append(frame)
                if not kinds or frame["type"] in kinds:
                    return frame

    async def until(self, version: int) -> list[Json]:
        """Read until a frame brings this version; the events of all frames so far."""
        while self.version < version:
            await self.next("state", "resumed", "played")
        return self.events

    @property
    def version(self) -> int:
        return next((f["version"] for f in reversed(self.frames) if "version" in f), -1)

    @property
    def events(self) -> list[Json]:
        return [event for frame in self.frames for event in frame.get("events", ())]

    async def send(self, data: object) -> None:
        await self.connection.send(data if isinstance(data, str | bytes) else json.dumps(data))

    async def closed(self) -> int | None:
        """Read to the end; the close code that the server sent, None where it sent none."""
        try:
            while True:
                await self.next()
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code

    def prove(self) -> None:
        """By the numbers alone: nothing is missing, nothing came twice."""
        first = self.frames[0]
        assert first["type"] in ("state", "resumed")
        at = first["version"]
        for frame in self.frames[1:]:
            if frame["type"] == "played":
                versions = [event["version"] for event in frame["events"]]
                assert versions == list(range(at + 1, frame["version"] + 1))
                at = frame["version"]
                if "game" in frame:
                    assert frame["game"]["version"] == at
                    assert frame["game"]["now"] == frame["now"]


@asynccontextmanager
async def following(
    port: int,
    game_id: str,
    query: str = "",
    *,
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
    origin: str | None = None,
    subprotocols: Sequence[str] = (),
) -> AsyncIterator[Follower]:
    """A follower; `query` begins with `?`."""
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    async with connect(
        f"ws://127.0.0.1:{port}/v1/games/{game_id}/stream{query}",
        additional_headers={**sent, **(headers or {})},
        origin=None if origin is None else Origin(origin),
        subprotocols=[Subprotocol(name) for name in subprotocols] or None,
        compression=None,
        proxy=None,
        ping_interval=None,
        close_timeout=2,
        max_size=None,
    ) as connection:
        yield Follower(connection)


async def code_of(port: int, game_id: str, query: str = "", **how: Any) -> int | None:
    """The close code that a follower gets."""
    async with following(port, game_id, query, **how) as follower:
        return await follower.closed()
