"""
One WebSocket from its handshake to its end, whatever it follows.

The handshake is always accepted and a refusal told by close code, for the code of a refused
handshake reaches no client. One coroutine is always receiving: it notices that the peer has gone.
Whatever else has to wait, the opening, runs beside it. Whoever ends the stream does so through the
outbox; the reader then sees the end like any other.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.api import handshake
from app.api.auth import admitted
from app.api.commanding import Commanding
from app.api.edge.address import check_host, client_address
from app.api.refusals import BadHost, InvalidRequest, RouteNotFound
from app.api.schemas.streams import MOST_TOKEN
from app.api.strict import read_text
from app.errors import AppError, ScopeMissing, TokenExpired, Unauthenticated
from app.live import endings, frames
from app.live.connections import Connection
from app.live.frames import Ending
from app.live.loops import end_all
from app.live.socket import EXTENSION, HotdiceSocket
from app.live.wire import PumpWire, SocketShape, Wire
from app.log import log
from app.metrics import Meter
from app.parts import Parts
from app.tokens import hash_of
from engine.errors import GameError

MOST_MESSAGES = 60
MESSAGES_S = 10.0
"""So many messages in so many seconds are more than anybody needs; each costs a moment."""

_REFUSED: dict[type[AppError], Ending] = {
    Unauthenticated: endings.NO_TOKEN,
    TokenExpired: endings.EXPIRED,
    ScopeMissing: endings.NO_SCOPE,
    InvalidRequest: endings.BAD_QUERY,
    BadHost: endings.BAD_HOST,
    RouteNotFound: endings.NO_STREAM,
}


class Ended(Exception):
    """The stream ends like this."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending
        super().__init__(ending.code)


class Stream(Protocol):
    """What a socket is for."""

    route: str
    """The template of its address, for the log."""
    commands: str | None
    """The game that commands sent here are for; None: it takes none."""

    async def open(self, socket: Socket) -> None:
        """From the first frame until it is live; may raise any `AppError`, or `Ended`."""
        ...

    def identified(self, socket: Socket) -> None:
        """One that was opened as nobody's has said whose it is."""
        ...

    def close(self) -> None:
        """It has gone; `open` may have got to anywhere."""
        ...


class Socket:
    """An accepted WebSocket, as streams see it."""

    def __init__(self, websocket: WebSocket, parts: Parts, connection: Connection) -> None:
        self.parts = parts
        self.connection = connection
        self.meter: Meter = websocket.app.state.meter
        self._websocket = websocket
        self._token: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._begun = asyncio.Event()
        self._known = asyncio.Event()
        self._commanding: Commanding | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._times: deque[float] = deque(maxlen=MOST_MESSAGES)

    @property
    def query(self) -> bytes:
        found: bytes = self._websocket.scope["query_string"]
        return found

    # Whose it is.

    async def identify(self, ticket: str | None) -> bool:
        """
        By what the handshake brought; False where that was nothing.

        Raises: Unauthenticated, for two of them too; RateLimited, TooManyStreams.
        """
        found = handshake.token_hash(self._websocket.scope)
        self.parts.limits.admit("reads", found, self.connection.address)
        if found is not None and ticket is not None:
            raise Unauthenticated
        if found is not None:
            await self._by_token(found)
        elif ticket is not None:
            async with self.parts.live.source.behind:
                redeemed = await self.parts.tickets.redeem(ticket)
            if redeemed is None:
                self.parts.ticket_guard.wrong(self.connection.address)
                raise Unauthenticated
            self.parts.live.connections.identify(self.connection, *redeemed)
        else:
            return False
        return True

    async def wait_for_token(self) -> None:
        """By the first message. Raises: Unauthenticated, TooManyStreams."""
        connections = self.parts.live.connections
        connections.awaits(self.connection)
        try:
            async with asyncio.timeout(self.parts.live.timing.auth):
                token = await asyncio.shield(self._token)
        except TimeoutError:
            raise Unauthenticated from None
        await self._by_token(hash_of(token.encode()))

    async def _by_token(self, token_hash: bytes) -> None:
        async with self.parts.live.source.behind:
            caller = await admitted(self.parts.doorkeeper, token_hash, "read")
        self.parts.live.connections.identify(self.connection, caller.player, token_hash)
        self._known.set()

    # Its life.

    async def run(self, stream: Stream) -> None:
        """Returns when the peer has gone."""
        if self.connection.outbox.ended is None:
            self._start(self._open(stream))
        commanding = None
        if stream.commands is not None:
            commanding = self._commanding = Commanding(self, stream.commands)
        wire = self.connection.outbox.wire
        wire.on_text = self._take
        try:
            while True:
                if commanding is not None:
                    await commanding.room()
                message = await self._websocket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                ending = self._hear(message.get("text"))
                if ending is not None:
                    self.connection.outbox.end(ending)
        finally:
            wire.on_text = None
            stream.close()
            if commanding is not None:
                commanding.close()
            self._token.cancel()
            await end_all(list(self._tasks))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Ended as ended:
            self.connection.outbox.end(ended.ending)
        except Exception as error:
            self.connection.outbox.end(ending_of(error))

    async def _open(self, stream: Stream) -> None:
        await stream.open(self)
        self._begun.set()
        if self.connection.player is None:

            def told(token: asyncio.Future[str]) -> None:
                if not token.cancelled():
                    self._start(self._identify_late(stream, token.result()))

            self._token.add_done_callback(told)

    @property
    def is_settled(self) -> bool:
        """Its stream has begun, and it is known whose it is, if it has said so."""
        return self._begun.is_set() and (self._known.is_set() or not self._token.done())

    async def settled(self) -> None:
        """Returns once it is."""
        await self._begun.wait()
        if self._token.done():
            await self._known.wait()

    async def _identify_late(self, stream: Stream, token: str) -> None:
        await self._by_token(hash_of(token.encode()))
        stream.identified(self)

    # What it says.

    def _take(self, text: str) -> bool:
        """A message as it comes; False where that must wait until others are answered."""
        if self._commanding is not None and self._commanding.is_full:
            return False
        try:
            ending = self._hear(text)
        except Exception as error:
            ending = ending_of(error)
        if ending is not None:
            self.connection.outbox.end(ending)
        return True

    def _hear(self, text: str | None) -> Ending | None:
        """
        A message of the peer; how the stream ends, if it does.

        Args:
            text: None for a message of bytes.
        """
        if text is None:
            return endings.BINARY
        try:
            data = read_text(text)
        except InvalidRequest:
            return endings.NOT_JSON
        if self._commanding is not None and isinstance(data, dict) and "command" in data:
            within = self._commanding.take(data, text)
            if within is None:
                return endings.UNKNOWN_MESSAGE
            return None if within else self._counted()
        return self._counted() or self._understood(data)

    def _counted(self) -> Ending | None:
        """A message more, of those that have no limit of their own."""
        now = asyncio.get_running_loop().time()
        if self.parts.settings.rate_limits:
            if len(self._times) == MOST_MESSAGES and now - self._times[0] < MESSAGES_S:
                return endings.TOO_MANY_MESSAGES
            self._times.append(now)
        return None

    def _understood(self, data: object) -> Ending | None:
        match data:
            case {"type": "ping", **rest} if not rest:
                self.connection.outbox.send(frames.pong(self.parts.clock.now()))
                return None
            case {"type": "auth", "token": str(token), **rest} if not rest:
                if len(token) <= MOST_TOKEN and self._may_say_who():
                    self._token.set_result(token)
                    return None
        return endings.UNKNOWN_MESSAGE

    def _may_say_who(self) -> bool:
        return self.connection.player is None and not self._token.done()


