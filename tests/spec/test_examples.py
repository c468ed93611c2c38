"""The examples of the document are what the real server answers, and fit what is told of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.api.problem_schemas import schema_name
from app.api.problems import CODES
from tests.spec.answers import Spec, spec
from tests.spec.reading import operations, references, resolved
from tests.spec.record import FILE, recorded, written


@pytest.fixture(scope="module")
def judge() -> Spec:
    return Spec(spec().document)


@pytest.mark.wide
async def test_the_examples_are_what_a_run_of_the_server_answers(tmp_path: Path) -> None:
    """Sent again, each request of an example gets its answer; `make spec` writes them anew."""
    again = await recorded(tmp_path, spec().document)
    assert written(again) == FILE.read_text("utf-8")


def test_every_operation_has_an_example_of_each_success() -> None:
    for operation in operations(spec().document):
        for status, answer in operation.says["responses"].items():
            content = answer.get("content", {})
            if status < "300":
                for media, kind in content.items():
                    assert kind.get("examples"), f"{operation.name} {status} {media}"


def test_every_body_has_an_example_but_where_there_is_nothing_to_say() -> None:
    for operation in operations(spec().document):
        body = operation.says.get("requestBody")
        if body is not None:
            assert body["content"]["application/json"].get("examples"), operation.name


def test_every_example_fits_its_schema(judge: Spec) -> None:
    seen = 0
    for operation in operations(spec().document):
        for told in [operation.says.get("requestBody", {}), *operation.says["responses"].values()]:
            for media, content in told.get("content", {}).items():
                for name, example in content.get("examples", {}).items():
                    seen += 1
                    value = resolved(spec().document, example)["value"]
                    where = f"{operation.name} {media} {name}"
                    assert list(judge.faults_of(content["schema"], value, where)) == []
        for parameter in operation.says.get("parameters", ()):
            if "example" in parameter:
                where = f"{operation.name} {parameter['name']}"
                value = parameter["example"]
                assert list(judge.faults_of(parameter["schema"], value, where)) == []
    assert seen > 1000


@pytest.mark.parametrize("code", CODES)
def test_every_code_that_is_answered_has_an_example(judge: Spec, code: str) -> None:
    document = spec().document
    answered = f"#/components/schemas/{schema_name(code)}" in {*references(document["paths"])}
    example: Any = document["components"]["examples"].get(code)
    assert answered == (example is not None)
    if example is not None:
        assert example["value"]["code"] == code
        assert "{" not in example["value"]["detail"]
        ref = {"$ref": f"#/components/schemas/{schema_name(code)}"}
        assert list(judge.faults_of(ref, example["value"], code)) == []
