"""The AsyncAPI document over HTTP, beside `/openapi.json`."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.api.asyncapi import as_yaml, document
from app.api.refusals import RouteNotFound
from app.api.routing import api_router
from app.parts import parts_of

router = api_router("server")

_making = asyncio.Lock()
_HERE = "here.invalid"
"""Stands for the host that a request was meant for, in a text that is made once."""
_ITS_PLACE = re.compile(rf'"?{re.escape(_HERE)}"?'.encode())


@router.get("/asyncapi.yaml", include_in_schema=False)
async def asyncapi_yaml(request: Request) -> Response:
    return await _served(request, "application/yaml", as_yaml)


@router.get("/asyncapi.json", include_in_schema=False)
async def asyncapi_json(request: Request) -> Response:
    return await _served(request, "application/json", partial(json.dumps, ensure_ascii=False))


async def _served(request: Request, kind: str, written: Callable[[Any], str]) -> Response:
    """
    Made once, apart from the event loop: that takes a moment. Where no setting says under which
    address the server is published, it names the one it was asked under; of TLS that ends before
    this process it does not know.
    """
    settings, app = parts_of(request).settings, request.app
    if not settings.docs:
        raise RouteNotFound

    scheme: str = request.scope["scheme"]
    address = settings.public_url or f"{scheme}://{_HERE}"

    def made() -> bytes:
        return written(document(app.openapi(), address)).encode()

    async with _making:
        texts: dict[tuple[str, str], bytes] = app.state.__dict__.setdefault("asyncapi", {})
        if (kind, scheme) not in texts:
            texts[kind, scheme] = await asyncio.to_thread(made)
    host = json.dumps(request.headers["host"]).encode()  # in YAML a string is one, too
    text = _ITS_PLACE.sub(lambda _: host, texts[kind, scheme])
    return Response(text, media_type=kind)
