"""The protocol machine of a WebSocket: it counts frames, and keeps to itself what a peer sent."""

from __future__ import annotations

from http import HTTPStatus

from websockets.exceptions import InvalidHeader
from websockets.http11 import Request, Response
from websockets.protocol import Event
from websockets.server import ServerProtocol

_VERSION = "Sec-WebSocket-Version"
_SPOKEN = "13"


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

    def events_received(self) -> list[Event]:
        events = super().events_received()
        self.frames += len(events)
        return events
