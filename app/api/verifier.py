"""The page that checks an export in the player's browser, and its files; one of them runs alone."""

from __future__ import annotations

import functools
from pathlib import Path

from fastapi import Request
from starlette.responses import Response

from app.api.refusals import RouteNotFound
from app.api.routing import api_router

router = api_router("server")

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_FILES = {
    "verify.js": "text/javascript",
    "page.js": "text/javascript",
    "verify.css": "text/css",
}
_PAGES = Path(__file__).parents[1] / "pages"


@functools.cache
def _text(name: str) -> bytes:
    return (_PAGES / name).read_bytes()


@router.get("/verify", include_in_schema=False)
async def verifier_page(request: Request) -> Response:
    headers = {"Content-Security-Policy": _CSP, "Cache-Control": "no-cache"}
    return Response(_text("verify.html"), headers=headers, media_type="text/html")


@router.get("/verify/{name}", include_in_schema=False)
async def verifier_file(request: Request, name: str) -> Response:
    kind = _FILES.get(name)
    if kind is None:
        raise RouteNotFound
    return Response(_text(name), headers={"Cache-Control": "no-cache"}, media_type=kind)
