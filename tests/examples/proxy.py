"""A line between a client and a server that can be cut at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Proxy:
    """Passes bytes on, both ways, until it is told to cut."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.cuts = 0
        """Connections that were cut while they were open."""
        self._target = target
        self._lines: set[asyncio.StreamWriter] = set()
        self._answered = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._lines |= ends
        await asyncio.gather(
            _pass_on(reader, far_writer, None), _pass_on(far_reader, writer, self._answered)
        )
        self._lines -= ends

    async def used(self) -> None:
        """Returns once a client has got an answer since the last `cut` or `unused`."""
        async with asyncio.timeout(20):
            await self._answered.wait()

    def unused(self) -> None:
        """Nobody has got an answer yet."""
        self._answered.clear()

    def cut(self) -> None:
        """Every connection at once, whatever is under way: both ends see a reset."""
        self.cuts += len(self._lines) // 2
        for writer in list(self._lines):
            writer.transport.abort()
        self.unused()


async def _pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passed: asyncio.Event | None
) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            if passed is not None:
                passed.set()
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def proxy_to(port: int) -> AsyncIterator[Proxy]:
    """A proxy on a free port of its own."""
    proxy = Proxy(port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()
        await server.wait_closed()
