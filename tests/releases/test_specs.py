"""Today's documents against those of the last release: the version says how much has changed."""

from __future__ import annotations

import copy
import tomllib

import pytest

from app import VERSION
from tests.releases.compatibility.asyncapi import compare_asyncapi
from tests.releases.compatibility.findings import Level
from tests.releases.compatibility.openapi import compare_openapi
from tests.releases.specs import (
    DOCUMENTS,
    OPENAPI,
    RELEASED,
    changed,
    fits,
    read,
    release,
    releases,
)

KEPT = ["0.1.0"]
"""All releases, in order: none of their documents may go."""


def test_the_documents_of_every_release_are_there() -> None:
    assert releases() == KEPT
    for version in KEPT:
        for name in DOCUMENTS:
            assert read(RELEASED / version / name)["info"]["version"] == version


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((OPENAPI.parent / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
    for name in DOCUMENTS:
        assert read(OPENAPI / name)["info"]["version"] == VERSION


def test_the_version_is_what_the_changes_demand() -> None:
    last = releases()[-1]
    found = changed(RELEASED / last)
    told = "\n".join(map(str, found[:40]))
    assert fits(VERSION, last, found.level), (
        f"raise the version, or remove openapi/released/{last} and `make release-spec` while that "
        f"is not released (docs/versioning.md): since {last} this has changed:\n{told}"
    )


def test_a_break_of_today_s_calls_demands_a_version() -> None:
    document = read(OPENAPI / DOCUMENTS[0])
    broken = copy.deepcopy(document)
    del broken["components"]["schemas"]["GameView"]["properties"]["legal"]
    found = compare_openapi(document, broken)
    assert "breaking: GameView/legal: is gone" in map(str, found)
    assert not fits("0.1.9", "0.1.0", found.level)
    assert fits("0.2.0", "0.1.0", found.level)


def test_a_break_of_today_s_streams_demands_a_version() -> None:
    document = read(OPENAPI / DOCUMENTS[1])
    broken = copy.deepcopy(document)
    del broken["components"]["schemas"]["StateMessage"]["properties"]["version"]
    assert compare_asyncapi(document, broken).level == Level.BREAKING
    assert compare_asyncapi(document, document).level == Level.NONE


def test_documents_of_a_release_are_never_written_anew() -> None:
    with pytest.raises(SystemExit, match="never written anew"):
        release(KEPT[0])
