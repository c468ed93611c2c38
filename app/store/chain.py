"""
The hash chain of a game's log: each event's hash covers the one before it.

    h_0 = 32 zero bytes
    h_v = SHA-256(LP("pf1/event") LP(game_id) u64(v) LP(h_(v-1)) LP(bytes of event v))

LP(x) = u32(len(x)) x, numbers big-endian. The bytes are the stored ones, never re-serialised.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from app.ports import Recorded
from engine.errors import BrokenHistory

ORIGIN = bytes(32)
"""h_0."""


def lp(data: bytes) -> bytes:
    """The bytes behind their length, so that no two lists of parts run into the same bytes."""
    return len(data).to_bytes(4, "big") + data


_TAG = lp(b"pf1/event")


def link(game_id: str, version: int, before: bytes, data: bytes) -> bytes:
    """h_version, from the hash before it and the event's bytes."""
    game = game_id.encode("ascii")
    return sha256(
        b"".join(
            (
                _TAG,
                len(game).to_bytes(4, "big"),  # as `lp`, whose calls would take half of the time
                game,
                version.to_bytes(8, "big"),
                len(before).to_bytes(4, "big"),
                before,
                len(data).to_bytes(4, "big"),
                data,
            )
        )
    ).digest()


def verify(
    game_id: str, records: Iterable[Recorded], version: int = 0, before: bytes = ORIGIN
) -> tuple[int, bytes]:
    """
    Check that the records follow (version, hash) without gap; return the last (version, hash).

    Raises: BrokenHistory, at the first record that does not.
    """
    for record in records:
        if record.version != version + 1:
            raise BrokenHistory(f"game {game_id}: version {record.version} follows {version}")
        version = record.version
        before = link(game_id, version, before, record.data)
        if before != record.hash:
            raise BrokenHistory(f"game {game_id}: the hash of version {version} does not match")
    return version, before
