"""Below the messages: frames as the protocol has them, and as it does not."""

from __future__ import annotations

from tests.live_streams.corpus.build import (
    BINARY,
    CLOSE,
    CONTINUED,
    OPEN,
    PING,
    PONG,
    TEXT,
    Case,
    fragments,
    frame,
    text,
)

_PING = b'{"type": "ping"}'

_NO_PROTOCOL = {
    "not masked": frame(TEXT, _PING, masked=False),
    "a ping not masked": frame(PING, masked=False),
    **{f"opcode {code}": frame(code, b"x") for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    **{f"reserved bits {bits:03b}": frame(TEXT, _PING, reserved=bits) for bits in range(1, 8)},
    "compressed, which was not agreed on": frame(TEXT, b"\xaaV*\xa9,HU\xb2R", reserved=4),
    "reserved bits on a ping": frame(PING, b"", reserved=1),
    "goes on with nothing": frame(CONTINUED, _PING),
    "goes on after the end": text(_PING) + frame(CONTINUED, b"x"),
    "a text inside a text": frame(TEXT, b"{", fin=False) + text(_PING),
    "bytes inside a text": frame(TEXT, b"{", fin=False) + frame(BINARY, b"x"),
    "half a ping": frame(PING, b"x", fin=False),
    "half a close": frame(CLOSE, b"\x03\xe8", fin=False),
    "a ping of 126": frame(PING, b"x" * 126),
    "a pong of 126": frame(PONG, b"x" * 126),
    "a close of 126": frame(CLOSE, b"\x03\xe8" + b"x" * 124),
    "a close of one byte": frame(CLOSE, b"\x03"),
    **{
        f"a close with {code}": frame(CLOSE, code.to_bytes(2, "big"))
        for code in (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2999, 5000, 65535)
    },
    "lines of HTTP": b"GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "noise": bytes(range(255, 128, -1)),
}

_NOT_UTF8 = {
    "no UTF-8": text(b"\xff\xfe"),
    "overlong": text(b"\xc0\xaf"),
    "an overlong zero": text(b"\xc0\x80"),
    "half a surrogate": text(b'"\xed\xa0\x80"'),
    "beyond Unicode": text(b'"\xf4\x90\x80\x80"'),
    "cut short": text(b'"\xe2\x82'),
    "Latin-1": text(b'{"type": "\xe9"}'),
    "UTF-16": text('{"type": "ping"}'.encode("utf-16-le") + b"\xff"),
    "in the second half": fragments(b'{"type": ', b'"\xff"}'),
}

_TOO_LARGE = {
    "17 KiB": text(b"x" * 17 * 1024),
    "a byte too many": text(b"x" * 16_385),
    "bytes, 17 KiB": frame(BINARY, b"x" * 17 * 1024),
    "1 MiB": text(b"x" * (1 << 20)),
    "17 KiB in halves": fragments(b"x" * 8_704, b"x" * 8_704),
    "17 KiB, declared": frame(TEXT, b"", declared=b"\x7e\x44\x00"),
    "2^40, declared": frame(TEXT, b"", declared=b"\x7f" + (1 << 40).to_bytes(8, "big")),
    "2^62, declared": frame(TEXT, b"", declared=b"\x7f" + (1 << 62).to_bytes(8, "big")),
    "2^64 - 1, declared": frame(TEXT, b"", declared=b"\x7f" + b"\xff" * 8),
}

_ANSWERED = {
    "a ping in pieces": fragments(b'{"ty', b'pe": "pi', b'ng"}', b""),
    "a ping in bytes": fragments(*(bytes([byte]) for byte in _PING)),
    "a ping between pieces": frame(TEXT, b'{"type":', fin=False)
    + frame(PING, b"hello")
    + frame(CONTINUED, b'"ping"}'),
    "a length longer than it needs to be": frame(
        TEXT, _PING, declared=b"\x7e" + len(_PING).to_bytes(2, "big")
    ),
    "pongs that nobody asked for": frame(PONG, b"x") * 800,
    "800 pings": frame(PING, b"x" * 20) * 800,
    "an empty ping": frame(PING),
}

_CLOSED = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1014, 3000, 4000, 4999)

CASES = (
    *(Case(n, sent, 1002) for n, sent in _NO_PROTOCOL.items()),
    *(Case(n, sent, 1007, "not_json") for n, sent in _NOT_UTF8.items()),
    *(Case(n, sent, 1009) for n, sent in _TOO_LARGE.items()),
    *(Case(n, sent, OPEN) for n, sent in _ANSWERED.items()),
    *(Case(f"goodbye with {c}", frame(CLOSE, c.to_bytes(2, "big")), c) for c in _CLOSED),
    Case("goodbye, with a reason", frame(CLOSE, b"\x03\xe8" + "zo\u00eb".encode()), 1000),
    Case("goodbye, with a reason that is no text", frame(CLOSE, b"\x03\xe8\xff"), 1007),
    Case("goodbye, without a code", frame(CLOSE), 1005),
    Case("words after goodbye", frame(CLOSE, b"\x03\xe8") + text(_PING) * 3, 1000),
    Case(
        "a ping and a wrong word before goodbye: nothing is said after it",
        frame(PING) + text("[") + frame(CLOSE, b"\x03\xe8"),
        1000,
        "not_json",
    ),
    Case("bytes", frame(BINARY, b"\x00\x01"), 1003, "binary_message"),
    Case("no bytes", frame(BINARY), 1003, "binary_message"),
    Case("a ping as bytes", frame(BINARY, _PING), 1003, "binary_message"),
    Case("16 KiB of nothing", text(b" " * 16_384), 1007, "not_json"),
    Case(
        "a letter in two pieces", fragments(b'{"type": "\xc3', b'\xab"}'), 1008, "unknown_message"
    ),
    Case(
        "pieces without end",
        frame(TEXT, b"", fin=False) + frame(CONTINUED, b"", fin=False) * 20_000,
        1008,
        "too_many_messages",
    ),
    Case("10 000 pings", frame(PING, b"x" * 20) * 10_000, 1008, "too_many_messages"),
    Case("10 000 pongs", frame(PONG) * 10_000, 1008, "too_many_messages"),
    Case(
        "half a message, then goodbye",
        frame(TEXT, b"{", fin=False) + frame(CLOSE, b"\x03\xe8"),
        1002,
    ),
)
