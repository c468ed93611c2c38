"""
Every bound of the document at its edge: the last value passes, the next one is refused where it is.

The bounds are read from `openapi/openapi.json`; the bodies below name each field that has one. What
a setting bounds, and not the document, stands in `test_caps.py`.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.access.stage import NOWHERE
from tests.api.conftest import Launch
from tests.api.live import OPERATOR
from tests.plain_rules import plain_rules

Json = dict[str, Any]
FILE = Path(__file__).parents[2] / "openapi" / "openapi.json"
DOCUMENT: Json = json.loads(FILE.read_text("utf-8"))
COMPONENTS: Json = DOCUMENT["components"]["schemas"]
PATHS: Json = DOCUMENT["paths"]

FARKLE: Json = {"preset": "farkle", "options": {"target": 5_000, "opening": 300}}
SPICY: Json = {"preset": "farkle", "options": {"spicy": True, "spicy_faces": [1, 2, 3, 4, 5, 6]}}
_SETS = dict.fromkeys("123456", 400)
HOUSE: Json = {
    "preset": "house",
    "options": {
        "values": {
            "single_1": 100,
            "single_5": 50,
            "low_straight": 500,
            "high_straight": 500,
            "three": _SETS,
            "four": _SETS,
            "five": _SETS,
        }
    },
}
CUSTOM: Json = {
    "custom": {
        **plain_rules(
            "mine",
            dice=6,
            seats=(1, 8),
            target=5_000,
            singles={},
            opening=300,
            spicy={"faces": [1, 2, 3, 4, 5, 6]},
            wild_rolls={"allotment": 3, "world": "mine"},
        ),
        "combinations": [
            {"id": "one", "kind": "single", "face": 1, "points": 100},
            {"id": "ones", "kind": "set", "face": 1, "count": 3, "points": 1_000},
            {"id": "straight", "kind": "straight", "faces": [1, 2, 3, 4, 5], "points": 500},
            {"id": "pairs", "kind": "pairs", "count": 3, "points": 750},
            {"id": "two", "kind": "triplets", "points": 2_500},
            {"id": "house", "kind": "full_house", "bonus": 50, "pairs": {"1": 200}},
        ],
    }
}
TABLE: Json = {"rules": {"preset": "farkle"}}
SELECT: Json = {"dice": [0, 1], "wild_face": 1}
SCORE: Json = {
    **TABLE,
    "roll": [1, 2],
    "positions": [0, 1],
    "wild": 0,
    "sets": {"2": 3},
    "total": 0,
    "turn_score": 0,
}
SERIES: Json = {**TABLE, "participants": [{"kind": "player"}] * 2, "seats": 2, "games": 1}

BODIES: dict[str, list[Json]] = {
    "POST /v1/players": [{"name": "Ana"}],
    "PATCH /v1/players/me": [{"name": "Ana"}],
    "POST /v1/players/me/tokens": [{"scopes": ["read"], "name": "mine", "expires_in_s": 60}],
    "POST /v1/rules/validate": [{"rules": r} for r in (FARKLE, SPICY, HOUSE, CUSTOM)],
    "POST /v1/rules/score": [SCORE],
    "POST /v1/games": [
        {
            **TABLE,
            "seats": [{"kind": "human"}] * 2,
            "clocks": {"turn_s": 60, "game_s": 60},
            "bots": {"pace_ms": 0},
        },
        {**TABLE, "dice": {"kind": "scripted", "rolls": [[1]]}},
        {**TABLE, "dice": {"kind": "seeded", "seed": "a"}},
        {
            **TABLE,
            "cheats": {
                "loaded": [0],
                "skip_next": [0],
                "always_score": [0],
                "light": {"0": "lucky"},
                "head_start": {"0": 1},
            },
        },
    ],
    f"POST /v1/games/{NOWHERE}/join": [{"join_code": "00000000", "seat": 0}],
    "POST /v1/join": [{"join_code": "00000000", "seat": 0}],
    f"PUT /v1/games/{NOWHERE}/entropy": [
        {"commit": "a" * 64},
        {"seed": "a" * 64, "next_commit": "a" * 64},
    ],
    "POST /v1/matchmaking": [
        {**TABLE, "seats": 2, "bots_after_s": 0, "clocks": {"turn_s": 60, "game_s": 60}}
    ],
    f"POST /v1/games/{NOWHERE}/roll": [{"select": SELECT}],
    f"POST /v1/games/{NOWHERE}/select": [SELECT],
    f"POST /v1/games/{NOWHERE}/resign": [{"seat": 0}],
    f"POST /v1/games/{NOWHERE}/skip-next": [{"seat": 0}],
    "POST /v1/series": [
        {**SERIES, "at_once": 1, "pace_ms": 0, "clocks": {"turn_s": 60, "game_s": 60}},
        {**SERIES, "dice": {"kind": "seeded", "seed": "a"}},
    ],
    f"POST /v1/series/{NOWHERE}/join": [{"join_code": "00000000"}],
    f"POST /v1/operator/games/{NOWHERE}/void": [{"note": "why"}],
    f"POST /v1/operator/players/{NOWHERE}/wild-rolls": [
        {"reference": "r", "amount": 1, "note": "why"}
    ],
    "POST /v1/operator/notices/ack": [{"ids": [f"{NOWHERE}.1"]}],
}
WIDE: Json = {"operator_token": (OPERATOR,), "body_limit": 65_536}
WIDE |= {"series_games": 10_000, "series_at_once": 100}
"""Settings that leave the bounds of the document their room."""

BOUNDS = {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
SIZES = {"too_small", "too_large", "too_short", "too_long", "bad_format", "out_of_range"}
SIZES |= {"wrong_length", "bad_label"}
NOT_ALONE = {
    ("/rules/custom/spicy/faces", "[1]"): "there is a spicy face for each die",
    ("/cheats/head_start/0", "10000000"): "a head start stays below the target",
}
"""Edges that another rule leaves no room for."""


class Bound(NamedTuple):
    call: str
    pointer: str
    body: Json
    edge: Any
    beyond: Any


def resolved(schema: Json) -> Json:
    while "$ref" in schema:
        schema = COMPONENTS[schema["$ref"].rpartition("/")[2]]
    return schema


def fields(schema: Json, value: Any, pointer: str = "") -> Iterator[tuple[str, Json, Any]]:
    """Each schema that concerns a value, and those below it."""
    schema = resolved(schema)
    yield pointer, schema, value
    for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        if fits(resolved(branch), value):
            yield from fields(branch, value, pointer)
    if isinstance(value, dict):
        for name, item in value.items():
            below = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if isinstance(below, dict):
                yield from fields(below, item, f"{pointer}/{name}")
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from fields(schema["items"], item, f"{pointer}/{index}")


def fits(schema: Json, value: Any) -> bool:
    """Whether a branch of a union is the value's: by its type and its constants."""
    kinds = {dict: "object", list: "array", str: "string", int: "integer", bool: "boolean"}
    if "type" in schema and schema["type"] != kinds[type(value)]:
        return False
    if not isinstance(value, dict):
        return True
    if "oneOf" in schema:
        return any(fits(resolved(branch), value) for branch in schema["oneOf"])
    told = {name: resolved(s) for name, s in schema.get("properties", {}).items()}
    return set(value) <= set(told) and all(
        "const" not in s or value.get(name, s["const"]) == s["const"] for name, s in told.items()
    )


