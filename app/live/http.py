"""uvicorn's HTTP protocol, which lets an answer without end cut off a client that reads no more."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.live.socket import EXTENSION


class HotdiceHttp(HttpToolsProtocol):
    """Passes the transport's `abort` to the application in `scope["extensions"]["hotdice"]`."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {EXTENSION: self.transport.abort}  # type: ignore[dict-item]
