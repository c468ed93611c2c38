"""Headers that identify, guard and repeat: tokens, hosts, origins, versions, keys."""

from __future__ import annotations

from tests.live.corpus.build import HOST, JSON, MARK, OTHER, SEATED, Case, Expect, call, get, head

_M = MARK.encode()
_LONG = _M * 1_100  # 10 KiB


def _auth(value: bytes) -> bytes:
    return b"Authorization: " + value


TOKENS: dict[str, tuple[bytes, ...]] = {
    "none": (),
    "empty": (_auth(b""),),
    "scheme alone": (_auth(b"Bearer"),),
    "scheme and a space": (_auth(b"Bearer "),),
    "token alone": (_auth(b"@TOKEN@"),),
    "unknown": (_auth(b"Bearer " + _M),),
    "Latin-1": (_auth(b"Bearer " + _M + b"\xe9"),),
    "UTF-8": (_auth("Bearer ✓".encode()),),
    "not even Latin-1": (_auth(b"Bearer \xff\xfe\x80"),),
    "64 KiB": (_auth(b"Bearer " + b"a" * 65_536),),
    "Basic": (_auth(b"Basic QGE6Yg=="),),
    "Digest": (_auth(b"Digest @TOKEN@"),),
    "two headers": (SEATED, SEATED),
    "two players": (SEATED, OTHER),
    "two in one": (_auth(b"Bearer @TOKEN@, Bearer @OTHER@"),),
    "two spaces": (_auth(b"Bearer  @TOKEN@"),),
    "a tab": (_auth(b"Bearer\t@TOKEN@"),),
    "in quotes": (_auth(b'Bearer "@TOKEN@"'),),
    "with a parameter": (_auth(b"Bearer @TOKEN@; x=1"),),
    "cut short": (_auth(b"Bearer @TOKEN@"[:-3]),),
    "in another header": (b"X-Authorization: Bearer @TOKEN@",),
    "in a cookie": (b"Cookie: token=@TOKEN@",),
    "null": (_auth(b"Bearer null"),),
    "SQL": (_auth(b"Bearer ' OR 1=1 --"),),
}

HOSTS: dict[str, tuple[bytes, ...]] = {
    "missing": (),
    "double": (HOST, HOST),
    "double, another first": (b"Host: " + _M, HOST),
    "empty": (b"Host:",),
    "with a path": (b"Host: 127.0.0.1/v1/" + _M,),
    "with a query": (b"Host: 127.0.0.1?" + _M,),
    "with a fragment": (b"Host: 127.0.0.1#" + _M,),
    "with a user": (b"Host: " + _M + b"@127.0.0.1",),
    "with a scheme": (b"Host: http://127.0.0.1",),
    "look-alike behind": (b"Host: 127.0.0.1.evil.example",),
    "look-alike in front": (b"Host: evil.example.127.0.0.1",),
    "look-alike port": (b"Host: 127.0.0.1:80@evil.example",),
    "another": (b"Host: evil.example",),
    "with a space": (b"Host: 127.0.0.1 evil.example",),
    "two in one": (b"Host: 127.0.0.1, evil.example",),
    "port of letters": (b"Host: 127.0.0.1:http",),
    "port too long": (b"Host: 127.0.0.1:999999",),
    "port without digits": (b"Host: 127.0.0.1:",),
    "bracket": (b"Host: [::1",),
    "not ASCII": (b"Host: 127.0.0.1\xe9",),
    "full width": (b"Host: \xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1",),
    "escape": (b"Host: 127.0.0.1%00",),
    "10 KiB": (b"Host: " + _LONG,),
}

ORIGINS = (
    *(b"null", b"*", b"http://play.example", b"https://play.example.evil.example", _M),
    *(b"https://evil-play.example", b"https://play.example:444", b"https://play.example@evil"),
    *(b"https://PLAY.example.", b"https://play.example/", b"https://play.example\xe9", b""),
)
"""None of them is `https://play.example`, which the server allows."""

VERSIONS = (
    *(b'"-1"', b"-1", b"0", b"1", b'"0"', b'"999"', b'"2147483648"', b'"9223372036854775808"'),
    *(b'"' + b"7" * 25 + b'"', b'"' + b"7" * 5_000 + b'"', b'W/"3"', b'"1","2"', b'"1", *', b"**"),
    *(b"", b'""', b'"', _M, b'"' + _M + b'"', b'"01"', b'"+1"', b'"1.0"', b'"1_0"', b'" 1"'),
    *(b"'1'", b'"NaN"', b'"1e2"', b'"\xb9"', b'"1"\xe9', b'"\xd9\xa1"', b'"' + _LONG + b'"'),
)

KEYS = (
    *(b"", b" ", b"a b", b"a\tb", b"\xe9", "schlüssel".encode(), "✓".encode()),
    *(b"k" * 256, _LONG, _M + b"\xff", b"\xed\xa0\x80" + _M),
)

_RENAME = b'{"name": "Bo"}'

