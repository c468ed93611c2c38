"""An OpenAPI document, read: its operations, and every schema in it with the place it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

Document = dict[str, Any]
Schema = dict[str, Any]

METHODS = ("get", "put", "post", "delete", "patch")
_ONE_OF = ("anyOf", "oneOf", "allOf", "prefixItems")


class Operation(NamedTuple):
    name: str
    method: str
    path: str
    says: dict[str, Any]


def operations(document: Document) -> Iterator[Operation]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                said = item[method]
                yield Operation(said.get("operationId", f"{method} {path}"), method, path, said)


def operation(document: Document, name: str) -> Operation:
    """The operation of that name. Raises: StopIteration."""
    return next(found for found in operations(document) if found.name == name)


def resolved(document: Document, node: Any) -> Any:
    """What a reference leads to; what is none, as it is. Raises: KeyError."""
    while isinstance(node, dict) and isinstance(ref := node.get("$ref"), str):
        node = document
        for part in ref.removeprefix("#/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
    return node


def schemas(document: Document) -> Iterator[tuple[str, Schema]]:
    """Every schema, those within others too, with where it stands, such as `Played/events/[]`."""
    components = document.get("components", {})
    for name, schema in components.get("schemas", {}).items():
        yield from _within(name, schema)
    for name, header in components.get("headers", {}).items():
        yield from _within(f"header {name}", header.get("schema", {}))
    for found in operations(document):
        for parameter in found.says.get("parameters", ()):
            place = f"{found.name} {parameter.get('name', '')}"
            yield from _within(place, resolved(document, parameter).get("schema", {}))
        bodies = {"body": found.says.get("requestBody", {}), **found.says.get("responses", {})}
        for where, named in bodies.items():
            body = resolved(document, named)
            for name, header in body.get("headers", {}).items():
                if "$ref" not in header:
                    yield from _within(f"{found.name} {where} {name}", header.get("schema", {}))
            for kind, content in body.get("content", {}).items():
                yield from _within(f"{found.name} {where} {kind}", content.get("schema", {}))


def _within(place: str, schema: Any) -> Iterator[tuple[str, Schema]]:
    if not isinstance(schema, dict):
        return
    yield place, schema
    for name, part in schema.get("properties", {}).items():
        yield from _within(f"{place}/{name}", part)
    for word in ("items", "additionalProperties", "propertyNames", "not"):
        yield from _within(f"{place}/[{word}]", schema.get(word))
    for word in _ONE_OF:
        for number, part in enumerate(schema.get(word, ())):
            yield from _within(f"{place}/{word}{number}", part)


def references(node: Any) -> Iterator[str]:
    """Every `$ref` below a node."""
    if isinstance(node, dict):
        if isinstance(ref := node.get("$ref"), str):
            yield ref
        for part in node.values():
            yield from references(part)
    elif isinstance(node, list):
        for part in node:
            yield from references(part)
