"""
A run's tables in a page: `--markdown docs/performance.md`.

What stands between `<!-- bench: NAME -->` and `<!-- /bench -->` is a section's, and is written anew
by each run that measures it; the rest of the page is its writer's. A section without a place gets
one at the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_PLACE = re.compile(r"<!-- bench: (\S+) -->\n.*?<!-- /bench -->", re.DOTALL)


def filled(page: str, found: Mapping[str, str]) -> str:
    """
    The page, what was found of each section in its place.

    Args:
        found: Markdown by the name of its section.
    """
    places = {match[1] for match in _PLACE.finditer(page)}
    page = _PLACE.sub(
        lambda match: place(match[1], found[match[1]]) if match[1] in found else match[0], page
    )
    new = [place(name, text) for name, text in found.items() if name not in places]
    return "\n\n".join([page.rstrip("\n"), *new]).lstrip("\n") + "\n"


def section(page: str, name: str) -> str:
    """What stands there; empty where nothing does."""
    return next((match[0] for match in _PLACE.finditer(page) if match[1] == name), "")


def place(name: str, text: str) -> str:
    return f"<!-- bench: {name} -->\n\n{text.strip()}\n\n<!-- /bench -->"


def read(path: Path) -> str:
    """The page; empty where there is none yet."""
    return path.read_text("utf-8") if path.exists() else ""


def write(path: Path, found: Mapping[str, str]) -> None:
    """Into the page, or a new one."""
    path.write_text(filled(read(path), found), "utf-8")