def edges(schema: Json, value: Any) -> Iterator[tuple[Any, Any]]:
    """The last value that is allowed, and the next one, at either end."""
    for name, step in (("minimum", -1), ("maximum", 1)):
        if name in schema:
            yield schema[name], schema[name] + step
    least, most = schema.get("minLength"), schema.get("maxLength")
    if isinstance(value, str) and (found := _REPEATS.fullmatch(schema.get("pattern", ""))):
        least, most = int(found[1] or found[2]), int(found[2])
    for n, step in ((least, -1), (most, 1)):
        if n is not None:
            is_name = value == "Ana"
            yield text(n, of_a_name=is_name), text(n + step, of_a_name=is_name)
    least, most = schema.get("minItems"), schema.get("maxItems")
    yield from (
        (items(value, n), items(value, n + step))
        for n, step in ((least, -1), (most, 1))
        if n is not None
    )


_REPEATS = re.compile(r"\^\[[^\]]+\]\{(?:(\d+),)?(\d+)\}\$")
_MARKED = "\u0e01\u0e48\u0e48\u0e48"
"""A letter with three marks: one to be seen of four characters."""


def text(length: int, *, of_a_name: bool) -> str:
    return (_MARKED * length if of_a_name else "a" * length)[:length]


def items(some: list[Any], length: int) -> list[Any]:
    """So many; seats, dice and faces count on, the others repeat."""
    if isinstance(some[0], int) and some[0] == 0:
        return list(range(length))
    return (some * (length + 1))[:length]


