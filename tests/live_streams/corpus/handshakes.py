"""Handshakes: the status of the answer, and where it is 101 the close code after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.live_streams.corpus.build import MARK, OPEN

PATH = b"/v1/games/@GAME@/stream"
HOST = b"Host: 127.0.0.1"
CONNECTION = b"Connection: Upgrade"
UPGRADE = b"Upgrade: websocket"
VERSION = b"Sec-WebSocket-Version: 13"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
LINES = (HOST, CONNECTION, UPGRADE, VERSION, KEY)
_MARK = MARK.encode()


class Handshake(NamedTuple):
    name: str
    raw: bytes
    status: int = 101
    code: int = OPEN


def request(
    *lines: bytes, method: bytes = b"GET", path: bytes = PATH, protocol: bytes = b"HTTP/1.1"
) -> bytes:
    return b"\r\n".join((b" ".join((method, path, protocol)), *lines, b"", b""))


def without(line: bytes, *more: bytes) -> bytes:
    return request(*(other for other in LINES if other is not line), *more)


def _with(*more: bytes) -> bytes:
    return request(*LINES, *more)


def _key(value: bytes) -> bytes:
    return without(KEY, b"Sec-WebSocket-Key: " + value)


def _named(line: bytes, how: Callable[[bytes], bytes]) -> bytes:
    name, _, value = line.partition(b":")
    return how(name) + b":" + value


PLAIN = request(*LINES)

_ACCEPTED = {
    "as it should be": PLAIN,
    "names in lower case": request(*(_named(line, bytes.lower) for line in LINES)),
    "names in upper case": request(*(_named(line, bytes.upper) for line in LINES)),
    "no blanks": request(*(line.replace(b": ", b":") for line in LINES)),
    "values in upper case": without(UPGRADE, b"Upgrade: WEBSOCKET"),
    "kept alive": without(CONNECTION, b"Connection: keep-alive, Upgrade"),
    "kept alive, in two lines": without(
        CONNECTION, b"Connection: keep-alive", b"Connection: Upgrade"
    ),
    "an extension": _with(b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"),
    "no extension": _with(b"Sec-WebSocket-Extensions: ;;,"),
    "an unknown extension": _with(b"Sec-WebSocket-Extensions: " + _MARK),
    "a subprotocol": _with(b"Sec-WebSocket-Protocol: hotdice.v1"),
    "an unknown subprotocol": _with(b"Sec-WebSocket-Protocol: " + _MARK),
    "many subprotocols": _with(b"Sec-WebSocket-Protocol: " + b"x, " * 2_000 + b"hotdice.v1"),
    "cookies": _with(b"Cookie: token=" + _MARK),
    "a host with a port": without(HOST, b"Host: 127.0.0.1:80"),
    "a body of nothing": _with(b"Content-Length: 0"),
    "a header that is not ASCII": _with(b"X-Name: zo\xeb"),
}

_REFUSED_BY_STATUS = {
    400: {
        "no key": without(KEY),
        "an empty key": _key(b""),
        "a key of 15 bytes": _key(b"dGhlIHNhbXBsZSBub25j"),
        "a key of 17 bytes": _key(b"dGhlIHNhbXBsZSBub25jZTE="),
        "a key that is no base 64": _key(b"<" + _MARK + b">"),
        "a key that is not ASCII": _key(b"\xff" * 24),
        "a key of 7 000 bytes": _key(b"A" * 7_000),
        "two keys": _with(KEY),
        "no version": without(VERSION),
        "two origins": _with(b"Origin: http://127.0.0.1", b"Origin: http://127.0.0.1"),
        "a line of 9 000 bytes": _with(b"X-Long: " + b"a" * 9_000),
        "200 lines": _with(*(b"X-%d: a" % n for n in range(200))),
        "a body": _with(b"Content-Length: 5") + b"hello",
        "a body in chunks": _with(b"Transfer-Encoding: chunked") + b"0\r\n\r\n",
        "a query that is not ASCII": request(*LINES, path=PATH + b"?after=\xd9\xa3"),
        "a name with a blank": _with(b"X Name: a"),
        "a zero": _with(b"X-Name: a\0b"),
        "a bare line feed": _with(b"X-Name: a\nX-Other: b"),
    },
    426: {
        **{
            f"version {v.decode()}": without(VERSION, b"Sec-WebSocket-Version: " + v)
            for v in (b"0", b"8", b"12", b"14", b"013", b"13, 8", b"x", b"-13", _MARK)
        },
        "two versions": _with(VERSION),
        "no upgrade": without(UPGRADE),
        "no connection": without(CONNECTION),
        "another upgrade": without(UPGRADE, b"Upgrade: h2c"),
        "two upgrades": without(UPGRADE, b"Upgrade: websocket, h2c"),
        "HTTP/1.0": request(*LINES, protocol=b"HTTP/1.0"),
    },
    403: {"a whole address": request(*LINES, path=b"http://127.0.0.1" + PATH)},
    405: {
        f"{method.decode()}": request(*LINES, method=method)
        for method in (b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"HEAD")
    },
}

_CLOSED = {
    1008: {
        "no host": without(HOST),
        "two hosts": _with(b"Host: 127.0.0.1"),
        "two different hosts": _with(b"Host: evil.example"),
        "a host with a path": without(HOST, b"Host: 127.0.0.1/x"),
        "a host with a user": without(HOST, b"Host: a@127.0.0.1"),
        "a host of blanks": without(HOST, b"Host:   "),
        "a host not served here": without(HOST, b"Host: 127.0.0.1.evil.example"),
        "a foreign page": _with(b"Origin: https://" + _MARK + b".example"),
        "a page without origin": _with(b"Origin: null"),
    },
    4401: {
        "two tokens": _with(b"Authorization: Bearer @TOKEN@", b"Authorization: Bearer @TOKEN@"),
        "a token twice": _with(
            b"Authorization: Bearer @TOKEN@", b"Sec-WebSocket-Protocol: bearer.@TOKEN@"
        ),
        "another scheme": _with(b"Authorization: Basic " + _MARK),
        "a token that is not ASCII": _with(b"Authorization: Bearer zo\xeb"),
        "a token of 7 000 bytes": _with(b"Authorization: Bearer " + b"x" * 7_000),
        "an empty token": _with(b"Sec-WebSocket-Protocol: bearer."),
        "a token and a ticket": request(
            *LINES, b"Authorization: Bearer @TOKEN@", path=PATH + b"?ticket=" + _MARK
        ),
        "another token and a ticket": request(
            *LINES, b"Sec-WebSocket-Protocol: bearer.@TOKEN@", path=PATH + b"?ticket=x"
        ),
        "a game that is not there": request(
            *LINES, path=PATH.replace(b"@GAME@", b"01936f2e-7b1c-7000-8000-000000000000")
        ),
    },
    4404: {
        "another address": request(*LINES, path=b"/v1/" + _MARK),
        "no address of ours": request(*LINES, path=b"/"),
        "an address that is no stream": request(*LINES, path=b"/v1/games"),
        "a slash at the end": request(*LINES, path=PATH + b"/"),
        "an escaped slash": request(*LINES, path=b"/v1%2Flobby/stream"),
        "escaped letters": request(*LINES, path=b"/v1/lobby/%73tream"),
        "an escaped end": request(*LINES, path=PATH.replace(b"stream", b"strea%6D")),
        **{
            f"no id: {name}": request(*LINES, path=PATH.replace(b"@GAME@", id_))
            for name, id_ in {
                "a word": _MARK,
                "upper case": b"01936F2E-7B1C-7000-8000-000000000000",
                "a zero": b"%00",
                "a path": b"..",
                "an escaped path": b"..%5C..",
                "a long one": b"x" * 5_000,
            }.items()
        },
    },
}

CASES = (
    *(Handshake(name, raw) for name, raw in _ACCEPTED.items()),
    *(
        Handshake(name, raw, status)
        for status, cases in _REFUSED_BY_STATUS.items()
        for name, raw in cases.items()
    ),
    *(
        Handshake(name, raw, 101, code)
        for code, cases in _CLOSED.items()
        for name, raw in cases.items()
    ),
)
