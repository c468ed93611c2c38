"""
Listeners: WebSockets that count the frames they are sent, in a process of their own.

    python -m benchmarks.listeners PORT PATH COUNT

They must cost less than what they measure: one loop over epoll, and of each frame only its header
and the beginning of its text. Frames of other kinds than `played` are passed over. They speak with
who started them in lines of JSON, out and in:

    {"ready": COUNT}                   all of them have had their first frame
    {"asked": […], "answered": […]}    for each frame, when the request and its answer went, in ns
    {"deliveries", "last", "after_asking", "after_answer", "cpu_s"}    once all have come

and so on, until the input ends.
"""

from __future__ import annotations

import json
import math
import select
import socket
import sys
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PLAYED = b'{"type":"played"'
PRESENCE = b'{"type":"presence"'
PING = 0x89

TIMEOUT_S = 30.0
"""For frames that do not come."""


class Missing(Exception):
    """Not every listener was sent every frame."""


def opened(port: int, path: str, receive_buffer: int | None = None) -> socket.socket:
    """A socket whose handshake has been sent."""
    own = socket.socket()
    if receive_buffer is not None:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    own.connect(("127.0.0.1", port))
    own.sendall(HANDSHAKE.format(path=path).encode())
    return own


@dataclass(slots=True)
class Listener:
    socket: socket.socket
    rest: bytes = b""
    """Of a frame, or of the handshake's answer, that is not whole yet."""
    is_open: bool = False
    frames: int = 0
    """Of any kind."""
    times: array[int] = field(default_factory=lambda: array("q"))
    """When each `played` was whole, in ns."""


class Listeners:
    def __init__(self, port: int, path: str, count: int) -> None:
        self._buffer = bytearray(1 << 18)
        self._view = memoryview(self._buffer)
        self._poll = select.epoll()
        self._listeners: dict[int, Listener] = {}
        for _ in range(count):
            own = opened(port, path)  # the kernel takes it, whether the server has yet or not
            own.setblocking(False)
            self._listeners[own.fileno()] = Listener(own)
            self._poll.register(own.fileno(), select.EPOLLIN)

    def ready(self) -> None:
        """Returns when each has had a frame. Raises: Missing."""
        self._until(lambda: all(one.frames for one in self._listeners.values()))

    def begin(self) -> None:
        for one in self._listeners.values():
            one.times = array("q")

    def listen(self, also: int) -> None:
        """Reads until there is something to read on this descriptor. Raises: Missing."""
        self._poll.register(also, select.EPOLLIN)
        while not self._once(-1.0, also):
            pass
        self._poll.unregister(also)

    def complete(self, frames: int) -> list[array[int]]:
        """The times of each, once all have so many. Raises: Missing."""
        self._until(lambda: all(len(one.times) >= frames for one in self._listeners.values()))
        if any(len(one.times) > frames for one in self._listeners.values()):
            raise Missing("more frames than were asked for")
        return [one.times for one in self._listeners.values()]

    def _until(self, is_met: object) -> None:
        assert callable(is_met)
        deadline = time.monotonic() + TIMEOUT_S
        while not is_met():
            if time.monotonic() > deadline:
                raise Missing("frames that did not come")
            self._once(0.05)

    def _once(self, seconds: float, also: int = -1) -> bool:
        """Reads what has come; whether there is something on `also`. Raises: Missing."""
        found = False
        for fileno, _ in self._poll.poll(seconds):
            if fileno == also:
                found = True
            else:
                self._read(self._listeners[fileno])
        return found

    def _read(self, one: Listener) -> None:
        buffer, kept = self._buffer, len(one.rest)
        if kept:
            buffer[:kept] = one.rest
        size = one.socket.recv_into(self._view[kept:])
        if not size:
            raise Missing("the server closed a connection")
        at, end = 0, kept + size
        now = time.perf_counter_ns()
        if not one.is_open:
            at = buffer.find(b"\r\n\r\n", 0, end) + 4
            if not buffer.startswith(b"HTTP/1.1 101 ", 0, end):
                raise Missing(f"refused: {bytes(self._view[:end])!r}")
            one.is_open = at >= 4
        while end - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                length, start = buffer[at + 2] << 8 | buffer[at + 3], at + 4
            elif length == 127:
                length, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if start + length > end:
                break
            one.frames += 1
            if buffer.startswith(PLAYED, start, end):
                one.times.append(now)
            elif buffer[at] == PING:
                one.socket.send(pong(bytes(self._view[start : start + length])))
            at = start + length
        one.rest = bytes(self._view[at:end])


def pong(payload: bytes) -> bytes:
    """The answer to a ping, as a client's frame is: masked. Servers send away who gives none."""
    return bytes((0x8A, 0x80 | len(payload), 0, 0, 0, 0)) + payload


def spread(waits: Sequence[int]) -> dict[str, float]:
    """In ms. What was there before it was waited for was there at once."""
    ordered = sorted(waits)
    last = len(ordered) - 1
    return {
        name: max(0, ordered[min(last, math.ceil(len(ordered) * share))]) / 1e6
        for name, share in (("p50", 0.5), ("p99", 0.99))
    }


def main() -> None:
    port, path, count = sys.argv[1:]
    listeners = Listeners(int(port), path, int(count))
    listeners.ready()
    print(json.dumps({"ready": int(count)}), flush=True)
    while True:
        listeners.begin()
        cpu = time.process_time()
        listeners.listen(sys.stdin.fileno())
        if not (line := sys.stdin.readline()):
            return
        asked: dict[str, list[int]] = json.loads(line)
        times = listeners.complete(len(asked["asked"]))
        cpu = time.process_time() - cpu
        latencies = {
            f"after_{since}": spread(
                [t - a for one in times for t, a in zip(one, asked[of], strict=True)]
            )
            for since, of in (("asking", "asked"), ("answer", "answered"))
        }
        heard = {
            **latencies,
            "deliveries": len(times) * len(asked["asked"]),
            "last": max(one[-1] for one in times),
            "cpu_s": cpu,
        }
        print(json.dumps(heard), flush=True)


if __name__ == "__main__":
    main()