def bounds() -> Iterator[Bound]:
    seen = set()
    for call, bodies in BODIES.items():
        for body in bodies:
            for pointer, schema, value in fields(schema_of(call), body):
                for edge, beyond in edges(schema, value):
                    key = (call, re.sub(r"/\d+", "/0", pointer), str(edge), str(beyond))
                    if key not in seen:
                        seen.add(key)
                        yield Bound(call, pointer, body, edge, beyond)


def schema_of(call: str) -> Json:
    method, path = call.split()
    for template, operations in PATHS.items():
        if re.fullmatch(re.sub(r"\{\w+\}", NOWHERE, template), path):
            content = operations[method.lower()]["requestBody"]["content"]
            found: Json = content["application/json"]["schema"]
            return found
    raise LookupError(call)


def put(body: Json, pointer: str, value: Any) -> Json:
    changed = copy.deepcopy(body)
    *way, last = pointer.strip("/").split("/")
    here: Any = changed
    for part in way:
        here = here[int(part)] if isinstance(here, list) else here[part]
    here[int(last) if isinstance(here, list) else last] = value
    return changed


def test_every_bounded_field_of_every_body_is_asked_for() -> None:
    asked = {
        id(schema)
        for call in BODIES
        for body in BODIES[call]
        for _, schema, _ in fields(schema_of(call), body)
    }
    missing = set()
    for path, operations in PATHS.items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                for pointer, schema in below(content["application/json"]["schema"]):
                    if BOUNDS & schema.keys() and id(schema) not in asked:
                        missing.add(f"{method} {path} {pointer}")
    assert not missing, "\n".join(sorted(missing))


def below(
    schema: Json, pointer: str = "", seen: frozenset[int] = frozenset()
) -> Iterator[tuple[str, Json]]:
    """Each schema that some value may meet."""
    schema = resolved(schema)
    if id(schema) in seen:
        return
    seen |= {id(schema)}
    yield pointer, schema
    for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from below(branch, pointer, seen)
    for name, item in schema.get("properties", {}).items():
        yield from below(item, f"{pointer}/{name}", seen)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from below(schema[name], f"{pointer}/*", seen)


@pytest.mark.wide
async def test_the_last_value_passes_and_the_next_is_refused_where_it_is(launch: Launch) -> None:
    wrong, asked = [], 0
    async with launch(**WIDE) as live:
        ana = await live.guest()
        async with live.client(ana.token) as player, live.client(OPERATOR) as operator:
            for call, pointer, body, edge, beyond in bounds():
                method, path = call.split()
                client = operator if "/operator/" in path else player
                for value, passes in ((edge, True), (beyond, False)):
                    answer = await client.request(method, path, json=put(body, pointer, value))
                    asked += 1
                    faults = answer.json().get("errors", ()) if answer.status_code == 422 else ()
                    there = {f["code"] for f in faults if f["pointer"] == pointer}
                    if passes and there & SIZES and (pointer, str(value)) not in NOT_ALONE:
                        wrong.append(f"{call} {pointer} = {str(value)[:40]}: {there}")
                    if not passes and not there:
                        wrong.append(f"{call} {pointer} = {str(value)[:40]}: {answer.text[:200]}")
                    assert answer.status_code < 500
    assert not wrong, "\n".join(wrong)
    assert asked > 250
