"""Where the pages come from, which address each has, and in which order they are read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1]

HOME = ""
ERRORS = "errors"
"""The page of all codes; each code has one below it."""
API = "api"
MESSAGES = "messages"
"""The page of all that streams say; like that of codes made from what answers."""
CODE = {".py": "python", ".js": "javascript", ".html": "html", ".sh": "sh"}
"""Examples that are shown as pages of their own, and the language of each."""

_ELSEWHERE = {
    "README.md": HOME,
    "docs/README.md": HOME,
    "docs/decisions/README.md": "decisions",
    "examples/README.md": "examples",
    "benchmarks/README.md": "benchmarks",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "docs/errors.toml": ERRORS,
    "openapi/openapi.json": API,
    "openapi/asyncapi.yaml": MESSAGES,
}


class Chapter(NamedTuple):
    title: str
    pages: tuple[str, ...]
    """Addresses."""


def files() -> Path:
    """The folder with docs/ and examples/: a checkout's, or the one a wheel brings."""
    packed = PACKAGE / "_handbook"
    return packed if packed.is_dir() else PACKAGE.parent


def address_of(path: str) -> str | None:
    """Address of the page made of a file, `docs/rules.md` say; None where none is."""
    if path in _ELSEWHERE:
        return _ELSEWHERE[path]
    folder, _, name = path.rpartition("/")
    if folder == "examples" and Path(name).suffix in CODE:
        return path
    if name.endswith(".md") and (folder == "docs" or folder.startswith("docs/")):
        return path.removeprefix("docs/").removesuffix(".md")
    return None


def pages_in(root: Path) -> dict[str, Path]:
    """Every page made of a file, by address."""
    found = [*sorted(root.glob("docs/**/*.md")), *sorted(root.glob("examples/*"))]
    found += [root / name for name in ("benchmarks/README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    named = {address_of(p.relative_to(root).as_posix()): p for p in found if p.is_file()}
    return {address: path for address, path in named.items() if address is not None}


def chapters(root: Path) -> tuple[Chapter, ...]:
    """As `docs/chapters.toml` has them."""
    told = tomllib.loads((root / "docs" / "chapters.toml").read_text("utf-8"))
    return tuple(Chapter(each["title"], tuple(each["pages"])) for each in told["chapter"])
