"""What a case is, and how ordinary ones are put together."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

MARK = "ECHO-7f3a"
"""Stands in values and keys; no answer may repeat it."""


class Expect(Enum):
    REFUSED = "a problem with a code, status 4xx"
    UNDERSTOOD = "not a problem of the server's; if refused, a problem with a code"
    UNFRAMED = "whatever ends the connection or refuses: the message cannot be told apart"


class Case(NamedTuple):
    name: str
    raw: bytes
    expect: Expect = Expect.REFUSED
    status: int | None = None
    """None: any that fits."""
    flood: bytes = b""
    """Sent again and again until the server answers or closes."""
    ends: bool = False
    """The sender then closes its direction."""


OTHER = b"Authorization: Bearer @OTHER@"
SEATED = b"Authorization: Bearer @TOKEN@"
JSON = b"Content-Type: application/json"
HOST = b"Host: 127.0.0.1"


def head(method: bytes, target: bytes, *lines: bytes) -> bytes:
    """Exactly these lines."""
    return b"\r\n".join((method + b" " + target + b" HTTP/1.1", *lines, b"", b""))


def call(method: str, path: str, body: bytes, *more: bytes, token: bytes = OTHER) -> bytes:
    """A JSON body as it should be framed, whatever it holds."""
    length = b"Content-Length: %d" % len(body)
    lines = (HOST, token, JSON, length, *more)
    return head(method.encode(), path.encode(), *lines) + body


def get(target: bytes, *more: bytes, token: bytes = OTHER) -> bytes:
    return head(b"GET", target, HOST, token, *more)


class Place(NamedTuple):
    """Somewhere in a body: the template holds one `~`."""

    name: str
    method: str
    path: str
    template: str

    def filled(self, text: bytes) -> bytes:
        before, after = self.template.encode().split(b"~")
        return call(self.method, self.path, before + text + after)


def posts(path: str, **templates: str) -> Iterator[Place]:
    """Places in the bodies of one route."""
    for name, template in templates.items():
        yield Place(f"{path}:{name}", "POST", path, template)
