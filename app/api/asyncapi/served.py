"""The AsyncAPI document over HTTP, beside `/openapi.json`."""

from __future__ import annotations

import asyncio
import json
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


@router.get("/asyncapi.yaml", include_in_schema=False)
async def asyncapi_yaml(request: Request) -> Response:
    return await _served(request, "application/yaml", as_yaml)


@router.get("/asyncapi.json", include_in_schema=False)
async def asyncapi_json(request: Request) -> Response:
    return await _served(request, "application/json", partial(json.dumps, ensure_ascii=False))


async def _served(request: Request, kind: str, written: Callable[[Any], str]) -> Response:
    """Made once, apart from the event loop: that takes a moment."""
    settings, app = parts_of(request).settings, request.app
    if not settings.docs:
        raise RouteNotFound

    def made() -> bytes:
        return written(document(app.openapi(), settings.public_url)).encode()

    async with _making:
        texts: dict[str, bytes] = app.state.__dict__.setdefault("asyncapi", {})
        if kind not in texts:
            texts[kind] = await asyncio.to_thread(made)
    return Response(texts[kind], media_type=kind)
