"""Addresses and methods that nobody should be able to make anything of."""

from __future__ import annotations

from tests.live.corpus.build import HOST, MARK, OTHER, Case, Expect, call, get, head

_M = MARK.encode()

NOWHERE = (
    *(b"/v1/games/../players/me", b"/v1/./players/me", b"/v1/games/%2e%2e/players/me"),
    *(b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"/v1/..%2f..%2fetc%2fpasswd"),
    *(b"/v1%2fplayers%2fme", b"/v1/players%2fme", b"/v1/games%00", b"/v1/games/%00"),
    *(b"/v1/games/@GAME@%00", b"/v1/games/@GAME@%2f", b"/v1/games/@GAME@%0d%0aX-Echo:%201"),
    *(b"/v1/games/%0d%0aSet-Cookie:%20a=" + _M, b"/v1/games/@GAME@%20", b"/v1/games/%20@GAME@"),
    *(b"/v1/", b"/v1/games/", b"/v1/games/@GAME@/", b"/v1/players/me/", b"/health/live/"),
    *(b"//v1", b"//v1/games", b"/v1//games", b"/v1/games//events", b"//evil.example/v1"),
    *(b"/V1", b"/v1/GAMES", b"/v1/Games/@GAME@", b"/v1/players/ME", b"/Health/live", b"/v2"),
    *(b"/v1/games/1_000", b"/v1/games/+1", b"/v1/games/1", b"/v1/games/-1", b"/v1/games/null"),
    *(b"/v1/games/@GAME@/1_000", b"/v1/games/@GAME@;v=1", b"/v1/games/@GAME@%3Fx", b"/v1\\games"),
    *(b"/v1/games/{@GAME@}", b"/v1/games/urn:uuid:@GAME@", b"/v1/games/@GAME@@GAME@"),
    *(b"/v1/games/" + _M, b"/v1/" + _M, b"/" + _M, b"/v1/rules/" + _M, b"/v1/players/" + _M),
    *(b"/v1/games/%ff", b"/v1/games/%c0%af", b"/v1/games/%ed%a0%80", b"/v1/games/%", b"/%zz"),
    *(b"/v1/games/%u0041", b"/v1/games/%E2%80%AE" + _M, b"/v1/rules/%00", b"/v1/rules/..%2ffarkle"),
    *(
        b"/v1/rules/farkle%0a",
        b"/v1/rules/FARKLE",
        b"/v1/rules/farkle.toml",
        b"/v1/rules/" + b"a" * 8_000,
    ),
    *(
        b"/v1/games/00000000-0000-0000-0000-000000000000",
        b"/v1/games/00000000-0000-0000-0000-00000000000G",
    ),
    *(
        b"/.env",
        b"/.git/config",
        b"/admin",
        b"/docs/../v1/players/me",
        b"/docs/..%2fapp",
        b"/openapi.yaml",
    ),
    *(
        b"/docs/%2e%2e/%2e%2e/settings.py",
        b"/v1/players/me/..",
        b"/v1/games/@GAME@/states/..",
        b"/metrics/",
    ),
    *(b"/v1/games/@GAME@/export/1", b"/v1/games/@GAME@/seats", b"/v1/games/@GAME@/seats/1/kick"),
)

QUERIES = (
    *(
        b"/v1/games?status=" + _M,
        b"/v1/games?status=",
        b"/v1/games?preset=%00",
        b"/v1/games?preset=" + _M,
    ),
    *(
        b"/v1/games?cursor=" + _M,
        b"/v1/games?cursor=%00",
        b"/v1/games?cursor=AAAA",
        b"/v1/games?cursor=" + b"a" * 129,
    ),
    *(b"/v1/games?cursor=OTk5OTk5OTk5OTk5OTk5OTk5", b"/v1/games?cursor=", b"/v1/games?cursor=%ff"),
    *(b"/v1/games?preset=' OR 1=1 --".replace(b" ", b"%20"), b"/v1/games?preset=" + b"a" * 9_000),
    *(
        b"/v1/players/me/games?to_move=1",
        b"/v1/players/me/games?to_move=True",
        b"/v1/players/me/games?to_move=",
    ),
    *(b"/v1/players/me/games?status[]=lobby&status=" + _M, b"/v1/games/@GAME@/events?wait=26"),
)
STRANGE = (
    *(
        b"/v1?" + _M + b"=1",
        b"/v1/games/@GAME@?%00=%ff",
        b"/v1?" + b"&" * 4_000,
        b"/v1?a=" + b"%41" * 9_000,
    ),
    *(
        b"/v1/games/@GAME@/events?after=0&after=1",
        b"/v1/games?limit=1&LIMIT=2",
        b"/v1/games?=" + _M,
    ),
    *(
        b"/v1/games/@GAME@?token=@TOKEN@",
        b"/v1/players/me#" + _M,
        b"http://127.0.0.1/v1",
        b"http://evil.example/v1",
    ),
    *(
        b"*",
        b"v1/games",
        b"?",
        b"\xe2\x9c\x93",
        b"/v1/games/\xff\xfe",
        b"/v1/games/" + "é".encode(),
        b"evil.example:443",
    ),
)

