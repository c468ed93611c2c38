"""
JSON Schemas (draft 2020-12) of what travels as files: a rule set, and exports.

Made of the models that answers are checked by, committed in `openapi/schemas/`, and served at
`/schemas/`. `$id` names the format and no server, so that it is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from typing_extensions import TypedDict

from app.api.refusals import RouteNotFound
from app.api.routing import api_router
from app.api.schemas.common import GameNumber, Hex32, VersionNumber
from app.api.schemas.event import EventView
from app.api.schemas.rule_set import RuleSet
from app.parts import parts_of

Json = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MEDIA_TYPE = "application/schema+json"
NAMES = ("rule-set", "export")
_DEFS = "#/$defs/"
_EVENT = "EventView"
_WHOLE = ConfigDict(extra="forbid")

router = api_router("server")


@with_config(_WHOLE)
class ExportHeader(TypedDict):
    """The first line of a game."""

    protocol: Literal["pf1"]
    game_id: GameNumber
    format: Literal[1]


@with_config(_WHOLE)
class SeriesHeader(TypedDict):
    """The first line of a series; then its games follow, each with a header of its own."""

    series_id: GameNumber
    format: Literal[1]


@with_config(_WHOLE)
class ExportLine(TypedDict):
    """Every other line: an event."""

    version: VersionNumber
    bytes: Annotated[str, Field(description="Exactly what was hashed: the event as JSON.")]
    hash: Annotated[Hex32, Field(description="Of these bytes and the hash before.")]


@cache
def file_schema(name: str) -> Json:
    """
    The schema of this name, one of NAMES.

    That of an export is for each of its lines. What `bytes` hold is its `#/$defs/EventView`, as
    `contentSchema` says, which validators do not look into by themselves.
    """
    made = _rule_set() if name == "rule-set" else _export()
    return {"$schema": DIALECT, "$id": f"urn:hotdice:{name}:1", **made}


def _rule_set() -> Json:
    # What it cannot say (which points go together), `POST /v1/rules/validate` says.
    made: Json = _plain(TypeAdapter(RuleSet).json_schema())
    return made


def _export() -> Json:
    models: tuple[Any, ...] = (ExportHeader, SeriesHeader, ExportLine, EventView)
    _, found = TypeAdapter.json_schemas(
        [(number, "validation", TypeAdapter(model)) for number, model in enumerate(models)]
    )
    defs: Json = _plain(found["$defs"])
    for schema in _kinds_of(defs[_EVENT], defs):
        # Its place in the log is told by the line; the bytes do not hold it.
        del schema["properties"]["version"]
        schema["required"].remove("version")
    content = {"contentMediaType": "application/json", "contentSchema": {"$ref": _DEFS + _EVENT}}
    defs["ExportLine"]["properties"]["bytes"] |= content
    return {
        "title": "Export",
        "description": "A line of the export of a game: the header first, then a line an event; "
        "or of that of a series: its header, then its games.",
        "oneOf": [
            {"$ref": f"{_DEFS}{name}"} for name in ("ExportHeader", "SeriesHeader", "ExportLine")
        ],
        "$defs": dict(sorted(defs.items())),
    }


def _kinds_of(union: Mapping[str, Any], defs: Json) -> list[Json]:
    return [defs[part["$ref"].removeprefix(_DEFS)] for part in union["oneOf"]]


def _plain(schema: Any) -> Any:
    """Without `discriminator`, which is a word of OpenAPI alone."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if isinstance(schema, dict):
        return {name: _plain(part) for name, part in schema.items() if name != "discriminator"}
    return schema


@router.get("/schemas", include_in_schema=False)
async def list_file_schemas(request: Request) -> dict[str, str]:
    """Which there are, and where."""
    settings = parts_of(request).settings
    if not settings.docs:
        raise RouteNotFound
    return {name: f"{settings.public_url or ''}/schemas/{name}.json" for name in NAMES}


@router.get("/schemas/{name}", include_in_schema=False)
async def show_file_schema(request: Request, name: str) -> Response:
    """That of `rule-set.json` or `export.json`."""
    title = name.removesuffix(".json")
    if not parts_of(request).settings.docs or title not in NAMES or title == name:
        raise RouteNotFound
    return JSONResponse(file_schema(title), media_type=MEDIA_TYPE)
