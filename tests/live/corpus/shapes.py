"""Bodies of the wrong shape, size or type."""

from __future__ import annotations

import gzip
import json

from tests.live.corpus.build import HOST, MARK, OTHER, Case, Expect, call, head

_M = MARK.encode()
_MANY = 1_000


def _text(data: object) -> bytes:
    return json.dumps(data).encode()


def _deep(levels: int, opens: bytes, closes: bytes) -> bytes:
    return opens * levels + b"1" + closes * levels


SHAPES: dict[str, bytes] = {
    "null": b"null",
    "list": b"[]",
    "list of objects": b'[{"name": "' + _M + b'"}]',
    "number": b"7",
    "string": b'"' + _M + b'"',
    "switch": b"true",
    "spaces": b" \t\r\n ",
    "nothing but a brace": b"{",
    "trailing garbage": b'{"name": "' + _M + b'"} x',
    "trailing NUL": b'{"name": "Ana"}\x00',
    "two documents": b'{"name": "Ana"}{"name": "' + _M + b'"}',
    "two lines": b'{"name": "Ana"}\n{"name": "Bo"}',
    "trailing comma": b'{"name": "Ana",}',
    "comment": b'{"name": "Ana" /* ' + _M + b" */}",
    "single quotes": b"{'name': '" + _M + b"'}",
    "bare key": b'{name: "' + _M + b'"}',
    "form feed": b'\x0c{"name": "Ana"}',
    "no-break space": b'\xc2\xa0{"name": "Ana"}',
    "guard": b')]}\'\n{"name": "Ana"}',
    "key twice": b'{"name": "Ana", "name": "' + _M + b'"}',
    "key twice by escape": b'{"name": "Ana", "n\\u0061me": "' + _M + b'"}',
    "key twice inside": b'{"select": {"dice": [0], "dice": [1]}, "' + _M + b'": 1}',
    "__proto__": b'{"__proto__": {"host": true}, "name": "Ana"}',
    "constructor": b'{"constructor": {"prototype": {}}, "name": "Ana"}',
    "empty key": b'{"": "' + _M + b'", "name": "Ana"}',
    "slashes in keys": b'{"a/b~c/' + _M + b'": {"d/e": 1}}',
    "1000 keys": _text({f"{n}": n for n in range(1_000)} | {MARK: 1}),
    "long key": _text({MARK + "k" * 10_000: 1}),
    "900 lists": _deep(900, b"[", b"]"),
    "900 objects": _deep(900, b'{"a":', b"}"),
    "13 levels": b'{"name": ' + _deep(12, b"[", b"]") + b"}",
    "8000 open brackets": b"[" * 8_000,
    "8000 open braces": b'{"":' * 4_000,
    "100000 brackets": b"[" * 100_000,
    "17 KiB": _text({"name": MARK + "a" * 17_000}),
    "16000 digits": b"7" * 16_000,
}
ROUTES = (
    ("POST", "/v1/players"),
    ("PATCH", "/v1/players/me"),
    ("POST", "/v1/players/me/token"),
    ("POST", "/v1/join"),
    ("POST", "/v1/games"),
    ("PATCH", "/v1/games/@LOBBY@"),
    ("PATCH", "/v1/games/@LOBBY@/seats/1"),
    ("POST", "/v1/games/@LOBBY@/start"),
    ("POST", "/v1/games/@GAME@/roll"),
    ("POST", "/v1/games/@GAME@/select"),
    ("POST", "/v1/rules/validate"),
    ("POST", "/v1/rules/score"),
)
TOO_LARGE = {"100000 brackets", "17 KiB"}

