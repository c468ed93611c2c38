"""
The schemas of messages, by the models that they are made of.

What a message shares with the answers of calls (a game, events, problems) is taken out of the
OpenAPI document, so that there is one schema in two documents. AsyncAPI knows no discriminator that
is an object, and nothing beside a reference: the types tell unions apart, and `allOf` holds a
reference that has a description.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from app.api.asyncapi.examples import EXAMPLES
from app.api.schemas import streams
from app.api.schemas.commands import COMMANDS
from app.api.verbs import VERBS

Json = dict[str, Any]
Model = type[Any]

REFS = "#/components/schemas/"
SENT: tuple[Model, ...] = (*(*streams.GAME, *streams.PLAYER, *streams.LOBBY, *streams.EVERYWHERE),)
TAKEN: tuple[Model, ...] = (*streams.TAKEN, *COMMANDS)
_HTTP_ALONE = frozenset({"body_too_large", "unsupported_media_type", "bad_host", "route_not_found"})
"""What the same calls are refused with, and commands are not."""


def name_of(model: Model) -> str:
    """Of a message in the document: `state`, `yourTurn`, `rollCommand`."""
    name = model.__name__
    return name[0].lower() + name[1:].removesuffix("Message")


def messages(schemas: Json) -> Json:
    """
    Args:
        schemas: those of their payloads, by name.
    """
    return {
        name_of(m): _message(m, schemas[m.__name__]) for m in sorted((*SENT, *TAKEN), key=name_of)
    }


def _message(model: Model, schema: Json) -> Json:
    name = name_of(model)
    found: Json = {
        "name": name,
        "title": model.__name__,
        "summary": " ".join((model.__doc__ or "").split()),
        "payload": {"$ref": REFS + model.__name__},
    }
    if "id" in schema["properties"]:
        found["correlationId"] = {"$ref": "#/components/correlationIds/command"}
    if name in EXAMPLES:
        found["examples"] = [{"name": name, "payload": EXAMPLES[name]}]
    return found


def schemas(openapi: Mapping[str, Any]) -> Json:
    """Those of all messages, and of what they refer to, by name."""
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        *((m.__name__, "serialization", TypeAdapter(m)) for m in SENT),
        *((m.__name__, "validation", TypeAdapter(m)) for m in TAKEN),
    ]
    _, found = TypeAdapter.json_schemas(adapters, ref_template=REFS + "{model}")
    own, shared = found["$defs"], openapi["components"]["schemas"]
    own["RefusedMessage"]["properties"]["problem"] = _problems(openapi)
    wanted = [model.__name__ for model in (*SENT, *TAKEN)]
    made: Json = {}
    while wanted:
        name = wanted.pop()
        if name not in made:
            made[name] = _plain(shared[name] if name in shared else own[name])
            wanted += _named_in(made[name])
    return dict(sorted(made.items()))


def _plain(schema: Any) -> Any:
    """A schema of the OpenAPI document as AsyncAPI has it."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {
        key: _plain(value)
        for key, value in schema.items()
        if not (key == "discriminator" and isinstance(value, Mapping))
    }
    if "$ref" in kept and len(kept) > 1 and isinstance(kept["$ref"], str):
        kept = {"allOf": [{"$ref": kept.pop("$ref")}], **kept}
    return kept


def _named_in(schema: object) -> Iterator[str]:
    """The schemas that one refers to."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                if value.startswith(REFS):
                    yield value.removeprefix(REFS)
            else:
                yield from _named_in(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from _named_in(each)


def _problems(openapi: Mapping[str, Any]) -> Json:
    """Whatever the same calls are refused with, told apart by code."""
    refs: dict[str, str] = {}
    for name in VERBS:
        answers = openapi["paths"][f"/v1/games/{{game_id}}/{name}"]["post"]["responses"]
        for status, answer in answers.items():
            for model in _named_in(answer) if status >= "400" else ():
                code = _only(openapi["components"]["schemas"][model]["properties"]["code"])
                if code not in _HTTP_ALONE:
                    refs[code] = REFS + model
    return {"oneOf": [{"$ref": ref} for _, ref in sorted(refs.items())]}


def _only(schema: Json) -> str:
    """The one value that a schema allows."""
    allowed: list[str] = [schema["const"]] if "const" in schema else schema["enum"]
    [value] = allowed
    return value
