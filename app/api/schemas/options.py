"""
The options of presets in the document, made of the presets that ship.

The engine reads options whole, so that every fault is told at once; here is the shape that a client
is generated from: one object with what any preset takes, each option with its widest bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.presets import Option, Preset

COMPONENT = "x-component"
"""Stands for a reference to a component that the framework does not know of."""
PRESET = "Preset"
OPTIONS = "PresetOptions"
VALUES = "OptionValues"
"""Of an option that is a tree of whole numbers."""
REFS = "#/components/schemas/"

_BY_FACE = "ValuesByFace"


def option_schemas(presets: Mapping[str, Preset]) -> dict[str, dict[str, Any]]:
    """
    Schemas by name: which presets there are, their options, and what those are made of.

    Raises: ValueError, where two presets call different things by one name.
    """
    by_name: dict[str, list[tuple[str, Option]]] = {}
    for preset in presets.values():
        for option in preset.options:
            by_name.setdefault(option.name, []).append((preset.name, option))
    made: dict[str, dict[str, Any]] = {
        PRESET: {"type": "string", "enum": list(presets), "description": "A shipped game."}
    }
    properties = {
        name: {
            "description": " ".join(f"{preset}: {option.about}" for preset, option in found),
            **_schema(name, [option for _, option in found], made),
        }
        for name, found in by_name.items()
    }
    made[OPTIONS] = {
        "type": "object",
        "description": "What a preset does not know is refused; `GET /v1/rules` says what it "
        "knows, and its defaults. Null, at any depth, is taken for left out.",
        "properties": properties,
        "additionalProperties": False,
    }
    return made


def _schema(name: str, options: list[Option], made: dict[str, dict[str, Any]]) -> dict[str, Any]:
    [kind] = {option.kind for option in options}
    if kind == "switch":
        return {"type": "boolean"}
    bounds = {"minimum": min(o.least for o in options), "maximum": max(o.most for o in options)}
    if kind == "whole":
        return {"type": "integer", **bounds}
    if kind == "faces":
        face = {"type": "integer", "minimum": 1, "maximum": 6}
        return {
            "type": "array",
            "items": face,
            "minItems": bounds["minimum"],
            "maxItems": bounds["maximum"],
        }
    if kind == "choice":
        title = "".join(word.capitalize() for word in name.split("_"))
        made[title] = {"type": "string", "enum": _all(o.choices for o in options)}
        return {"$ref": REFS + title}
    if VALUES in made:
        raise ValueError("two options are trees of values")
    [tree] = [option.default for option in options]
    made[VALUES] = _tree(tree, {"type": "integer", **bounds}, made)
    return {"$ref": REFS + VALUES}


def _all(lists: Iterable[Iterable[str]]) -> list[str]:
    """Each word once, in the order of their coming."""
    return list(dict.fromkeys(word for words in lists for word in words))


def _tree(tree: Any, leaf: dict[str, Any], made: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Objects as the defaults have them, any part of which may be left out."""
    if not isinstance(tree, dict):
        return leaf
    if set(tree) <= set("123456"):
        made[_BY_FACE] = {
            "type": "object",
            "description": "Points by face.",
            "propertyNames": {"type": "string", "pattern": "^[1-6]$"},
            "additionalProperties": leaf,
        }
        return {"$ref": REFS + _BY_FACE}
    return {
        "type": "object",
        "properties": {name: _tree(part, leaf, made) for name, part in tree.items()},
        "additionalProperties": False,
    }
