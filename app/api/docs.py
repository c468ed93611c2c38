"""The docs site, the reference of every call, the document: nothing is loaded from elsewhere."""

from __future__ import annotations

import asyncio
import functools
import gzip
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fastapi import Request
from starlette.responses import Response

from app.api.edge.answers import takes_gzip
from app.api.refusals import RouteNotFound
from app.api.routing import api_router
from app.parts import parts_of
from app.site.assets import ASSETS, INDEX, asset

if TYPE_CHECKING:
    from app.main import Hotdice
    from app.site.site import Site

router = api_router("server")

T = TypeVar("T")

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_REFERENCE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Every call · Hotdice</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="api/swagger-ui.css">
</head>
<body>
<p><a href="./">Hotdice: all pages</a></p>
<div id="docs"></div>
<noscript>This page needs scripts; the document itself is at /openapi.json.</noscript>
<script src="api/swagger-ui-bundle.js"></script>
<script src="api/start.js" data-document="DOCUMENT"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: new URL(document.currentScript.dataset.document, location.href).href,
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""
_SWAGGER = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
}
_FOR_A_DAY = {"Cache-Control": "max-age=86400", "Vary": "Accept-Encoding"}


def reference(document: str) -> bytes:
    """The page of every call; `document` is where the OpenAPI document is, from there."""
    return _REFERENCE.replace("DOCUMENT", document).encode()


def reference_files() -> dict[str, bytes]:
    """The files of that page, by name."""
    return {"start.js": _START.encode(), **{name: swagger(name) for name in _SWAGGER}}


@functools.cache
def _packed(name: str) -> bytes:
    return gzip.compress(swagger(name), mtime=0)


@functools.cache
def swagger(name: str) -> bytes:
    """A file of Swagger UI, from the pinned package that ships it."""
    package = find_spec("fastapi_swagger")  # found, not imported: only its files are of use
    if package is None or package.origin is None:
        raise FileNotFoundError(name)
    return (Path(package.origin).parent / "resources" / name).read_bytes()


@router.get("/openapi.json", include_in_schema=False)
async def openapi_document(request: Request) -> Response:
    """Made, and packed, once: each would hold up the event loop, with every answer."""
    _require_docs(request)
    state = request.app.state
    if getattr(state, "document", None) is None:
        state.document = await _in_turn(request, lambda: _document(request.app))
    text, packed = state.document
    vary = {"Vary": "Accept-Encoding"}
    if _takes_gzip(request):
        headers = {**vary, "Content-Encoding": "gzip"}
        return Response(packed, headers=headers, media_type="application/json")
    return Response(text, headers=vary, media_type="application/json")


def _document(app: Hotdice) -> tuple[bytes, bytes]:
    text = json.dumps(app.openapi(), ensure_ascii=False).encode()
    return text, gzip.compress(text, mtime=0)


def _takes_gzip(request: Request) -> bool:
    return takes_gzip(request.headers.get("accept-encoding", "").encode("latin-1"))


@router.get("/docs", include_in_schema=False)
async def docs_without_slash(request: Request) -> Response:
    """Links of the first page are relative to `/docs/`; so is this one, to work below any path."""
    _require_docs(request)
    return Response(status_code=308, headers={"Location": "docs/"})


@router.get("/docs/", include_in_schema=False)
async def docs_home(request: Request) -> Response:
    return await _page(request, "")


@router.get("/docs/api", include_in_schema=False)
async def docs_of_calls(request: Request) -> Response:
    _require_docs(request)
    headers = {"Content-Security-Policy": CSP}
    return Response(reference("../openapi.json"), headers=headers, media_type="text/html")


@router.get("/docs/api/{name}", include_in_schema=False)
async def docs_of_calls_file(request: Request, name: str) -> Response:
    _require_docs(request)
    if name == "start.js":
        return Response(_START, media_type="text/javascript")
    if name not in _SWAGGER:
        raise RouteNotFound
    if not _takes_gzip(request):
        return Response(swagger(name), headers=_FOR_A_DAY, media_type=_SWAGGER[name])
    headers = {**_FOR_A_DAY, "Content-Encoding": "gzip"}  # once, not with every answer: 30 ms
    return Response(_packed(name), headers=headers, media_type=_SWAGGER[name])


@router.get("/docs/{name}", include_in_schema=False)
async def docs_page(request: Request, name: str) -> Response:
    if name in ASSETS:
        _require_docs(request)
        return Response(asset(name), headers={"Cache-Control": "no-cache"}, media_type=ASSETS[name])
    if name == INDEX:
        _require_docs(request)
        text = await _in_turn(request, _site(request).index)
        return Response(text, media_type="application/json")
    return await _page(request, name)


@router.get("/docs/{name}/", include_in_schema=False)
async def docs_page_with_slash(request: Request, name: str) -> Response:
    """`/docs/errors/` is what one tries; links of a page are relative, so it has one address."""
    _require_docs(request)
    if name not in _site(request).addresses():
        raise RouteNotFound
    return Response(status_code=308, headers={"Location": f"../{name}"})


@router.get("/docs/{folder}/{name}", include_in_schema=False)
async def docs_page_below(request: Request, folder: str, name: str) -> Response:
    return await _page(request, f"{folder}/{name}")


async def _page(request: Request, address: str) -> Response:
    _require_docs(request)
    site = _site(request)
    text = await _in_turn(request, lambda: site.page(address))
    if text is None:
        raise RouteNotFound
    headers = {"Content-Security-Policy": CSP, "Cache-Control": "no-cache"}
    return Response(text, headers=headers, media_type="text/html")


async def _in_turn(request: Request, make: Callable[[], T]) -> T:
    """Made beside the event loop, which a long page would hold up; one at a time."""
    state = request.app.state
    if (lock := getattr(state, "site_lock", None)) is None:
        lock = state.site_lock = asyncio.Lock()
    async with lock:
        return await asyncio.to_thread(make)


def _site(request: Request) -> Site:
    from app.site.site import Site  # with the first page: what it is made with is 10 MiB

    app = request.app
    if (site := getattr(app.state, "site", None)) is None:
        site = app.state.site = Site(app.openapi)
    return site


def _require_docs(request: Request) -> None:
    if not parts_of(request).settings.docs:
        raise RouteNotFound
