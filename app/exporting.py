"""
The log of a game as NDJSON, as `…/export` gives it and archives keep it.

A header line, then `{"version", "bytes", "hash"}` for each event; `bytes` is exactly what was
hashed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from app.ports import Recorded
from engine.dice import PROTOCOL

FORMAT = 1


def header(game_id: str) -> bytes:
    data = {"protocol": PROTOCOL, "game_id": game_id, "format": FORMAT}
    return json.dumps(data).encode() + b"\n"


def lines(records: Iterable[Recorded]) -> bytes:
    """Of these events, each with its line end."""
    return b"".join(
        json.dumps(
            {"version": e.version, "bytes": e.data.decode(), "hash": e.hash.hex()},
            ensure_ascii=False,
        ).encode()
        + b"\n"
        for e in records
    )