_BAD = {MARK: 1}
MANY_FAULTS = {
    "dice": ("POST", "/v1/games/@GAME@/select", {"dice": [MARK] * _MANY}),
    "rolls": (
        *("POST", "/v1/games"),
        {"rules": {"preset": "farkle"}, "dice": {"kind": "scripted", "rolls": [[9, 9]] * _MANY}},
    ),
    "many rolls": (
        *("POST", "/v1/games"),
        {"rules": {"preset": "farkle"}, "dice": {"kind": "scripted", "rolls": [[]] * 400}},
    ),
    "seats": ("POST", "/v1/games", {"rules": {"preset": "farkle"}, "seats": [_BAD] * 600}),
    "head starts": (
        *("POST", "/v1/games"),
        {"rules": {"preset": "farkle"}, "cheats": {"head_start": {f"{n}": -1 for n in range(900)}}},
    ),
    "combinations": (
        "POST",
        "/v1/rules/validate",
        {"rules": {"custom": {"combinations": [_BAD] * 600}}},
    ),
    "options": (
        "POST",
        "/v1/rules/validate",
        {"rules": {"preset": "farkle", "options": {f"{MARK}{n}": n for n in range(600)}}},
    ),
    "spicy faces": (
        "POST",
        "/v1/rules/validate",
        {"rules": {"preset": "farkle", "options": {"spicy": True, "spicy_faces": [9] * 4_000}}},
    ),
    "roll": ("POST", "/v1/rules/score", {"rules": {"preset": "farkle"}, "roll": [MARK] * _MANY}),
    "sets": (
        "POST",
        "/v1/rules/score",
        {"rules": {"preset": "jester"}, "roll": [1], "sets": {f"{MARK}{n}": n for n in range(600)}},
    ),
}

TYPES: dict[str, tuple[bytes, ...]] = {
    "none": (),
    "empty": (b"Content-Type:",),
    "text": (b"Content-Type: text/plain",),
    "text/json": (b"Content-Type: text/json",),
    "javascript": (b"Content-Type: application/javascript",),
    "form": (b"Content-Type: application/x-www-form-urlencoded",),
    "multipart": (b"Content-Type: multipart/form-data; boundary=" + _M,),
    "multipart without boundary": (b"Content-Type: multipart/form-data",),
    "XML": (b"Content-Type: application/xml",),
    "other JSON": (b"Content-Type: application/vnd.api+json",),
    "other charset": (b"Content-Type: application/json; charset=utf-16",),
    "other parameter": (b"Content-Type: application/json; " + _M + b"=1",),
    "two": (b"Content-Type: application/json", b"Content-Type: text/plain"),
    "two in one": (b"Content-Type: application/json, text/plain",),
    "not ASCII": (b"Content-Type: application/json\xe9",),
    "long": (b"Content-Type: application/json; a=" + _M * 1_000,),
    "encoded": (b"Content-Type: application/json", b"Content-Encoding: gzip"),
    "encoded as itself": (b"Content-Type: application/json", b"Content-Encoding: identity"),
}


def _typed(types: tuple[bytes, ...], path: bytes, body: bytes) -> bytes:
    return head(b"POST", path, HOST, OTHER, *types, b"Content-Length: %d" % len(body)) + body


_NAME = b'{"name": "' + _M + b'"}'
_FORM = b"--x\r\nContent-Disposition: form-data; name=name\r\n\r\n" + _M + b"\r\n--x--\r\n"

CASES = (
    *(
        Case(
            f"{method} {path}: {name}",
            call(method, path, body),
            status=413 if name in TOO_LARGE else 422,
        )
        for method, path in ROUTES
        for name, body in SHAPES.items()
    ),
    *(
        Case(f"many faults: {n}", call(m, p, _text(b)), status=None)
        for n, (m, p, b) in MANY_FAULTS.items()
    ),
    *(
        Case(f"{path.decode()} type: {name}", _typed(types, path, _NAME))
        for path in (b"/v1/players", b"/v1/games/@GAME@/select")
        for name, types in TYPES.items()
    ),
    Case(
        "a real form",
        _typed((b"Content-Type: multipart/form-data; boundary=x",), b"/v1/players", _FORM),
        status=415,
    ),
    Case("a real gzip", _typed(TYPES["encoded"], b"/v1/players", gzip.compress(_NAME)), status=415),
    Case(
        "a bomb",
        _typed(TYPES["encoded"], b"/v1/players", gzip.compress(bytes(8 << 20))),
        status=415,
    ),
    Case("no body where one is needed", call("POST", "/v1/games", b""), status=422),
    Case(
        "type in capitals",
        _typed(
            (b"Content-Type: APPLICATION/JSON; Charset=UTF-8",), b"/v1/players", b'{"name": "Ana"}'
        ),
        Expect.UNDERSTOOD,
        201,
    ),
)
