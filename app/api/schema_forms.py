"""
Schemas as pydantic writes them, made fit for those who generate clients from them.

A type is named by its component alone: titles made from field names would become types of their
own. Whole numbers say how wide they are, since generators take 32 bits unless told. What the keys
of an object look like is said beside its values, not instead of them.
"""

from __future__ import annotations

from typing import Any

from app.api.schemas.options import COMPONENT, REFS

_INT32 = 2**31 - 1
_WITHIN = ("items", "additionalProperties", "propertyNames", "not")
_EACH = ("anyOf", "oneOf", "allOf", "prefixItems")


def put_right(schema: Any, name: str | None = None) -> None:
    """
    Changes a schema, and those within it, in place.

    Args:
        name: of the component that it is.
    """
    if not isinstance(schema, dict):
        return
    schema.pop("title", None)
    if (known := schema.pop(COMPONENT, None)) is not None:
        schema["$ref"] = REFS + known
    if name is not None and "$ref" not in schema:
        schema["title"] = name
    kind = schema.get("type")
    if kind == "integer" and "minimum" in schema and "maximum" in schema:
        for bound in ("minimum", "maximum"):
            schema[bound] = int(schema[bound])  # the framework makes them fractions
        narrow = schema["minimum"] >= -_INT32 and schema["maximum"] <= _INT32
        schema["format"] = "int32" if narrow else "int64"
    elif kind == "number":
        schema["format"] = "double"
    elif kind == "object" and "patternProperties" in schema:
        [(pattern, values)] = schema.pop("patternProperties").items()
        schema["additionalProperties"] = values
        schema["propertyNames"] = {"type": "string", "pattern": pattern}
    for part in schema.get("properties", {}).values():
        put_right(part)
    for word in _WITHIN:
        put_right(schema.get(word))
    for word in _EACH:
        for part in schema.get(word, ()):
            put_right(part)
