"""
Frames: what a follower is sent, built once for all who get it.

A frame is JSON text, and the bytes that carry it: a WebSocket frame (a server's are not masked, so
one is good for every socket) or an SSE event. The `game` in it is as seen by nobody in particular:
it holds no join code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from app.clock import rfc3339
from app.ports import Answer, Head, Recorded, Summary
from engine.units import Millis, Seat

View = Literal["full", "events"]

_TEXT = 0x81
"""FIN, and the opcode of text (RFC 6455, 5.2)."""


class Frame:
    """One message to a follower."""

    __slots__ = ("_event", "kind", "payload", "socket", "version")

    def __init__(self, kind: str, payload: bytes, version: int | None = None) -> None:
        """
        Args:
            payload: JSON without line breaks, UTF-8.
            version: what a client that has this frame has seen; None for frames outside the log.
        """
        self.kind = kind
        self.payload = payload
        self.version = version
        self.socket = _header(len(payload)) + payload
        """The WebSocket frame."""
        self._event: bytes | None = None

    @property
    def event(self) -> bytes:
        """The SSE event; a heartbeat is a comment, which EventSource passes over."""
        if self._event is None:
            number = b"" if self.version is None else b"id: %d\n" % self.version
            self._event = b"%bevent: %b\ndata: %b\n\n" % (
                number,
                self.kind.encode(),
                self.payload,
            )
            if self.kind == "heartbeat":
                self._event = b": heartbeat\n\n"
        return self._event


def _header(length: int) -> bytes:
    if length < 126:
        return bytes((_TEXT, length))
    if length < 1 << 16:
        return bytes((_TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big")


class Renderer(Protocol):
    """How heads and events look on the wire; the API's business."""

    def game(self, head: Head, now: Millis) -> bytes:
        """The game as everybody may see it."""
        ...

    def events(self, records: Sequence[Recorded]) -> bytes:
        """A JSON array."""
        ...

    def summary(self, row: Summary) -> bytes:
        """The game as a row of a list."""
        ...


def state(render: Renderer, head: Head, now: Millis) -> Frame:
    body = b'{"type":"state","version":%d,"game":%b,"now":"%b"}'
    game = render.game(head, now)
    return Frame("state", body % (head.version, game, _time(now)), head.version)


def resumed(version: int, current_version: int, now: Millis) -> Frame:
    body = b'{"type":"resumed","version":%d,"current_version":%d,"now":"%b"}'
    return Frame("resumed", body % (version, current_version, _time(now)), version)


class Step:
    """What one command (or clock) did: its events, and the game they lead to."""

    __slots__ = ("_frames", "_render", "after", "head", "now", "records")

    def __init__(
        self, render: Renderer, records: tuple[Recorded, ...], head: Head, now: Millis
    ) -> None:
        self.records = records
        self.after = records[0].version - 1
        self.head = head
        self.now = now
        self._render = render
        self._frames: dict[View, Frame] = {}

    @property
    def version(self) -> int:
        return self.head.version

    def frame(self, view: View, after: int = 0) -> Frame:
        """
        The frame of this step; made when it is first asked for.

        Args:
            after: what the follower has. Inside of the step, the frame holds the rest of it.
        """
        if after > self.after:
            return self._made(view, self.records[after - self.after :])
        frame = self._frames.get(view)
        if frame is None:
            frame = self._frames[view] = self._made(view, self.records)
        return frame

    def _made(self, view: View, records: Sequence[Recorded]) -> Frame:
        events, now = self._render.events(records), _time(self.now)
        body = b'{"type":"played","version":%d,"events":%b' % (self.version, events)
        if view == "full":
            body += b',"game":%b' % self._render.game(self.head, self.now)
        return Frame("played", b'%b,"now":"%b"}' % (body, now), self.version)


def presence(seats: Sequence[Seat], now: Millis) -> Frame:
    listed = ",".join(map(str, seats)).encode()
    return Frame("presence", b'{"type":"presence","seats":[%b],"now":"%b"}' % (listed, _time(now)))


def heartbeat(now: Millis) -> Frame:
    return Frame("heartbeat", b'{"type":"heartbeat","now":"%b"}' % _time(now))


def pong(now: Millis) -> Frame:
    return Frame("pong", b'{"type":"pong","now":"%b"}' % _time(now))


def answered(number: bytes, answer: Answer, now: Millis) -> Frame:
    """
    A command was carried out.

    Args:
        number: its id, as JSON.
    """
    body = b'{"type":"answered","id":%b,"status":%d,"version":%d,"answer":%b,"now":"%b"}'
    return Frame(
        "answered", body % (number, answer.status, answer.version, answer.body, _time(now))
    )


def refused(number: bytes, problem: Mapping[str, Any], now: Millis) -> Frame:
    """A command was not. Args: as those of `answered`."""
    told = json.dumps(problem, separators=(",", ":")).encode()
    body = b'{"type":"refused","id":%b,"status":%d,"problem":%b,"now":"%b"}'
    return Frame("refused", body % (number, problem["status"], told, _time(now)))


class Ending(NamedTuple):
    """Why the server closes, as a WebSocket close code and in words."""

    close: int
    code: str
    detail: str

    def frame(self) -> Frame:
        body = {"type": "error", "code": self.code, "detail": self.detail}
        return Frame("error", json.dumps(body, separators=(",", ":")).encode())


def _time(now: Millis) -> bytes:
    return rfc3339(now).encode()
