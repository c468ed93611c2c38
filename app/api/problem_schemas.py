"""
Problems in the OpenAPI document: a schema for each code, with the facts that belong to it.

An operation's answer of one status is one of the codes listed for it, told apart by `code`.
"""

from __future__ import annotations

from string import Formatter
from typing import Any

from app.api.problems import CODES, MEDIA_TYPE, Problem

_EVERYWHERE = ("bad_host", "rate_limited", "store_unavailable", "overloaded", "internal_error")
"""What any operation may answer: documented with each, so that clients handle it once."""

_BY_ID = frozenset(
    {
        *("game_not_found", "match_not_found", "player_not_found", "preset_not_found"),
        *("series_not_found", "token_not_found", "analysis_not_found"),
    }
)
"""Where there is an id in the path, there may be none: an escape, or letters for a version."""

_SHARED = ("type", "title", "status", "code", "detail")
_WITH_ERRORS = frozenset({"invalid_request", "malformed_rules", "malformed_settings"})
_REFS = "#/components/schemas/"


def schema_name(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_")) + "Problem"


def responses(*codes: str) -> dict[int | str, dict[str, Any]]:
    """OpenAPI `responses` of an operation that may answer with these codes, and the common ones."""
    by_status: dict[int, list[str]] = {}
    nowhere = () if _BY_ID.isdisjoint(codes) else ("route_not_found",)
    for code in sorted({*codes, *nowhere, *_EVERYWHERE}):
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
    facts = [name for _, name, _, _ in Formatter().parse(says) if name]
    if code in _WITH_ERRORS:
        facts.append("errors")
    words: frozenset[str] = getattr(kind, "words", frozenset())
    properties = {
        name: _of_one_type(_without_null(general[name]), name in words)
        for name in (*_SHARED, *facts)
    }
    properties["status"] = {"type": "integer", "enum": [status]}
    properties["code"] = {"type": "string", "enum": [code]}
    return {
        "title": schema_name(code),
        "type": "object",
        "description": says or "Rule-set data or options are wrong; errors names each fault.",
        "properties": properties,
        "required": [*_SHARED, *facts],
    }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A fact that belongs to a code is always there."""
    choices = [c for c in schema.get("anyOf", ()) if c != {"type": "null"}]
    kept = {k: v for k, v in schema.items() if k not in ("anyOf", "default", "title")}
    if len(choices) == 1:
        return {**choices[0], **kept}
    return {**kept, "anyOf": choices} if choices else kept


def _of_one_type(schema: dict[str, Any], is_word: bool) -> dict[str, Any]:
    """A fact that is a number with some codes and a word with others is one of them with each."""
    choices = schema.get("anyOf")
    if choices != [{"type": "integer"}, {"type": "string"}]:
        return schema
    kept = {k: v for k, v in schema.items() if k != "anyOf"}
    return {**choices[is_word], **kept}