def ending_of(error: Exception) -> Ending:
    """How a stream ends that failed with this error; what nobody foresaw is logged."""
    refused = _REFUSED.get(type(error)) if isinstance(error, AppError) else None
    ending = refused or endings.ending_of(error)
    if ending is endings.FAULT or isinstance(error, GameError):
        log.error("stream_failed", exc_info=error)
    return ending


async def serve(websocket: WebSocket, stream: Stream) -> None:
    """A handshake that has arrived: until the peer has gone."""
    parts: Parts = websocket.app.state.parts
    scope = websocket.scope
    offered = scope["subprotocols"]
    try:
        await websocket.accept(handshake.SUBPROTOCOL if handshake.SUBPROTOCOL in offered else None)
    except (OSError, WebSocketDisconnect):
        return  # gone before it began
    native: HotdiceSocket | None = scope.get("extensions", {}).get(EXTENSION)
    if native is not None:
        await _serve(websocket, stream, parts, native)
        return
    pump = PumpWire(cast("Callable[[dict[str, Any]], Awaitable[None]]", websocket.send), SHAPE)
    tasks = [
        asyncio.create_task(_serve(websocket, stream, parts, pump)),
        asyncio.create_task(pump.pump()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end_all(tasks)


SHAPE = SocketShape()


async def _serve(websocket: WebSocket, stream: Stream, parts: Parts, wire: Wire) -> None:
    live, scope, settings = parts.live, websocket.scope, parts.settings
    meter: Meter = websocket.app.state.meter
    live.start()
    connection = live.connections.enter(wire, client_address(scope, settings.trusted_proxy_hops))
    meter.streams += 1
    try:
        try:
            _check(scope, parts)
            live.connections.check_address(connection)
        except Exception as error:
            connection.outbox.end(error.ending if isinstance(error, Ended) else ending_of(error))
        await Socket(websocket, parts, connection).run(stream)
        await wire.gone()
    finally:
        live.connections.leave(connection)
        meter.streams -= 1
        below = wire.ended if isinstance(wire, HotdiceSocket) else None
        ended = below or connection.outbox.ended or endings.GONE
        meter.stream_ended(ended.close)
        seconds = asyncio.get_running_loop().time() - connection.opened_at
        facts = {"address": connection.address} if ended in endings.REFUSED_TOKENS else {}
        log.info(
            "stream",
            route=stream.route,
            code=ended.close,
            why=ended.code,
            s=round(seconds, 2),
            **facts,
        )


def _check(scope: Scope, parts: Parts) -> None:
    """Raises: Ended, BadHost, RouteNotFound."""
    settings = parts.settings
    if b"%" in scope.get("raw_path", b""):  # as of any call: none of our paths needs an escape
        raise RouteNotFound
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1:
        raise BadHost
    check_host(hosts[0], frozenset(h.lower() for h in settings.allowed_hosts))
    allowed = settings.cors_origins
    if settings.public_url:
        allowed = (*allowed, "/".join(settings.public_url.split("/")[:3]))
    if not handshake.is_own_or_allowed(scope, allowed):
        raise Ended(endings.BAD_ORIGIN)