ROUTES = (
    *(
        b"/v1",
        b"/v1/players",
        b"/v1/players/me/token",
        b"/v1/games/@GAME@",
        b"/v1/games/@GAME@/roll",
    ),
    *(
        b"/v1/games/@GAME@/events",
        b"/v1/games/@LOBBY@/seats/1",
        b"/v1/rules/score",
        b"/health/live",
    ),
)
UNUSED = {
    b"/v1": (b"POST", b"PUT", b"PATCH", b"DELETE"),
    b"/v1/players": (b"GET", b"PUT", b"PATCH", b"DELETE", b"HEAD"),
    b"/v1/players/me/token": (b"GET", b"PUT", b"PATCH", b"DELETE"),
    b"/v1/games/@GAME@": (b"POST", b"PUT", b"DELETE"),
    b"/v1/games/@GAME@/roll": (b"GET", b"HEAD", b"PUT", b"PATCH", b"DELETE"),
    b"/v1/games/@GAME@/events": (b"POST", b"PUT", b"PATCH", b"DELETE"),
    b"/v1/games/@LOBBY@/seats/1": (b"GET", b"POST", b"PUT", b"DELETE"),
    b"/v1/rules/score": (b"GET", b"PUT", b"PATCH", b"DELETE"),
    b"/health/live": (b"POST", b"PUT", b"PATCH", b"DELETE"),
}
KNOWN_TO_THE_PARSER = (b"TRACE", b"PROPFIND", b"LOCK", b"SEARCH", b"REPORT", b"PURGE", b"LINK")
UNKNOWN = (
    *(b"CONNECT", b"FOO", b"get", b"Get", b"G\x00T", b"GET\xe9", b"", b"GETT", b"QUERY", b"PRI"),
    *(_M, b"M" * 9_000, b"GET/v1", b"POST\t", b"'", b"<script>"),
)

CASES = (
    *(Case(f"path {path[:40]!r}", get(path)) for path in NOWHERE),
    *(
        Case(f"command at {path[:40]!r}", call("POST", path.decode(), b"{}"))
        for path in (
            *(b"/v1/games/@GAME@/roll/", b"/v1/games/@GAME@//roll", b"/v1/games/@GAME@/ROLL"),
            *(b"/v1/games/@GAME@/roll%00", b"/v1/games/@GAME@/./roll", b"/v1/games/%00/roll"),
            *(
                b"/v1/games/@GAME@/take_over",
                b"/v1/games/@GAME@/%72oll%2f",
                b"/v1/games/@GAME@/roll;a",
            ),
        )
    ),
    *(Case(f"query {path[:40]!r}", get(path), status=422) for path in QUERIES),
    *(Case(f"strange {path[:40]!r}", get(path), Expect.UNFRAMED, ends=True) for path in STRANGE),
    *(
        Case(f"{method.decode()} {route.decode()}", head(method, route, HOST, OTHER), status=405)
        for route, methods in UNUSED.items()
        for method in methods
    ),
    *(
        Case(f"{method.decode()} {route.decode()}", head(method, route, HOST, OTHER), status=405)
        for route in ROUTES
        for method in KNOWN_TO_THE_PARSER
    ),
    *(
        Case(
            f"method {method[:20]!r}", head(method, b"/v1", HOST, OTHER), Expect.UNFRAMED, ends=True
        )
        for method in UNKNOWN
    ),
)
