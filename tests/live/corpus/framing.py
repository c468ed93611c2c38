"""Messages whose beginning, length or end is in doubt."""

from __future__ import annotations

from tests.live.corpus.build import HOST, JSON, MARK, OTHER, SEATED, Case, Expect, head

_M = MARK.encode()
_BODY = b'{"name": "' + _M + b'"}'
_HIDDEN = head(b"POST", b"/v1/games/@GAME@/end", HOST, SEATED)
"""A request smuggled behind another: had it been read, the log would tell."""
_CHUNKED = b"Transfer-Encoding: chunked"
_NOT_YET = b"GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_CHUNK = b"400\r\n" + b"a" * 1024 + b"\r\n"


def _post(*lines: bytes, path: bytes = b"/v1/players") -> bytes:
    return head(b"POST", path, HOST, OTHER, JSON, *lines)


def _length(text: bytes) -> bytes:
    return b"Content-Length: " + text


LENGTHS = (
    Case("50 MiB declared", _post(_length(b"52428800")), status=413),
    Case("2^63 declared", _post(_length(b"9223372036854775808")), Expect.UNFRAMED),
    Case("2^64 + 21 declared", _post(_length(b"18446744073709551637")) + _BODY, Expect.UNFRAMED),
    Case("less than declared", _post(_length(b"500")) + _BODY, Expect.UNFRAMED, ends=True),
    Case(
        "more than declared",
        _post(_length(b"%d" % len(_BODY))) + _BODY + _HIDDEN[4:],
        Expect.UNFRAMED,
    ),
    Case(
        "a body where none is declared",
        head(b"GET", b"/v1/players/me", HOST, OTHER) + _BODY,
        Expect.UNFRAMED,
    ),
    *(
        Case(f"length {text!r}", _post(_length(text)) + _BODY, Expect.UNFRAMED, ends=True)
        for text in (b"-1", b"+21", b"0x15", b"21.0", b"2 1", b"21,21", b"", b"\xb2\xb1", b"NaN")
    ),
    Case("two lengths", _post(_length(b"21"), _length(b"0")) + _BODY + _HIDDEN, Expect.UNFRAMED),
    Case("two equal lengths", _post(_length(b"21"), _length(b"21")) + _BODY, Expect.UNFRAMED),
)

CHUNKS = (
    Case("both lengths", _post(_length(b"5"), _CHUNKED) + b"0\r\n\r\n" + _HIDDEN, Expect.UNFRAMED),
    Case(
        "both, reversed", _post(_CHUNKED, _length(b"5")) + b"0\r\n\r\n" + _HIDDEN, Expect.UNFRAMED
    ),
    Case("endless chunks", _post(_CHUNKED), status=413, flood=_CHUNK),
    Case("endless tiny chunks", _post(_CHUNKED), status=413, flood=b"1\r\na\r\n" * 512),
    Case("an endless chunk", _post(_CHUNKED) + b"fffffff\r\n", status=413, flood=b"a" * 4_096),
    Case("headers without end", _NOT_YET, Expect.UNFRAMED, flood=b"X-a: bbbbbbbb\r\n" * 256),
    Case("a header without end", _NOT_YET + b"X: ", Expect.UNFRAMED, flood=b"a" * 4_096),
    Case("a name without end", _NOT_YET, Expect.UNFRAMED, flood=b"a" * 4_096),
    Case("an address without end", b"GET /v1/", Expect.UNFRAMED, flood=b"a" * 4_096),
    Case("a method without end", b"", Expect.UNFRAMED, flood=b"A" * 4_096),
    Case("empty lines without end", b"", Expect.UNFRAMED, flood=b"\r\n" * 2_048),
    Case(
        "trailers without end",
        _post(_CHUNKED) + b"0\r\n",
        Expect.UNFRAMED,
        flood=b"X-a: bbbbbbbb\r\n" * 256,
    ),
    Case(
        "a size with words without end",
        _post(_CHUNKED) + b"1;",
        Expect.UNFRAMED,
        flood=b"a" * 4_096,
    ),
    Case("17 KiB in chunks", _post(_CHUNKED) + _CHUNK * 17 + b"0\r\n\r\n", status=413),
    *(
        Case(
            f"chunk size {text!r}",
            _post(_CHUNKED) + text + b"\r\n" + _BODY + b"\r\n0\r\n\r\n",
            Expect.UNFRAMED,
            ends=True,
        )
        for text in (
            b"zz",
            b"-1",
            b"+15",
            b"0x15",
            b" 15",
            b"15 ",
            b"",
            b"15.0",
            b"1_5",
            b"\xb9",
            b"f" * 17,
            b"f" * 400,
        )
    ),
    Case("size without end", _post(_CHUNKED) + b"1" * 70_000, Expect.UNFRAMED, ends=True),
    Case(
        "chunk longer than its size",
        _post(_CHUNKED) + b"2\r\n" + _BODY + b"\r\n0\r\n\r\n",
        Expect.UNFRAMED,
    ),
    Case("chunk without end", _post(_CHUNKED) + b"15\r\n" + _BODY, Expect.UNFRAMED, ends=True),
    Case(
        "bare line feeds",
        _post(_CHUNKED) + b"15\n" + _BODY + b"\n0\n\n",
        Expect.UNFRAMED,
        ends=True,
    ),
    Case(
        "long extension",
        _post(_CHUNKED) + b"15;" + _M * 9_000 + b"\r\n" + _BODY + b"\r\n0\r\n\r\n",
        Expect.UNFRAMED,
    ),
    Case(
        "trailers",
        _post(_CHUNKED) + b"15\r\n" + _BODY + b"\r\n0\r\nAuthorization: Bearer @TOKEN@\r\n\r\n",
        Expect.UNFRAMED,
    ),
    *(
        Case(
            f"coding {text!r}",
            _post(b"Transfer-Encoding: " + text) + b"15\r\n" + _BODY + b"\r\n0\r\n\r\n",
            Expect.UNFRAMED,
            ends=True,
        )
        for text in (
            b"gzip",
            b"identity",
            b"chunked, chunked",
            b"gzip, chunked",
            b"chunked, gzip",
            b"xchunked",
            b"chunked\xe9",
            b"\x0bchunked",
            b"",
        )
    ),
    Case(
        "coding twice",
        _post(_CHUNKED, b"Transfer-Encoding: identity") + b"0\r\n\r\n",
        Expect.UNFRAMED,
        ends=True,
    ),
    Case(
        "chunks of HTTP/1.0",
        _post(_CHUNKED).replace(b"HTTP/1.1", b"HTTP/1.0") + b"0\r\n\r\n",
        Expect.UNFRAMED,
        ends=True,
    ),
    Case("to be continued", _post(_length(b"52428800"), b"Expect: 100-continue"), Expect.UNFRAMED),
    Case(
        "an unknown expectation", _post(_length(b"21"), b"Expect: " + _M) + _BODY, Expect.UNDERSTOOD
    ),
)

