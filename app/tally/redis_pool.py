"""Counts that meet in Redis, over the same bare connections as the hints."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from redis.asyncio.connection import AbstractConnection

from app.live.redis_link import RedisLink
from app.tally.shared import KEPT_S, Told


class _RedisPool:
    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection

    async def add(self, counts: Sequence[Told]) -> list[int]:
        commands: list[tuple[str | int, ...]] = []
        for name, more in counts:
            commands += [("INCRBY", name, more), ("EXPIRE", name, KEPT_S)]
        if not commands:
            commands = [("PING",)]  # a quiet connection that is half open tells nothing
        connection = self._connection
        await connection.send_packed_command(connection.pack_commands(commands))
        answers = [await connection.read_response() for _ in commands]
        return [int(total) for total in answers[::2]] if counts else []


class RedisPools:
    """
    Args:
        url: `redis://` or, with TLS, `rediss://`.
    """

    def __init__(self, url: str) -> None:
        self._link = RedisLink(url)
        self.faults: tuple[type[Exception], ...] = self._link.faults

    @asynccontextmanager
    async def pool(self) -> AsyncIterator[_RedisPool]:
        async with self._link.connected() as connection:
            yield _RedisPool(connection)
