"""
Examples of the OpenAPI document: what was asked in a recorded run of the server, and answered.

`make spec` records them anew (tests/spec/scenario.py). Problems are made here by what makes those
that are sent.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from app.api import problems
from app.api.problem_schemas import schema_name
from app.api.refusals import BadPart, InvalidRequest
from app.rulebook import Rulebook
from engine.errors import BrokenHistory, Fault, Malformed

REFS = "#/components/examples/"

_GIVEN = ("path", "query", "headers")
_FACTS: dict[str, Any] = {
    "current_version": 42,
    "dice": [4],
    "dice_to_roll": 3,
    "epoch": 0,
    "failed_attempts": 2,
    "feature": "notices",
    "limit": 10,
    "needed": 6,
    "offered": 350,
    "presets": list(Rulebook.shipped().presets),
    "retry_after_s": 3,
    "scripted": 5,
    "seat": 1,
    "seat_to_move": 0,
    "seats": 2,
    "target": 10_000,
}
_FACTS_OF: dict[str, dict[str, Any]] = {
    "below_opening": {"needed": 500},
    "over_target": {"offered": 10_150},
    "scope_missing": {"needed": "play"},
    "seats_contribute": {"seats": [0]},
    "seats_empty": {"seats": [1]},
    "too_few_seats": {"needed": 3},
    "too_large": {"needed": 9_000_000, "limit": 4_000_000},
    "body_too_large": {"limit": 16_384},
}
"""Where the facts of a code are other ones, so that its sentence is a likely one."""


@cache
def _recorded() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(
        files("app.api").joinpath("examples.json").read_text("utf-8")
    )
    return found


def add_examples(operation: dict[str, Any]) -> None:
    """Puts those of an operation beside its parameters, its body and its answers, in place."""
    shown: set[str] = set()
    for example in _recorded().get(operation["operationId"], ()):
        name = _name(example["summary"])
        told = {"summary": example["summary"]}
        given = {
            **example.get("path", {}),
            **example.get("query", {}),
            **example.get("headers", {}),
        }
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in given and parameter["name"] not in shown:
                shown.add(parameter["name"])
                parameter["example"] = given[parameter["name"]]
        if "body" in example:
            content = operation["requestBody"]["content"]["application/json"]
            content.setdefault("examples", {})[name] = {**told, "value": example["body"]}
        if "answer" in example:
            content = operation["responses"][str(example["status"])]["content"][example["media"]]
            content.setdefault("examples", {})[name] = {**told, "value": example["answer"]}
    for status, answer in operation["responses"].items():
        if status >= "400":
            _of_problems(answer["content"][problems.MEDIA_TYPE])


def _of_problems(content: dict[str, Any]) -> None:
    schema = content["schema"]
    mapped = schema.get("discriminator", {}).get("mapping", {})
    codes = [*mapped] or [_code(schema["$ref"])]
    content["examples"] = {code: {"$ref": REFS + code} for code in codes}


def problem_examples(paths: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """One of each code that some of these operations answers with, by code."""
    text = json.dumps(paths)
    return {
        code: {"summary": body["title"], "value": body}
        for code in problems.CODES
        if f'"{REFS}{code}"' in text
        for body in [problems.problem_of(_example_of(code))]
    }


def _example_of(code: str) -> Exception:
    kind = problems.CODES[code][1]
    if issubclass(kind, Malformed):
        faults = (Fault("/rules/options/target", "out_of_range", "Must be 1 to 10000000."),)
        return kind(faults)
    if issubclass(kind, InvalidRequest):
        return kind((BadPart("missing", "This is required.", pointer="/rules"),))
    if issubclass(kind, BrokenHistory):
        return kind()
    facts = {**_FACTS, **_FACTS_OF.get(code, {})}
    return kind(**{name: facts[name] for name in problems.facts_of(code)})


def _code(ref: str) -> str:
    """The code that a schema is named after."""
    return next(code for code in problems.CODES if ref.endswith("/" + schema_name(code)))


def _name(summary: str) -> str:
    return "_".join("".join(c if c.isalnum() else " " for c in summary.lower()).split())
