"""Queries of a game's stream: versions that are none, and that cannot be."""

from __future__ import annotations

from tests.live_streams.corpus.build import MARK, OPEN

_MALFORMED = (
    *("-1", "-0", "+1", "%2B1", "1_000", "1_0", "01", "00", "1.0", "1e3", "0x1", "x", "", "%20"),
    *("%201", "1%20", "1%0A", "1%00", "%00", "99999999999", "9" * 25, "9" * 900),
    *("%D9%A3", "%EF%BC%91", "%C2%B2", "NaN", "Infinity", "null", "true", "None", "[]", "1,2"),
    *("1;2", MARK, "0197b1de-0000-7000-8000-00000000000a", "2147483648", "4294967297"),
)

CASES: tuple[tuple[str, int, str | None], ...] = (
    *((f"?after={value}", 1008, "invalid_request") for value in _MALFORMED),
    *(
        (query, 1008, "invalid_request")
        for query in (
            *("?after", "?after=1&after=1", "?after=1&after=2", "?after=&after=1"),
            *("?view=all", "?view=", "?view", "?view=FULL", "?view=events&view=events"),
            *(f"?view={MARK}", "?ticket=a&ticket=b", f"?x={'y' * 2_000}", "?after=x&ticket=x"),
        )
    ),
    ("?ticket=", 4401, "unauthenticated"),
    (f"?ticket={MARK}", 4401, "unauthenticated"),
    (f"?ticket={'x' * 900}", 4401, "unauthenticated"),
    ("?ticket=%00", 4401, "unauthenticated"),
    ("?ticket=%ED%A0%80", 4401, "unauthenticated"),
    ("?ticket=@TOKEN@", 4401, "unauthenticated"),
    ("?after=2147483647", 4409, "version_not_found"),
    ("?after=@PAST@", 4409, "version_not_found"),
    ("?after=@OTHER@", 4409, "version_not_found"),
    ("?after=@VERSION@", OPEN, None),
    ("?after=0", OPEN, None),
    ("?after=%30", OPEN, None),
    ("?", OPEN, None),
    ("?&&", OPEN, None),
    (f"?{MARK}={MARK}", OPEN, None),
    ("?token=@TOKEN@", OPEN, None),
    ("?After=x", OPEN, None),
    ("?after=0&view=events", OPEN, None),
)
"""
(query, close code, code of the error frame). `@TOKEN@` is a player's, `@VERSION@` the game's,
`@PAST@` one more, `@OTHER@` that of another game which has come further.
"""
