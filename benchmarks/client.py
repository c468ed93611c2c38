"""
The load client: keep-alive connections that each ask, wait for the whole answer, and ask again.

It must cost less than what it measures, so it speaks just the HTTP/1.1 that uvicorn answers with
and knows nothing of games: a `Script` makes each request's bytes and checks each answer.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from typing import Any, Protocol, cast

_LENGTH = b"\r\ncontent-length: "
TIMEOUT_S = 60.0
"""For one round; a server that stands still must not stop the run."""


class Unexpected(Exception):
    """An answer that the script did not ask for. The benchmark fails: its figures mean nothing."""


class Script(Protocol):
    """What one connection asks for, over all rounds."""

    def request(self) -> bytes:
        """The whole next request."""
        ...

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        """The answer to it. Raises: Unexpected."""
        ...


class Same:
    """Asks for the same thing every time; the answer must be a 200."""

    def __init__(self, method: str, path: str, body: bytes = b"", headers: str = "") -> None:
        self._request = request_bytes(method, path, body, headers)

    def request(self) -> bytes:
        return self._request

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        if status != 200:
            raise Unexpected(f"{status} {body[:500]!r}")


def request_bytes(method: str, path: str, body: bytes = b"", headers: str = "") -> bytes:
    """A request. `headers`: further lines, each with its line end."""
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}"
    if body:
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    elif method != "GET":
        head += "content-length: 0\r\n"
    return f"{head}\r\n".encode() + body


@dataclass
class Load:
    """What a round of requests was like for its client."""

    asked: int = 0
    seconds: float = 0.0
    waits_ns: list[int] = field(default_factory=list)
    body_bytes: int = 0


def _never() -> bool:
    return False


class Asking(asyncio.Protocol):
    """One connection: it asks, and asks again when it is answered, until all have been asked."""

    def __init__(self, load: Load, most: int) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._load = load
        self._most = most
        self._until: Callable[[], bool] = _never
        self._transport: asyncio.Transport | None = None
        self._heard = b""
        self._asked_at = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def anew(self, load: Load, most: int, until: Callable[[], bool] = _never) -> None:
        """Once it is done: what `ask` goes by from now on. `until` ends it too, after one."""
        self.done = asyncio.get_running_loop().create_future()
        self._load, self._most, self._until = load, most, until

    def next_one(self) -> bytes:
        """What is asked next, as it goes over the line."""
        raise NotImplementedError

    def ask(self) -> None:
        """The next one, or the end of this connection's part when all have been asked."""
        assert self._transport is not None
        if self._load.asked >= self._most or (self._load.asked and self._until()):
            self.done.set_result(None)
            return
        self._load.asked += 1
        asked = self.next_one()
        self._asked_at = time.perf_counter_ns()
        self._transport.write(asked)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class _Connection(Asking):
    def __init__(self, script: Script, load: Load, most: int) -> None:
        super().__init__(load, most)
        self._script = script

    def next_one(self) -> bytes:
        return self._script.request()

    def data_received(self, data: bytes) -> None:
        self._heard = heard = self._heard + data if self._heard else data
        end = heard.find(b"\r\n\r\n")
        if end < 0:
            return
        head = heard[:end]
        at = head.find(_LENGTH)
        size = int(head[at + len(_LENGTH) :].partition(b"\r\n")[0]) if at >= 0 else 0
        if len(heard) < end + 4 + size:
            return
        self._load.waits_ns.append(time.perf_counter_ns() - self._asked_at)
        self._load.body_bytes += size
        self._heard = b""
        try:
            if len(heard) > end + 4 + size or b"transfer-encoding" in head:
                raise Unexpected(f"not one answer of a known length: {heard[:500]!r}")
            self._script.answered(int(head[9:12]), head, heard[end + 4 :])
            self.ask()
        except Exception as error:
            self._fail(error)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(Unexpected(f"the server closed the connection: {exc or 'no reason'}"))

    def _fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Fleet:
    """Open connections, one for each script, for one round; to the ports in turn."""

    def __init__(self, ports: Sequence[int], scripts: Sequence[Script], count: int) -> None:
        self._ports = ports
        self._scripts = scripts
        self._count = count
        self._load = Load()
        self._connections: list[_Connection] = []

    async def __aenter__(self) -> Fleet:
        loop = asyncio.get_running_loop()
        for script, port in zip(self._scripts, cycle(self._ports), strict=False):
            made = partial(_Connection, script, self._load, self._count)
            _, connection = await loop.create_connection(made, "127.0.0.1", port)
            self._connections.append(connection)
        await asyncio.sleep(0.02)  # the server has accepted them all
        return self

    async def each(self, count: int, until: Callable[[Script], bool] | None = None) -> Load:
        """
        So many requests on each connection, after those that were asked before.

        Args:
            until: a connection is done when this holds for its script, after one at least.
        Raises: Unexpected.
        """
        loads = [Load() for _ in self._connections]
        for connection, script, load in zip(self._connections, self._scripts, loads, strict=True):
            connection.anew(load, count, _never if until is None else partial(until, script))
        whole = self._load = Load()
        await self.run()
        for load in loads:
            whole.asked += load.asked
            whole.waits_ns += load.waits_ns
            whole.body_bytes += load.body_bytes
        return whole

    async def run(self) -> Load:
        """All requests, spread over the connections as they become free. Raises: Unexpected."""
        began = time.perf_counter()
        for connection in self._connections:
            connection.ask()
        waiting = [connection.done for connection in self._connections]
        await asyncio.wait_for(asyncio.gather(*waiting), TIMEOUT_S)
        self._load.seconds = time.perf_counter() - began
        return self._load

    async def __aexit__(self, *_: object) -> None:
        for connection in self._connections:
            connection.close()
            if connection.done.done() and not connection.done.cancelled():
                connection.done.exception()  # seen
            else:
                connection.done.cancel()
        await asyncio.sleep(0)


def call(
    port: int, method: str, path: str, body: Any = None, token: str | None = None
) -> dict[str, Any]:
    """One request outside of any measurement. Raises: Unexpected."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    if answer.status not in (200, 201):
        raise Unexpected(f"{method} {path}: {answer.status} {text[:500]!r}")
    data: dict[str, Any] = json.loads(text)
    return data
