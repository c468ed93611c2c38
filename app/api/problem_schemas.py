"""
Problems in the OpenAPI document: a schema for each code, with the facts that belong to it.

An operation's answer of one status is one of the codes listed for it, told apart by `code`.
"""

from __future__ import annotations

from typing import Any

from app.api.problems import ABOUT, CODES, FAULTS_OF, MEDIA_TYPE, Problem, facts_of

_EVERYWHERE = ("bad_host", "store_unavailable", "overloaded", "internal_error")
"""What any operation may answer: documented with each, so that clients handle it once."""

_OF_GAMES = frozenset({"game_not_found", "match_not_found", "series_not_found"})
"""Where logs are read: one that does not fold is answered with `broken_history`."""

_BY_ID = frozenset(
    {
        *("game_not_found", "match_not_found", "player_not_found", "preset_not_found"),
        *("series_not_found", "token_not_found", "analysis_not_found"),
    }
)
"""Where there is an id in the path, there may be none: an escape, or letters for a version."""

SHARED = ("type", "title", "status", "code", "detail")
_OF_LISTS = frozenset({"seats_empty", "seats_contribute"})
"""Codes whose fact `seats` tells which; with others it tells how many."""
_REFS = "#/components/schemas/"


def schema_name(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_")) + "Problem"


def responses(*codes: str, limited: bool = True) -> dict[int | str, dict[str, Any]]:
    """
    OpenAPI `responses` of an operation that may answer with these codes, and the common ones.

    Args:
        limited: False for what may be asked as often as one likes.
    """
    by_status: dict[int, list[str]] = {}
    found = {*codes, *_EVERYWHERE}
    if not _BY_ID.isdisjoint(codes):
        found.add("route_not_found")
    if not _OF_GAMES.isdisjoint(codes):
        found.add("broken_history")
    if limited:
        found.add("rate_limited")
    for code in sorted(found):
        by_status.setdefault(CODES[code][0], []).append(code)
    return {status: _response(by_status[status]) for status in sorted(by_status)}


def _response(codes: list[str]) -> dict[str, Any]:
    names = {code: _REFS + schema_name(code) for code in codes}
    if len(codes) == 1:
        schema: dict[str, Any] = {"$ref": names[codes[0]]}
    else:
        schema = {
            "oneOf": [{"$ref": ref} for ref in names.values()],
            "discriminator": {"propertyName": "code", "mapping": names},
        }
    return {
        "description": ", ".join(f"`{code}`" for code in codes),
        "content": {MEDIA_TYPE: {"schema": schema}},
    }


def problem_schemas() -> dict[str, dict[str, Any]]:
    """The schemas of all codes, by name."""
    general = Problem.model_json_schema(ref_template=_REFS + "{model}")["properties"]
    return {schema_name(code): _schema(code, general) for code in CODES}


def _schema(code: str, general: dict[str, Any]) -> dict[str, Any]:
    status, kind = CODES[code]
    says: str = getattr(kind, "says", "")
    facts = facts_of(code)
    if code in FAULTS_OF:
        facts.append("errors")
    words: frozenset[str] = getattr(kind, "words", frozenset())
    properties = {
        name: _of_one_type(_without_null(general[name]), name in words or code in _OF_LISTS)
        for name in (*SHARED, *facts)
    }
    properties["type"] = {"type": "string", "enum": [f"{ABOUT}{code}"]}
    properties["status"] = {"type": "integer", "enum": [status]}
    properties["code"] = {"type": "string", "enum": [code]}
    return {
        "title": schema_name(code),
        "type": "object",
        "description": says or "Rule-set data or options are wrong; errors names each fault.",
        "properties": properties,
        "required": [*SHARED, *facts],
    }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A fact that belongs to a code is always there."""
    choices = [c for c in schema.get("anyOf", ()) if c != {"type": "null"}]
    kept = {k: v for k, v in schema.items() if k not in ("anyOf", "default", "title")}
    if len(choices) == 1:
        return {**choices[0], **kept}
    return {**kept, "anyOf": choices} if choices else kept


def _of_one_type(schema: dict[str, Any], is_second: bool) -> dict[str, Any]:
    """A fact that is a number with some codes and something else with others is one with each."""
    choices = schema.get("anyOf")
    if choices is None:
        return schema
    kept = {k: v for k, v in schema.items() if k != "anyOf"}
    return {**choices[is_second], **kept}
