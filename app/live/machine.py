"""The protocol machine of a WebSocket: it counts frames, and keeps to itself what a peer sent."""

from __future__ import annotations

from http import HTTPStatus
from types import GeneratorType
from typing import TypeAlias, cast

from websockets.exceptions import InvalidHeader
from websockets.http11 import Request, Response
from websockets.protocol import Event
from websockets.server import ServerProtocol
from websockets.streams import StreamReader
from websockets.utils import apply_mask

_VERSION = "Sec-WebSocket-Version"
_SPOKEN = "13"

_TEXT = 0x81
"""FIN, and the opcode of text (RFC 6455, 5.2)."""
_MASKED, _SHORT, _HEAD = 0x80, 125, 6
"""The second byte, the longest payload whose length stands in it, and all that is before it."""
_BETWEEN = StreamReader.at_eof.__code__


_Parser: TypeAlias = "GeneratorType[None, None, None]"


class Machine(ServerProtocol):
    frames = 0
    """That came, pings and pieces of messages too; whoever asks sets it back."""

    def accept(self, request: Request) -> Response:
        response = super().accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            response.body = b"This is no WebSocket handshake.\n"
            del response.headers["Content-Length"]
            response.headers["Content-Length"] = str(len(response.body))
            why = self.handshake_exc
            if (
                isinstance(why, InvalidHeader)
                and why.name == _VERSION
                and _VERSION in request.headers
            ):
                response.status_code = HTTPStatus.UPGRADE_REQUIRED  # RFC 6455, 4.2.2
                response.reason_phrase = HTTPStatus.UPGRADE_REQUIRED.phrase
                response.headers["Upgrade"] = "websocket"
                response.headers[_VERSION] = _SPOKEN
        return response

    def short_text(self, data: bytes) -> bytes | None:
        """
        The text in these bytes, where they are one whole short message and nothing else is under
        way, as with nearly every command; None where `receive_data` has to take them, which takes
        several times as long.
        """
        if len(data) < _HEAD or data[0] != _TEXT or len(data) - _HEAD != data[1] - _MASKED:
            return None
        if data[1] - _MASKED > _SHORT or self.current_size is not None:
            return None
        if not self._is_between_frames():
            return None
        self.frames += 1
        return apply_mask(data[_HEAD:], data[2:_HEAD])

    def _is_between_frames(self) -> bool:
        """Whether the parser waits for the first byte of a frame."""
        parser = cast("_Parser", self.parser)
        while (inner := parser.gi_yieldfrom) is not None:
            parser = cast("_Parser", inner)
        return parser.gi_code is _BETWEEN

    def events_received(self) -> list[Event]:
        events = super().events_received()
        self.frames += len(events)
        return events
