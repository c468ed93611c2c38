"""
The link over Postgres: LISTEN and NOTIFY.

Every transaction that notifies takes one lock of the whole server at its commit, so none that
writes a game does: hints go many at a time, on a connection of their own. Both connections need
the server itself, not a pooler that gives each transaction another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import asyncpg
from sqlalchemy import make_url
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from app.live.bus import CONNECT_S, PING_S, PONG_S
from app.live.hints import CHANNEL

_NOTIFY = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload"

_NOT_THE_DRIVERS = {"prepared_statement_cache_size", "prepared_statement_name_func"}
"""Parts of an address that mean something to SQLAlchemy alone."""


class _Sender:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def send(self, payloads: Sequence[str]) -> None:
        await self._connection.execute(_NOTIFY, CHANNEL, payloads)

    async def ping(self) -> None:
        await self._connection.execute("SELECT 1")

    async def is_open(self) -> bool:
        return not self._connection.is_closed()


class PostgresLink:
    """
    Args:
        database_url: as for the store.
    """

    kind: Literal["postgres"] = "postgres"
    faults: tuple[type[Exception], ...] = (
        OSError,
        TimeoutError,
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
        asyncpg.InternalClientError,
    )

    def __init__(self, database_url: str) -> None:
        address = make_url(database_url).set(drivername="postgresql+asyncpg")
        _, options = dialect().create_connect_args(address)  # type: ignore[no-untyped-call]
        self._options = {k: v for k, v in options.items() if k not in _NOT_THE_DRIVERS}

    @asynccontextmanager
    async def _connected(self, does: str, **settings: str) -> AsyncIterator[Any]:
        settings = {"application_name": f"hotdice {does}", **settings}
        async with asyncio.timeout(CONNECT_S):
            connection = await asyncpg.connect(**self._options, server_settings=settings)
        try:
            yield connection
        finally:
            connection.terminate()  # nothing of it is worth waiting for

    @asynccontextmanager
    async def sender(self) -> AsyncIterator[_Sender]:
        # A notification is no data: its commit need not wait for the disk.
        async with self._connected("announces", synchronous_commit="off") as connection:
            yield _Sender(connection)

    async def listen(
        self, heard: Callable[[str | bytes], None], subscribed: Callable[[], None]
    ) -> None:
        def told(_connection: object, _pid: int, _channel: str, payload: str) -> None:
            heard(payload)

        async with self._connected("listens") as connection:
            lost = asyncio.Event()
            connection.add_termination_listener(lambda _: lost.set())
            async with asyncio.timeout(PONG_S):
                await connection.add_listener(CHANNEL, told)
            subscribed()
            while not lost.is_set():
                try:
                    async with asyncio.timeout(PING_S):
                        await lost.wait()
                except TimeoutError:
                    async with asyncio.timeout(PONG_S):
                        await connection.execute("SELECT 1")
            raise ConnectionResetError
