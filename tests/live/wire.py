"""
HTTP/1.1 over a plain socket: what is sent is written byte for byte, and can be cut off anywhere.

Small on purpose: one request after the other, bodies with a length, or read to the end of the
connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.canary.canary import CANARY
from tests.canary.heard import HEARD
from tests.spec.answers import Answered, spec

TIMEOUT_S = 20.0
_FIRST = re.compile(rb"([A-Z]+) (/[!-$&-~]*) HTTP/1\.1\r\n")


class NoAnswer(Exception):
    """The connection ended before an answer was complete."""


class Reply(NamedTuple):
    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def code(self) -> str | None:
        """Of a problem; None for any other answer."""
        if self.header("content-type") != "application/problem+json":
            return None
        code: str = self.json()["code"]
        return code

    @property
    def size(self) -> int:
        return len(self.body) + sum(len(k) + len(v) + 4 for k, v in self.headers)


def request(
    method: str,
    path: str,
    body: object = None,
    *,
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """A well-formed request. Without `body`: without one."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    data = b""
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join((*lines, "", "")).encode("latin-1") + data


class Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Line:
        """Raises: OSError."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 20))

    async def ask(self, raw: bytes) -> Reply:
        """Send, and wait for the answer. Raises: NoAnswer, TimeoutError."""
        self.write(raw)
        reply = await self.read()
        if (asked := _FIRST.match(raw)) and reply.header("x-request-id"):  # not from below the app
            method, path = asked[1].decode(), asked[2].decode().partition("?")[0]
            packed = reply.header("content-encoding") == "gzip" and reply.body
            body = zlib.decompress(packed, 31) if packed else reply.body
            spec().look(Answered(method, path, reply.status, dict(reply.headers), body))
        return reply

    def write(self, raw: bytes) -> None:
        self._writer.write(raw)

    async def flushed(self) -> None:
        """Raises: OSError, when the other end has closed."""
        await self._writer.drain()

    def say_no_more(self) -> None:
        """Close this direction: nothing follows."""
        if self._writer.can_write_eof():
            self._writer.write_eof()

    @property
    def is_answered(self) -> bool:
        """Whether an answer has begun, or the other end has closed."""
        return self._reader.at_eof() or bool(self._reader._buffer)  # type: ignore[attr-defined]

    async def read(self, *, has_body: bool = True) -> Reply:
        """The next answer; one to HEAD has no body. Raises: NoAnswer, TimeoutError."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await self._read(has_body)
        except (OSError, EOFError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise NoAnswer from error

    async def _read(self, has_body: bool) -> Reply:
        head = await self._reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        status = int(first.split(" ", 2)[1])
        pairs = (line.partition(":") for line in lines)
        headers = tuple((name.lower(), value.strip()) for name, _, value in pairs)
        length = dict(headers).get("content-length")
        if not has_body or status in (204, 304) or 100 <= status < 200:
            body = b""
        elif length is not None:
            body = await self._reader.readexactly(int(length))
        elif ("transfer-encoding", "chunked") in headers:
            body = await self._chunks()
        else:
            body = await self._reader.read()
        HEARD.note(head)
        HEARD.note(body)
        CANARY.look(head, "the head of an answer")
        CANARY.answered(body, "an answer")
        return Reply(status, headers, body)

    async def _chunks(self) -> bytes:
        whole = b""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            whole += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)
        return whole

    def cut(self) -> None:
        """End it at once, whatever is under way: the other end sees a reset."""
        self._writer.transport.abort()

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def ask_once(port: int, raw: bytes) -> Reply:
    """On a connection of its own. Raises: NoAnswer, OSError, TimeoutError."""
    line = await Line.open(port)
    try:
        return await line.ask(raw)
    finally:
        await line.close()
