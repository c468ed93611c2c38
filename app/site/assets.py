"""What pages share, as files of their own."""

from __future__ import annotations

from app.site.sources import PACKAGE

ASSETS = {
    "style.css": "text/css",
    "search.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
INDEX = "search.json"
_FOLDER = PACKAGE / "pages" / "docs"


def asset(name: str) -> bytes:
    """One of `ASSETS`."""
    return (_FOLDER / name).read_bytes()
