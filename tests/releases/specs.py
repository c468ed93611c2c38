"""
The documents of each release, and how much today's differ from the last one's.

    python -m tests.releases.specs           what changed since the last release, what it demands
    python -m tests.releases.specs release   keep today's documents as those of this version, once
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from app import VERSION
from tests.releases.compatibility.asyncapi import compare_asyncapi
from tests.releases.compatibility.findings import Findings, Level
from tests.releases.compatibility.openapi import compare_openapi
from tests.releases.compatibility.versions import demanded, version_of

OPENAPI = Path(__file__).parents[2] / "openapi"
RELEASED = OPENAPI / "released"
DOCUMENTS = ("openapi.json", "asyncapi.yaml")


def releases() -> list[str]:
    """All that were, the last one at the end."""
    return sorted((folder.name for folder in RELEASED.iterdir()), key=version_of)


def read(path: Path) -> dict[str, Any]:
    text = path.read_text("utf-8")
    data: dict[str, Any] = (
        json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)
    )
    return data


def changed(since: Path, now: Path = OPENAPI) -> Findings:
    """All that differs in today's documents, worst first; the same thing is told once."""
    found = Findings()
    for name, compare in zip(DOCUMENTS, (compare_openapi, compare_asyncapi), strict=True):
        found += compare(read(since / name), read(now / name))
    return Findings(sorted(set(found), key=lambda each: (-each.level, each)))


def fits(version: str, last: str, level: Level) -> bool:
    """Whether this version may follow the last release with a change of this level."""
    return version_of(version) >= demanded(version_of(last), level)


def release(version: str = VERSION) -> None:
    folder = RELEASED / version
    if folder.exists():
        raise SystemExit(f"{folder} is there: documents of a release are never written anew")
    folder.mkdir(parents=True)
    for name in DOCUMENTS:
        shutil.copy(OPENAPI / name, folder)
    sys.stdout.write(f"{folder}: {', '.join(DOCUMENTS)}\n")


def tell() -> None:
    last = releases()[-1]
    found = changed(RELEASED / last)
    version = ".".join(map(str, demanded(version_of(last), found.level)))
    sys.stdout.write("".join(f"{finding}\n" for finding in found))
    sys.stdout.write(f"since {last}: {found.level.name.lower()}; demands {version}, is {VERSION}\n")
    if not fits(VERSION, last, found.level):
        raise SystemExit(f"raise the version to {version} in app/__init__.py and pyproject.toml")


if __name__ == "__main__":
    release() if sys.argv[1:] == ["release"] else tell()
