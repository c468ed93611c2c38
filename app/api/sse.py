"""
Server-sent events: the frames of a game as an answer that does not end.

For clients that have HTTP and nothing else. What a WebSocket learns by a close code before its
first frame is an ordinary problem here; later it is an `error` event, and the end of the answer.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from app.api.auth import bearer_hash, optional_player
from app.api.handshake import version
from app.api.sockets import ending_of
from app.api.strict import header
from app.live import endings
from app.live.below import Below
from app.live.channel import Follower
from app.live.frames import View
from app.live.live import Live
from app.live.loops import end_all
from app.live.socket import EXTENSION
from app.live.wire import EventShape, PumpWire
from app.metrics import Meter
from app.parts import parts_of
from app.ports import Player

MEDIA_TYPE = "text/event-stream"
LAST = "Last-Event-ID"


def is_asked_for(request: Request) -> bool:
    """Whether the client takes events, and named them before JSON."""
    for part in request.headers.get("accept", "").split(","):
        kind = part.split(";")[0].strip().lower()
        if kind in (MEDIA_TYPE, "application/json"):
            return kind == MEDIA_TYPE
    return False


async def events_of(request: Request, game_id: str, after: int | None, view: View) -> Response:
    """
    Raises: Unauthenticated, InvalidRequest; the answer itself GameNotFound, VersionNotFound,
        TooManyStreams.
    """
    player = await optional_player(request)
    last = header(request.scope, b"last-event-id", LAST)
    if last:  # what the client has by now; its address says where it once began
        after = version(last.decode("latin-1"), LAST)
    return EventStream(request, game_id, after, view, player)


class EventStream(Response):
    """One follower over HTTP."""

    media_type = MEDIA_TYPE

    def __init__(
        self,
        request: Request,
        game_id: str,
        after: int | None,
        view: View,
        player: Player | None,
    ) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._live: Live = parts_of(request).live
        self._meter: Meter = request.app.state.meter
        self._game_id = game_id
        self._after = after
        self._view = view
        self._player = player

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        live, hub = self._live, self._live.hub
        live.start()
        transport: asyncio.Transport | None = scope.get("extensions", {}).get(EXTENSION)
        below = None if transport is None else Below(transport, live.timing.unacknowledged)
        wire = PumpWire(send, EventShape(), below)
        connection = live.connections.enter(wire, scope.get("hotdice.address", ""))
        follower = hub.enter(connection, self._game_id, self._view)
        self._meter.streams += 1
        try:
            live.connections.check_address(connection)
            if self._player is not None and (token_hash := bearer_hash(scope)) is not None:
                live.connections.identify(connection, self._player, token_hash)
            await hub.admit(follower, self._after)
            scope["hotdice.lasts"] = True  # for the edge's times
            start: dict[str, Any] = {"type": "http.response.start", "status": 200}
            await send({**start, "headers": self.raw_headers})
            if scope.get("hotdice.head"):
                await send({"type": "http.response.body", "body": b""})
            else:
                await self._run(follower, wire, receive)
        finally:
            hub.leave(follower)
            live.connections.leave(connection)
            self._meter.streams -= 1
            self._meter.stream_ended((connection.outbox.ended or endings.GONE).close)

    async def _run(self, follower: Follower, wire: PumpWire, receive: Receive) -> None:
        pump = asyncio.create_task(wire.pump())
        gone = asyncio.create_task(_gone(receive))
        follow = asyncio.create_task(self._follow(follower))
        try:
            await asyncio.wait((pump, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_all((pump, gone, follow))

    async def _follow(self, follower: Follower) -> None:
        try:
            await self._live.hub.follow(follower, self._after)
        except Exception as error:
            follower.connection.outbox.end(ending_of(error))


async def _gone(receive: Receive) -> None:
    """Returns when the client has gone."""
    message: Message = {}
    while message.get("type") != "http.disconnect":
        message = await receive()
