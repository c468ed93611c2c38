"""Clients in Kotlin, Swift and Dart: they generate, every file parses, names are what they were."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients.names import NAMES, listing
from tests.clients.tools import DOCUMENT, GENERATED, generate, read

pytestmark = [pytest.mark.contracts, pytest.mark.timeout(300)]

LANGUAGES = tuple(GENERATED)


@pytest.fixture(scope="module")
def seen(generated: dict[str, Path]) -> dict[str, dict[str, Any]]:
    return {language: read(language, folder) for language, folder in generated.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_generated_file_parses(language: str, seen: dict[str, dict[str, Any]]) -> None:
    assert seen[language]["faults"] == []
    assert seen[language]["files"] > len(operation_ids(document()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_is_there_by_its_own_name(
    language: str, seen: dict[str, dict[str, Any]]
) -> None:
    named = [name for names in seen[language]["operations"].values() for name in names]
    assert sorted(named) == sorted(camel(name) for name in operation_ids(document()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_operations_and_enums_are_called_what_they_were(
    language: str, seen: dict[str, dict[str, Any]]
) -> None:
    assert listing(seen[language]) == (NAMES / f"{language}.txt").read_text(), (
        f"the {language} client's names changed: if they should, run `make client-names`, "
        "review the diff, and rate it as docs/versioning.md says"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_file_is_found(language: str, tmp_path: Path) -> None:
    broken = {"kotlin": "class A {", "swift": "struct A { let x: = 1 }", "dart": "class A { = }"}
    sound = {"kotlin": "class A", "swift": "struct A { let x = 1 }", "dart": "class A {}"}
    suffix = {"kotlin": ".kt", "swift": ".swift", "dart": ".dart"}[language]
    path = tmp_path / "deep" / f"a{suffix}"
    path.parent.mkdir()
    path.write_text(sound[language] + "\n")
    assert read(language, tmp_path)["faults"] == []
    path.write_text(sound[language].replace("A", "B") + "\n" + broken[language] + "\n")
    assert [fault.split(":")[0] for fault in read(language, tmp_path)["faults"]] == [
        f"deep/a{suffix}"
    ]


def test_a_renamed_operation_and_an_enum_s_new_value_change_the_names(tmp_path: Path) -> None:
    small = small_document()
    other = copy.deepcopy(small)
    other["paths"]["/roll"]["post"]["operationId"] = "throw_dice"
    other["components"]["schemas"]["Die"]["properties"]["state"]["enum"].append("lost")
    before, after = (names_of(d, tmp_path / n) for d, n in ((small, "before"), (other, "after")))
    for language in LANGUAGES:
        gone = set(before[language].splitlines()) - set(after[language].splitlines())
        new = set(after[language].splitlines()) - set(before[language].splitlines())
        assert len(gone) == len(new) == 2, language
        assert any("roll()" in line for line in gone)
        assert any("throwDice()" in line for line in new)
        assert any("=lost" in line for line in new)


def names_of(document: dict[str, Any], folder: Path) -> dict[str, str]:
    folder.mkdir()
    path = folder / "openapi.json"
    path.write_text(json.dumps(document))
    return {lang: listing(read(lang, out)) for lang, out in generate(path, folder).items()}


def small_document() -> dict[str, Any]:
    die = {
        "type": "object",
        "properties": {"state": {"type": "string", "enum": ["free", "locked"]}},
        "required": ["state"],
    }
    ok = {
        "description": "ok",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Die"}}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/roll": {"post": {"tags": ["dice"], "operationId": "roll", "responses": {"200": ok}}}
        },
        "components": {"schemas": {"Die": die}},
    }


def document() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(DOCUMENT.read_text())
    return read


def operation_ids(document: dict[str, Any]) -> list[str]:
    operations = (o for path in document["paths"].values() for o in path.values())
    return [o["operationId"] for o in operations if isinstance(o, dict) and "operationId" in o]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
