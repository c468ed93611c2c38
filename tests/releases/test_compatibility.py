"""Changes of the documents are rated: every break is caught, and what is harmless is not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.releases.compatibility.asyncapi import compare_asyncapi
from tests.releases.compatibility.findings import Document, Findings, Level
from tests.releases.compatibility.openapi import compare_openapi
from tests.releases.compatibility.versions import demanded, version_of

CASES = json.loads((Path(__file__).parent / "compatibility" / "cases.json").read_text())
COMPARE: dict[str, Callable[[Any, Any], Findings]] = {
    "openapi": compare_openapi,
    "asyncapi": compare_asyncapi,
}


def changed(base: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """The base with what the case does to it; each place is a JSON pointer."""
    new = copy.deepcopy(base)
    for pointer, value in case.get("append", {}).items():
        Document(new).at("#" + pointer).append(value)
    for pointer, value in case.get("set", {}).items():
        parent, _, name = pointer.rpartition("/")
        place = Document(new).at("#" + parent) if parent else new
        place[name.replace("~1", "/")] = value
    for pointer in case.get("remove", ()):
        parent, _, name = pointer.rpartition("/")
        place = Document(new).at("#" + parent)
        del place[int(name) if isinstance(place, list) else name.replace("~1", "/")]
    for old, called in case.get("rename", {}).items():
        new = json.loads(
            json.dumps(new).replace(f'/{old}"', f'/{called}"').replace(f'"{old}":', f'"{called}":')
        )
    return new


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(kind, case, id=f"{kind}: {case['name']}")
        for kind in CASES
        for case in CASES[kind]["cases"]
    ],
)
def test_a_change_is_rated(kind: str, case: dict[str, Any]) -> None:
    base = CASES[kind]["base"]
    new = changed(base, case)
    assert (new == base) == (case["name"] == "nothing changes")
    found = COMPARE[kind](base, new)
    told = "\n".join(map(str, found))
    assert found.level == Level[case["level"].upper()], told
    assert case.get("says", "") in told


@pytest.mark.parametrize(
    ("last", "level", "version"),
    [
        ("0.1.0", Level.NONE, "0.1.0"),
        ("0.1.0", Level.ADDED, "0.1.1"),
        ("0.1.7", Level.BREAKING, "0.2.0"),
        ("1.4.2", Level.NONE, "1.4.2"),
        ("1.4.2", Level.ADDED, "1.5.0"),
        ("1.4.2", Level.BREAKING, "2.0.0"),
    ],
)
def test_a_change_demands_a_version(last: str, level: Level, version: str) -> None:
    assert demanded(version_of(last), level) == version_of(version)
