"""What every answer leaves with: request id, standing, headers for browsers, gzip where it pays."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable

from starlette.types import Message, Send

from app.api.render import MINIMAL_TYPE
from app.tally.counts import Standing

_LEVEL = 1
"""On JSON of a few kilobytes, level 6 takes twice the time to save a tenth more."""

_ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
_CLOSED = [(b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")]
_NOT_STORED = [(b"cache-control", b"no-store")]
FOR_BROWSERS = (*_ALWAYS, *_CLOSED, *_NOT_STORED)
"""What an answer has that says nothing else to them."""
Whole = Callable[[int, bytes, bytes], bool]
"""Writes status, lines of headers and body; whether it could."""


def lines_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Headers as they go over the line."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


_ANY = lines_of(FOR_BROWSERS)
_WORTH_IT = (
    *(b"application/json", b"application/problem+json", MINIMAL_TYPE.encode()),
    *(b"application/x-ndjson", b"text/"),
)


def takes_gzip(accepts: bytes) -> bool:
    """Whether the value of an Accept-Encoding allows it."""
    return b"gzip" in accepts and b"gzip;q=0" not in accepts.replace(b" ", b"")


class Answer:
    """The way out of one request. Counts nothing, decides nothing."""

    __slots__ = (
        *("_gzip_from", "_held", "_id", "_is_head", "_send", "_whole"),
        *("began", "farewell", "standing", "status"),
    )

    def __init__(
        self,
        send: Send,
        request_id: str,
        *,
        gzip_from: int,
        is_head: bool,
        whole: Whole | None = None,
    ) -> None:
        """
        Args:
            gzip_from: bytes; 0 where the client does not take gzip.
            whole: what writes an answer without `send`, where nobody is in between.
        """
        self._whole = whole
        self._send = send
        self._id = request_id.encode()
        self._gzip_from = gzip_from
        self._is_head = is_head
        self._held: Message | None = None
        self.status = 0
        self.began = False
        self.standing: Standing | None = None
        """With the rate limits, where they are on."""
        self.farewell: list[tuple[bytes, bytes]] | None = None
        """What a deprecated operation says with everything."""

    def give(self, status: int, headers: bytes, body: bytes) -> bool:
        """
        An answer that is there as a whole, with headers that are lines already, none of which
        stands here by itself.

        Returns: whether it is on its way; else it has to be sent.
        """
        gzip = self._gzip_from
        if self._whole is None or self._is_head or (gzip and len(body) >= gzip) or self.farewell:
            return False
        more, standing = b"x-request-id: %b\r\n" % self._id, self.standing
        if standing is not None:
            more += (
                b"ratelimit-limit: %d\r\nratelimit-remaining: %d\r\nratelimit-reset: %d\r\n"
                % standing[:3]
            )
        self.began = self._whole(status, b"%b%b%b" % (headers, more, _ANY), body)
        if self.began:
            self.status = status
        return self.began

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.began = True
            self.status = message["status"]
            headers: list[tuple[bytes, bytes]] = message["headers"]
            has = {name for name, _ in headers}
            message["headers"] = headers = [*headers, (b"x-request-id", self._id), *_ALWAYS]
            if b"content-security-policy" not in has:
                headers += _CLOSED
            if b"cache-control" not in has:
                headers += _NOT_STORED
            if (standing := self.standing) is not None:
                headers += [
                    (b"ratelimit-limit", b"%d" % standing.limit),
                    (b"ratelimit-remaining", b"%d" % standing.left),
                    (b"ratelimit-reset", b"%d" % standing.reset_s),
                ]
            if self.farewell:
                headers += self.farewell
            if self._gzip_from and b"content-encoding" not in has and self._pays(headers):
                self._held = message
            else:
                await self._send(message)
            return
        if self._held is not None:
            message = await self._release(message)
        if self._is_head and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)

    def _pays(self, headers: list[tuple[bytes, bytes]]) -> bool:
        """Whether a whole answer of that type and size follows; streams have no length."""
        size, kind = 0, b""
        for name, value in headers:
            if name == b"content-length":
                size = int(value)
            elif name == b"content-type":
                kind = value
        return size >= self._gzip_from and kind.startswith(_WORTH_IT)

    async def _release(self, message: Message) -> Message:
        start, self._held = self._held, None
        assert start is not None  # noqa: S101
        headers = [*start["headers"], (b"vary", b"Accept-Encoding")]
        if message["type"] == "http.response.body" and not message.get("more_body"):
            packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, 31)
            body = packer.compress(message["body"]) + packer.flush()
            headers = [h for h in headers if h[0] != b"content-length"]
            headers += [
                (b"content-encoding", b"gzip"),
                (b"content-length", b"%d" % len(body)),
            ]
            message = {**message, "body": body}
        await self._send({**start, "headers": headers})
        return message
