"""The document and a page to read and try it: all assets are served from here, none from a CDN."""

from __future__ import annotations

import functools
import gzip
import json
from importlib.util import find_spec
from pathlib import Path

from fastapi import Request
from starlette.responses import Response

from app.api.refusals import RouteNotFound
from app.api.routing import api_router
from app.parts import parts_of

router = api_router("server")

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hotdice API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs scripts; the document itself is at /openapi.json.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START = """window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""
_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}


@functools.cache
def _packed(name: str) -> bytes:
    return gzip.compress(asset(name), mtime=0)


@functools.cache
def asset(name: str) -> bytes:
    """A file of Swagger UI, from the pinned package that ships it."""
    package = find_spec("fastapi_swagger")  # found, not imported: only its files are of use
    if package is None or package.origin is None:
        raise FileNotFoundError(name)
    return (Path(package.origin).parent / "resources" / name).read_bytes()


@router.get("/openapi.json", include_in_schema=False)
async def openapi_document(request: Request) -> Response:
    _require_docs(request)
    app = request.app
    if (text := getattr(app.state, "document", None)) is None:
        text = app.state.document = json.dumps(app.openapi(), ensure_ascii=False).encode()
    return Response(text, media_type="application/json")


@router.get("/docs", include_in_schema=False)
async def docs_page(request: Request) -> Response:
    _require_docs(request)
    return Response(_PAGE, headers={"Content-Security-Policy": _CSP}, media_type="text/html")


@router.get("/docs/{name}", include_in_schema=False)
async def docs_asset(request: Request, name: str) -> Response:
    _require_docs(request)
    if name == "start.js":
        return Response(_START, media_type="text/javascript")
    kind = _ASSETS.get(name)
    if kind is None:
        raise RouteNotFound
    headers = {"Cache-Control": "max-age=86400", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset(name), headers=headers, media_type=kind)
    headers["Content-Encoding"] = "gzip"  # once, not with every answer: it takes 30 ms
    return Response(_packed(name), headers=headers, media_type=kind)


def _require_docs(request: Request) -> None:
    if not parts_of(request).settings.docs:
        raise RouteNotFound
