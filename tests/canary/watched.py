"""An application whose answers are looked at on their way out."""

from __future__ import annotations

import zlib

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.canary.canary import CANARY, Canary


class Watched:
    def __init__(self, app: ASGIApp, canary: Canary = CANARY) -> None:
        self._app = app
        self._canary = canary

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        where = f"{scope.get('method', 'stream')} {scope['path']}"
        body: list[bytes] = []
        packed = False

        async def sent(message: Message) -> None:
            nonlocal packed
            kind = message["type"]
            if kind == "http.response.start":
                headers = message["headers"]
                packed = (b"content-encoding", b"gzip") in headers
                self._canary.look(b"\n".join(b": ".join(h) for h in headers), f"headers of {where}")
            elif kind == "http.response.body":
                body.append(message.get("body", b""))
                if not message.get("more_body"):
                    whole = b"".join(body)
                    unpacked = zlib.decompress(whole, 31) if packed and whole else whole
                    self._canary.answered(unpacked, f"the answer to {where}")
                    body.clear()
            elif kind == "websocket.send":
                data = message.get("bytes") or (message.get("text") or "").encode()
                self._canary.look(data, f"a frame of {where}")
            await send(message)

        await self._app(scope, receive, sent)
