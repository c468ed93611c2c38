"""Text that hides, lies or is none: in every place that takes a string, as value and as key."""

from __future__ import annotations

from tests.live.corpus.build import MARK, Case, Place, call, posts

_M = MARK.encode()

TEXTS: dict[str, bytes] = {
    "high surrogate": _M + rb"\ud800",
    "low surrogate": _M + rb"\udc00",
    "surrogates reversed": _M + rb"\udc00\ud800",
    "surrogate as UTF-8": _M + b"\xed\xa0\x80",
    "pair as UTF-8": _M + b"\xed\xa0\xbd\xed\xb8\x80",
    "NUL": _M + rb"\u0000",
    "raw NUL": _M + b"\x00",
    "C0": _M + rb"\u0001\u001f",
    "raw C0": _M + b"\x01",
    "escape codes": _M + rb"\u001b[31m",
    "line break": _M + rb"\n{\"event\":\"request\"}",
    "raw line break": _M + b"\r\n",
    "DEL": _M + rb"\u007f",
    "C1": _M + rb"\u0085\u009b",
    "right to left": _M + rb"\u202e",
    "isolate": _M + rb"\u2066a\u2069",
    "marks of direction": _M + rb"\u200f",
    "zero width space": _M + rb"\u200b",
    "zero width joiner": _M + rb"\u200d",
    "word joiner": _M + rb"\u2060",
    "byte order mark": _M + rb"\ufeff",
    "tags": _M + rb"\udb40\udc41",
    "no character": _M + rb"\uffff",
    "private": _M + rb"\ue000",
    "line separator": _M + rb"\u2028",
    "overlong slash": _M + b"\xc0\xaf",
    "overlong NUL": _M + b"\xc0\x80",
    "overlong of three": _M + b"\xe0\x80\xaf",
    "overlong of four": _M + b"\xf0\x80\x80\xaf",
    "five bytes": _M + b"\xf8\x88\x80\x80\x80",
    "beyond Unicode": _M + b"\xf4\x90\x80\x80",
    "cut short": _M + b"\xe2\x82",
    "stray byte": _M + b"\xff",
    "Latin-1": _M + b"\xe9",
    "bad escape": _M + rb"\x41",
    "short escape": _M + rb"\u12",
    "SQL": _M + b"'; DROP TABLE games; --",
    "4000 characters": _M + b"a" * 4_000,
}

_TABLE = '{"rules": {"preset": "farkle"}, %s}'

PLACES = (
    *posts("/v1/players", name='{"name": "~"}', key='{"name": "Ana", "~": 1}'),
    Place("rename", "PATCH", "/v1/players/me", '{"name": "~"}'),
    *posts("/v1/join", join_code='{"join_code": "~"}'),
    *posts("/v1/games/@LOBBY@/join", join_code='{"join_code": "~"}', key='{"~": null}'),
    *posts(
        "/v1/games",
        preset='{"rules": {"preset": "~"}}',
        option='{"rules": {"preset": "farkle", "options": {"~": 1}}}',
        choice='{"rules": {"preset": "farkle", "options": {"final_round": "~"}}}',
        value='{"rules": {"preset": "house", "options": {"values": {"~": 1}}}}',
        custom='{"rules": {"custom": {"~": 1}}}',
        custom_name='{"rules": {"custom": {"format": 1, "name": "~"}}}',
        custom_id='{"rules": {"custom": {"combinations": [{"id": "~", "kind": "single"}]}}}',
        rules='{"rules": {"~": "farkle"}}',
        visibility=_TABLE % '"visibility": "~"',
        kind=_TABLE % '"seats": [{"kind": "~"}]',
        character=_TABLE % '"seats": [{"kind": "bot", "character": "~"}]',
        seed=_TABLE % '"dice": {"kind": "seeded", "seed": "~"}',
        light=_TABLE % '"cheats": {"light": {"0": "~"}}',
        light_key=_TABLE % '"cheats": {"light": {"~": "lucky"}}',
        head_start=_TABLE % '"cheats": {"head_start": {"~": 1}}',
    ),
    *posts(
        "/v1/rules/score", sets='{"rules": {"preset": "jester"}, "roll": [1], "sets": {"~": 3}}'
    ),
    *posts("/v1/games/@GAME@/roll", key='{"~": {}}', nested='{"select": {"dice": [0], "~": 1}}'),
    *posts("/v1/games/@GAME@/end", key='{"~": 1}'),
)

_SEED_TAKES = {"SQL"}
"""Printable ASCII is what a seed is."""


def _encoded(codec: str) -> bytes:
    return f'{{"name": "{MARK}"}}'.encode(codec)


WHOLE = {
    "UTF-8 with a byte order mark": b"\xef\xbb\xbf" + _encoded("utf-8"),
    "UTF-16": _encoded("utf-16"),
    "UTF-16 little": _encoded("utf-16-le"),
    "UTF-16 big": _encoded("utf-16-be"),
    "UTF-32": _encoded("utf-32"),
    "UTF-32 big": _encoded("utf-32-be"),
    "UTF-7": b'+AHs "name": "' + _M + b'"+AH0-',
    "EBCDIC": _encoded("cp037"),
}

CASES = (
    *(
        Case(f"{place.name}: {name}", place.filled(text))
        for place in PLACES
        for name, text in TEXTS.items()
        if not (place.name.endswith(":seed") and name in _SEED_TAKES)
    ),
    *(
        Case(f"{method} {path}: {name}", call(method, path, body), status=422)
        for name, body in WHOLE.items()
        for method, path in (("POST", "/v1/players"), ("PATCH", "/v1/players/me"))
    ),
)
