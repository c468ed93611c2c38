"""uvicorn's HTTP protocol, which shows answers without end the transport that they go out on."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.live.socket import EXTENSION


class HotdiceHttp(HttpToolsProtocol):
    """Passes the transport to the application in `scope["extensions"]["hotdice"]`."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {EXTENSION: self.transport}  # type: ignore[dict-item]
