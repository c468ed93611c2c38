"""
The link over Redis: publish and subscribe.

On bare connections, each of one task: a client with a pool would open, retry and subscribe again
behind our back, and what it missed in between nobody would know. The older protocol (RESP2) is
all that this needs, and every server speaks it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError

from app.live.bus import CONNECT_S, PING_S, PONG_S
from app.live.hints import CHANNEL

_BREATH = 100
"""Messages handled before others have their turn."""


class _Sender:
    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection

    async def send(self, payloads: Sequence[str]) -> None:
        await self._ask(*(("PUBLISH", CHANNEL, payload) for payload in payloads))

    async def ping(self) -> None:
        await self._ask(("PING",))

    async def is_open(self) -> bool:
        return not await self._connection.can_read()  # nothing was asked: it can only be the end

    async def _ask(self, *commands: tuple[str, ...]) -> None:
        connection = self._connection
        await connection.send_packed_command(connection.pack_commands(commands))
        for _ in commands:
            await connection.read_response()


class RedisLink:
    """
    Args:
        url: `redis://` or, with TLS, `rediss://`.
    """

    kind: Literal["redis"] = "redis"
    faults: tuple[type[Exception], ...] = (OSError, TimeoutError, RedisError)

    def __init__(self, url: str) -> None:
        options: dict[str, Any] = {**parse_url(url)}
        self._kind: type[AbstractConnection] = options.pop("connection_class", Connection)
        self._options = options

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[AbstractConnection]:
        """A bare connection, closed whatever happens."""
        # All times are kept by who uses the connection.
        connection = self._kind(
            protocol=2, socket_timeout=None, socket_connect_timeout=None, **self._options
        )
        try:
            async with asyncio.timeout(CONNECT_S):
                await connection.connect()  # type: ignore[no-untyped-call]
            yield connection
        finally:
            await connection.disconnect(nowait=True)

    @asynccontextmanager
    async def sender(self) -> AsyncIterator[_Sender]:
        async with self.connected() as connection:
            yield _Sender(connection)

    async def listen(
        self, heard: Callable[[str | bytes], None], subscribed: Callable[[], None]
    ) -> None:
        async with self.connected() as connection:
            async with asyncio.timeout(PONG_S):
                await connection.send_command("SUBSCRIBE", CHANNEL)
                await connection.read_response()
            subscribed()
            is_asked, messages = False, 0
            while True:
                message = await connection.read_response(
                    timeout=PONG_S if is_asked else PING_S, disconnect_on_error=False
                )
                if message is None:
                    if is_asked:
                        raise TimeoutError
                    await connection.send_command("PING")
                is_asked = message is None
                if message is not None and message[0] == b"message":
                    heard(message[2])
                messages += 1
                if messages % _BREATH == 0:
                    await asyncio.sleep(0)
