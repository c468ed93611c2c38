"""An operation of the document as the framework writes it, made true."""

from __future__ import annotations

import re
from typing import Any

from app.api.answer_headers import headers_of
from app.api.calls import JSON_TYPE
from app.api.examples import add_examples
from app.api.links import links_of
from app.api.operations import ANSWERS
from app.api.render import MINIMAL_TYPE
from app.api.schema_forms import put_right
from app.api.schemas.options import PRESET, REFS

_SENTENCE = re.compile(r"(.+?)\.(?=\s|$)(.*)", re.DOTALL)
_ENUM_OF = {"preset": PRESET}
"""Parameters of a query that are one of a list which ships as files."""


def correct(operation: dict[str, Any]) -> None:
    """Changes it in place: summary, parameters, answers with their headers, forms and links."""
    _say(operation)
    prefers = False
    for parameter in operation.get("parameters", ()):
        _parameter(parameter)
        prefers = prefers or parameter["name"] == "Prefer"
    answers = operation["responses"]
    refused = answers.get("422", {}).get("content", {}).get(JSON_TYPE, {})
    if refused.get("schema", {}).get("$ref", "").endswith("HTTPValidationError"):
        del answers["422"]  # the framework's own shape, which is never sent
    operation["responses"] = dict(sorted(answers.items()))
    carries = operation.pop(ANSWERS)
    for status, answer in operation["responses"].items():
        _answer(operation["operationId"], int(status), answer, carries, prefers=prefers)
    add_examples(operation)


def _say(operation: dict[str, Any]) -> None:
    """The first sentence is the summary, what follows the description."""
    text = " ".join(operation.pop("description", "").split(" "))
    found = _SENTENCE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{operation['operationId']} says nothing of itself")
    operation["summary"] = " ".join(found[1].split())
    if rest := found[2].strip():
        operation["description"] = rest


def _parameter(parameter: dict[str, Any]) -> None:
    """
    What is left out of an address is not null there. Bounds of a number that is read by ourselves
    come under the validator's words, beside its type or around it.
    """
    schema = parameter["schema"]
    for choice in schema.pop("anyOf", ()):
        if choice != {"type": "null"}:
            schema.update(choice)
    for theirs, ours in (("ge", "minimum"), ("le", "maximum")):
        if theirs in schema:
            schema.setdefault(ours, schema.pop(theirs))
    schema.pop("description", None)
    if parameter["in"] == "query" and parameter["name"] in _ENUM_OF:
        schema = {"$ref": REFS + _ENUM_OF[parameter["name"]]}
    put_right(schema)
    parameter["schema"] = schema


def _answer(
    name: str, status: int, answer: dict[str, Any], carries: dict[str, Any], *, prefers: bool
) -> None:
    headers = {**headers_of(status, **carries), **answer.get("headers", {})}
    answer["headers"] = dict(sorted(headers.items()))
    content = answer.get("content", {})
    for kind in content.values():
        put_right(kind.get("schema"))
    if status >= 300:
        return
    if prefers and JSON_TYPE in content:
        content[MINIMAL_TYPE] = {"schema": {"$ref": REFS + "Minimal"}}
    if links := links_of(name):
        answer["links"] = links
