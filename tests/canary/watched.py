"""
An application whose answers are looked at on their way out: for secrets, and for whether each is as
the document says.
"""

from __future__ import annotations

import json
import zlib

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.asyncapi.checked import FRAMES, Undocumented
from tests.canary.canary import CANARY, Canary
from tests.spec.answers import Answered, spec


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
        status = 0
        told: dict[str, str] = {}
        # An escape leads nowhere, whatever the path would be without it.
        known = scope["type"] == "http" and b"%" not in scope.get("raw_path", b"")

        async def sent(message: Message) -> None:
            nonlocal packed, status, told
            kind = message["type"]
            if kind == "http.response.start":
                headers = message["headers"]
                packed = (b"content-encoding", b"gzip") in headers
                status = message["status"]
                told = {name.decode(): value.decode("latin-1") for name, value in headers}
                self._canary.look(b"\n".join(b": ".join(h) for h in headers), f"headers of {where}")
            elif kind == "http.response.body":
                body.append(message.get("body", b""))
                if not message.get("more_body"):
                    whole = b"".join(body)
                    unpacked = zlib.decompress(whole, 31) if packed and whole else whole
                    self._canary.answered(unpacked, f"the answer to {where}")
                    if known:
                        asked = scope["method"], scope["path"]
                        spec().look(Answered(*asked, status, told, unpacked))
                    body.clear()
            elif kind == "websocket.send":
                data = message.get("bytes") or (message.get("text") or "").encode()
                self._canary.look(data, f"a frame of {where}")
                try:
                    FRAMES.check(json.loads(data), scope["path"])
                except Undocumented as fault:  # the application might pass over it
                    spec().faults.append(str(fault))
            await send(message)

        await self._app(scope, receive, sent)
