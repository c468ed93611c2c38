"""
Identifiers and secrets.

An id shows when it was made and grants nothing; whatever grants something comes from `secrets`.
"""

from __future__ import annotations

import secrets
import uuid

import uuid_utils.compat


def new_id() -> str:
    """A UUIDv7 in lower case."""
    return str(_uuid7())


def new_token() -> str:
    """256 bits, URL-safe."""
    return secrets.token_urlsafe(32)


def random_bytes(count: int) -> bytes:
    """The port `RandomBytes`."""
    return secrets.token_bytes(count)


_uuid7 = getattr(uuid, "uuid7", uuid_utils.compat.uuid7)  # in the standard library from 3.14
