"""
A page for every code a refusal can have: what it means, its facts, an answer, what to do.

The words are those of `docs/errors.toml`; status, sentence and example come from the code that
answers, and who can answer so from the OpenAPI document.
"""

from __future__ import annotations

import functools
import json
import tomllib
from html import escape
from http import HTTPStatus
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from app.api.problem_schemas import schema_name
from app.api.problems import CODES, problem_of
from app.api.refusals import BadPart, InvalidRequest
from engine.errors import Fault, Malformed

Json = dict[str, Any]

EVERYWHERE = 0.9
"""Of all operations: a code that so many can answer is said to be any call's."""


class Told(NamedTuple):
    """What the file says of one code."""

    means: str
    remedy: str
    facts: dict[str, tuple[Any, str]]
    """Of each fact an example, and what it is."""
    errors: list[dict[str, str]]
    """Of a malformed request: an example of what is found."""
    faults: dict[str, str]
    """And what each kind of fault means, by its code."""


@functools.cache
def told(file: Path) -> dict[str, Told]:
    """Of every code in the file, in its order."""
    found = tomllib.loads(file.read_text("utf-8"))
    return {
        code: Told(
            means=each["means"],
            remedy=each["remedy"],
            facts={name: (value, words) for name, (value, words) in each.get("facts", {}).items()},
            errors=each.get("errors", []),
            faults=each.get("faults", {}),
        )
        for code, each in found.items()
    }


def facts_of(code: str) -> set[str]:
    """The facts that a code's sentence is made of."""
    says = getattr(CODES[code][1], "says", "")
    return {name for _, name, _, _ in Formatter().parse(says) if name}


def example(code: str, words: Told) -> Json:
    """The body of an answer with this code, by the function that makes them all."""
    kind = CODES[code][1]
    if issubclass(kind, InvalidRequest):
        return problem_of(kind(tuple(BadPart(**part) for part in words.errors)))
    if issubclass(kind, Malformed):
        return problem_of(kind(tuple(Fault(**part) for part in words.errors)))
    return problem_of(kind(**{name: value for name, (value, _) in words.facts.items()}))


def answered_by(document: Json) -> dict[str, list[str]]:
    """Of each code the operations whose answers may have it: `POST /v1/games/{game_id}/roll`."""
    codes = {schema_name(code): code for code in CODES}
    found: dict[str, list[str]] = {code: [] for code in CODES}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if "responses" not in operation:
                continue
            names = _schemas_in(operation["responses"])
            for name in names & codes.keys():
                found[codes[name]].append(f"{method.upper()} {path}")
    return found


def _schemas_in(responses: Json) -> set[str]:
    text = json.dumps(responses)
    return {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}


def page(code: str, words: Told, calls: list[str], of_all: int) -> str:
    """The page of a code, in Markdown."""
    status, _ = CODES[code]
    body = example(code, words)
    lines = [
        f"# {code}",
        "",
        f"*{escape(body['detail'], quote=False)}*",
        "",
        words.means.strip(),
        "",
    ]
    lines += ["## What to do", "", words.remedy.strip(), ""]
    if words.facts:
        lines += ["## Its facts", "", "| field | is |", "|---|---|"]
        lines += [f"| `{name}` | {meaning} |" for name, (_, meaning) in words.facts.items()]
        lines.append("")
    if words.faults:
        lines += ["## Its errors", "", _ERRORS.strip(), ""]
        lines += ["| `code` | means |", "|---|---|"]
        lines += [f"| `{fault}` | {meaning} |" for fault, meaning in words.faults.items()]
        lines.append("")
    lines += ["## An answer", "", f"Status {status}, `application/problem+json`:", ""]
    lines += ["```json", json.dumps(body, indent=2, ensure_ascii=False), "```", ""]
    lines += ["## Who answers so", ""]
    if len(calls) >= EVERYWHERE * of_all:
        lines.append("Any call may.")
    elif calls:
        lines += [f"- `{call}`" for call in calls]
    else:
        lines.append("No call in particular: it is about the address, or the server as a whole.")
    return "\n".join([*lines, ""])


def index(words: dict[str, Told]) -> str:
    """The page of all codes, in Markdown; it stands beside the codes' own."""
    lines = ["# Refusals", "", _ABOUT.strip(), ""]
    for status in sorted({status for status, _ in CODES.values()}):
        title = _STATUSES.get(status) or HTTPStatus(status).phrase.lower()
        codes = [code for code, (found, _) in CODES.items() if found == status]
        lines += [f"## {status}: {title}", "", "| code | means |", "|---|---|"]
        lines += [
            f"| [{code}](errors/{code}.md) | {_first_sentence(words[code].means)} |"
            for code in codes
        ]
        lines.append("")
    return "\n".join(lines)


def _first_sentence(text: str) -> str:
    flat = " ".join(text.split())
    return flat.partition(". ")[0].removesuffix(".") + "."


_ABOUT = """
Every refusal is `application/problem+json` with a `code` that never changes: switch on it. `detail`
is a sentence for people, and the facts that belong to the code stand beside it, so that a frontend
can word it itself. `type` is the address of the code's page here. A refused call has changed
nothing.
"""

_ERRORS = """
Each of `errors` says one thing that is wrong: where, by `pointer` (a
[JSON pointer](https://www.rfc-editor.org/rfc/rfc6901) into the body; `""` is the body itself) or
`parameter` (the name of a query parameter or a header); which kind, by `code`; and in a sentence,
`detail`. Faults are told all at once, 25 at most.
"""

_STATUSES = {
    400: "the request names no host that is served",
    401: "who are you?",
    403: "you may not",
    404: "it is not there",
    405: "another method",
    410: "it is kept elsewhere by now",
    409: "the rules, or the state of things, say no",
    412: "you looked at an older version",
    413: "too big",
    415: "not JSON",
    422: "the request itself is wrong",
    426: "for WebSockets",
    429: "too often",
    500: "our fault",
    503: "not now",
}
