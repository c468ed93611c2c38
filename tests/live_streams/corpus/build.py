"""What a case is, and frames put together as no client library would."""

from __future__ import annotations

from typing import NamedTuple

OPEN = 0
"""Instead of a close code: the stream goes on."""

MARK = "ECHO-7f3a"
"""Stands in what is sent; nothing that comes back may repeat it."""

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Case(NamedTuple):
    name: str
    sent: bytes
    """Bytes after the handshake."""
    code: int = OPEN
    error: str | None = None
    """Code of the error frame before the close; None for none."""


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    reserved: int = 0,
    masked: bool = True,
    declared: bytes | None = None,
) -> bytes:
    """
    Args:
        reserved: the three bits behind `fin`.
        declared: the length as it is written, instead of the right one.
    """
    first = bytes([fin << 7 | reserved << 4 | opcode])
    length = declared if declared is not None else _length(len(payload))
    length = bytes([masked << 7 | length[0]]) + length[1:]
    key = b"\xa5\x5a\x0f\xf0" if masked else b""
    if masked:
        payload = bytes(byte ^ key[at % 4] for at, byte in enumerate(payload))
    return first + length + key + payload


def _length(size: int) -> bytes:
    if size < 126:
        return bytes([size])
    if size < 1 << 16:
        return b"\x7e" + size.to_bytes(2, "big")
    return b"\x7f" + size.to_bytes(8, "big")


def text(payload: str | bytes) -> bytes:
    return frame(TEXT, payload.encode() if isinstance(payload, str) else payload)


def fragments(*parts: bytes) -> bytes:
    """One text in so many frames."""
    last = len(parts) - 1
    return b"".join(
        frame(CONTINUED if at else TEXT, part, fin=at == last) for at, part in enumerate(parts)
    )