CASES = (
    *(
        Case(
            f"token {name}: {method.decode()} {path.decode()}",
            head(method, path, HOST, *lines),
            status=401,
        )
        for method, path in ((b"GET", b"/v1/players/me"), (b"POST", b"/v1/games/@GAME@/roll"))
        for name, lines in TOKENS.items()
    ),
    Case(
        "optional token, but a bad one",
        get(b"/v1/games/@GAME@", token=_auth(b"Bearer " + _M)),
        status=401,
    ),
    Case(
        "scheme in lower case",
        get(b"/v1/players/me", token=_auth(b"bearer @OTHER@")),
        Expect.UNDERSTOOD,
        200,
    ),
    Case(
        "blanks around a token",
        get(b"/v1/players/me", token=b"Authorization: \t Bearer @OTHER@ \t"),
        Expect.UNDERSTOOD,
        200,
    ),
    Case(
        "blanks around a length and a key",
        head(
            *(b"PATCH", b"/v1/players/me", HOST, OTHER, JSON + b" \t"),
            *(b"Content-Length:  14 \t ", b"Idempotency-Key: \t blank \t"),
        )
        + _RENAME,
        Expect.UNDERSTOOD,
        200,
    ),
    Case("token of another", call("POST", "/v1/games/@GAME@/roll", b"{}"), status=403),
    Case("another's table", call("POST", "/v1/games/@LOBBY@/start", b"{}"), status=403),
    Case("end another's game", call("POST", "/v1/games/@GAME@/end", b"{}"), status=403),
    *(
        Case(f"host {name}: {path.decode()}", head(b"GET", path, *lines), status=400)
        for path in (b"/v1", b"/v1/games/@GAME@")
        for name, lines in HOSTS.items()
        if name != "port without digits"
    ),
    Case(
        "host: port without digits",
        head(b"GET", b"/v1", *HOSTS["port without digits"]),
        Expect.UNDERSTOOD,
    ),
    *(
        Case(f"origin {origin!r}", get(b"/v1", b"Origin: " + origin), Expect.UNDERSTOOD)
        for origin in ORIGINS
    ),
    *(
        Case(
            f"preflight {origin!r}",
            head(
                b"OPTIONS",
                b"/v1/games",
                HOST,
                b"Origin: " + origin,
                b"Access-Control-Request-Method: POST",
                b"Access-Control-Request-Headers: Authorization, " + _M,
            ),
            Expect.UNFRAMED,
        )
        for origin in (*ORIGINS, b"https://play.example")
    ),
    *(
        Case(
            f"If-Match {value[:30]!r}",
            call("POST", "/v1/games/@GAME@/roll", b"{}", b"If-Match: " + value, token=SEATED),
        )
        for value in VERSIONS
    ),
    Case(
        "If-Match twice",
        call(
            "POST", "/v1/games/@GAME@/roll", b"{}", b'If-Match: "1"', b'If-Match: "2"', token=SEATED
        ),
        status=422,
    ),
    *(
        Case(
            f"key {value[:30]!r}",
            call("PATCH", "/v1/players/me", _RENAME, b"Idempotency-Key: " + value),
            status=422,
        )
        for value in KEYS
    ),
    Case(
        "key with DEL",
        call("PATCH", "/v1/players/me", _RENAME, b"Idempotency-Key: a\x7f"),
        Expect.UNFRAMED,
    ),
    Case(
        "key twice",
        call("PATCH", "/v1/players/me", _RENAME, b"Idempotency-Key: a", b"Idempotency-Key: b"),
        status=422,
    ),
    *(
        Case(
            f"key used before: {method} {path}",
            call(method, path, body, b"Idempotency-Key: used", token=SEATED),
            status=422,
        )
        for method, path, body in (
            ("PATCH", "/v1/players/me", b'{"name": "ECHO"}'),
            ("DELETE", "/v1/players/me", b"{}"),
            ("POST", "/v1/games", b'{"rules": {"preset": "farkle"}}'),
            ("POST", "/v1/games/@GAME@/roll", b"{}"),
            ("POST", "/v1/games/@LOBBY@/join", b"{}"),
            ("POST", "/v1/join", b'{"join_code": "00000000"}'),
        )
    ),
    *(
        Case(
            f"{name}: {value[:20]!r}",
            get(b"/v1/games/@GAME@", name.encode() + b": " + value),
            Expect.UNDERSTOOD,
        )
        for name in (
            "If-None-Match",
            "Accept-Encoding",
            "Accept",
            "Range",
            "Prefer",
            "X-Forwarded-For",
            "Cookie",
            "Connection",
        )
        for value in (b"\xe9\xff", _M, b"bytes=0-1,0-2,0-3", b",,,;;;", _LONG)
    ),
    Case(
        "forged address",
        head(
            b"GET",
            b"/v1",
            HOST,
            b"X-Forwarded-Host: evil.example",
            b"X-Forwarded-Proto: " + _M,
            b"Forwarded: host=" + _M,
            JSON,
        ),
        Expect.UNDERSTOOD,
        200,
    ),
)
