"""Join codes: 8 symbols of Crockford's base 32, which has no I, L, O or U. 40 bits."""

from __future__ import annotations

import hmac

from app.ports import RandomBytes

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8

_KNOWN = frozenset(SYMBOLS)
_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


def new_code(random_bytes: RandomBytes) -> str:
    """256 is a multiple of 32: every symbol is as likely."""
    return "".join(SYMBOLS[byte % len(SYMBOLS)] for byte in random_bytes(LENGTH))


def as_read(code: str) -> str | None:
    """
    The code a person means: case, look-alikes, hyphens and spaces make no difference; None, when
    it cannot be one.
    """
    read = code.upper().translate(_READ_AS)
    return read if len(read) == LENGTH and set(read) <= _KNOWN else None


def opens(code: str | None, join_code: str | None) -> bool:
    """Whether what was typed is the table's code."""
    read = as_read(code or "")
    return read is not None and join_code is not None and hmac.compare_digest(read, join_code)
