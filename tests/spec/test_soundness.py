"""Who generates a client from the document, and never sees this code, gets a good one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from tests.spec.soundness import RULES
from tests.spec.unsound import UNSOUND, sound, with_one_fault

FILE = Path(__file__).parents[2] / "openapi" / "openapi.json"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", RULES)
def test_the_document_keeps_every_rule(document: dict[str, Any], name: str) -> None:
    assert list(RULES[name](document)) == []


@pytest.mark.parametrize("name", RULES)
def test_a_sound_document_breaks_no_rule(name: str) -> None:
    assert list(RULES[name](sound())) == []


@pytest.mark.parametrize(("name", "place", "wrong"), UNSOUND)
def test_what_is_unsound_is_caught(name: str, place: tuple[str, ...], wrong: Any) -> None:
    assert list(RULES[name](with_one_fault(place, wrong)))


def test_every_rule_has_something_to_catch() -> None:
    assert {name for name, _, _ in UNSOUND} == set(RULES)


def test_the_sound_document_is_a_valid_one() -> None:
    validate({**sound(), "info": {"title": "things", "version": "1"}})