_GET = b"GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_VERSION_13 = b"Sec-WebSocket-Version: 13"
_KEY = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="


def _upgrade(to: bytes, *lines: bytes) -> bytes:
    more = (b"Upgrade: " + to, *lines)
    return head(b"GET", b"/v1", HOST, b"Connection: Upgrade, HTTP2-Settings", *more)


STARTS = {
    "nothing": b"",
    "an empty line": b"\r\n\r\n\r\n",
    "noise": bytes(range(256)) * 4,
    "a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
    "HTTP/2 at once": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00" * 30,
    "SSH": b"SSH-2.0-OpenSSH_9.6\r\n",
    "Redis": b"*1\r\n$4\r\nINFO\r\n",
    "HTTP/0.9": b"GET /v1\r\n\r\n",
    "HTTP/9.9": _GET.replace(b"1.1", b"9.9") + b"\r\n",
    "HTTP/1.11": _GET.replace(b"HTTP/1.1", b"HTTP/1.11") + b"\r\n",
    "http/1.1": _GET.replace(b"HTTP", b"http") + b"\r\n",
    "no version": b"GET /v1\r\nHost: 127.0.0.1\r\n\r\n",
    "two spaces": _GET.replace(b"GET ", b"GET  ") + b"\r\n",
    "tabs": _GET.replace(b" ", b"\t", 2) + b"\r\n",
    "a space in the path": _GET.replace(b"/v1", b"/v1 /" + _M) + b"\r\n",
    "a NUL in the path": _GET.replace(b"/v1", b"/v1\x00") + b"\r\n",
    "a NUL in a value": _GET + b"X: " + _M + b"\x00\r\n\r\n",
    "a NUL in a name": _GET + b"X\x00Y: 1\r\n\r\n",
    "a bare return": _GET + b"X: 1\rAuthorization: Bearer @TOKEN@\r\n\r\n",
    "bare line feeds": (_GET + b"\r\n").replace(b"\r\n", b"\n"),
    "no colon": _GET + _M + b"\r\n\r\n",
    "no name": _GET + b": " + _M + b"\r\n\r\n",
    "a space before the colon": _GET + b"Content-Length : 5\r\n\r\nhello",
    "a folded line": _GET + b"X: 1\r\n  " + _M + b"\r\n\r\n",
    "a first line that is folded": _GET.replace(b"\r\n", b"\r\n ", 1) + b"\r\n",
    "a name that is not ASCII": _GET + "Ünï: 1\r\n\r\n".encode(),
    "a head without end": _GET + b"X: " + _M,
    "half a line": b"GET /v1/pl",
    "a value of 64 KiB": _GET + b"X: " + b"a" * 65_536 + b"\r\n\r\n",
    "2000 headers": _GET + b"".join(b"X-%d: 1\r\n" % n for n in range(2_000)) + b"\r\n",
    "a path of 64 KiB": _GET.replace(b"/v1", b"/v1/" + b"a" * 65_536) + b"\r\n",
    "an upgrade to HTTP/2": _upgrade(b"h2c", b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"),
    "an unknown upgrade": _upgrade(_M),
    "half a websocket": _upgrade(b"websocket"),
    "a websocket to nowhere": _upgrade(b"websocket", _VERSION_13, _KEY),
    "a websocket of the wrong version": _upgrade(b"websocket", _VERSION_13[:-2] + b"99", _KEY),
    "a websocket with a bad key": _upgrade(b"websocket", _VERSION_13, _KEY + _M),
}

CASES = (
    *LENGTHS,
    *CHUNKS,
    *(Case(f"start: {name}", raw, Expect.UNFRAMED, ends=True) for name, raw in STARTS.items()),
)
