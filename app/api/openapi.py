"""The OpenAPI document: what the framework writes, made true."""

from __future__ import annotations

from typing import Any

from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonRef,
    JsonSchemaValue,
    models_json_schema,
)
from starlette.routing import BaseRoute

from app import VERSION
from app.api.answer_headers import HEADERS
from app.api.correcting import correct
from app.api.examples import problem_examples
from app.api.operations import BODIES
from app.api.problem_schemas import SHARED, problem_schemas
from app.api.problems import Problem
from app.api.routing import Route
from app.api.schema_forms import put_right
from app.api.schemas.game import Minimal
from app.api.schemas.options import REFS, option_schemas
from app.rulebook import Rulebook

_FRAMEWORKS = ("HTTPValidationError", "ValidationError")
_METHODS = ("get", "put", "post", "delete", "patch")

DESCRIPTION = """
Dice games of the Farkle family for any number of clients. Make a guest (`POST /v1/players`), send
its token as a bearer, open a table (`POST /v1/games`), and play with `roll`, `select` and `bank`.

- Changing calls take an `Idempotency-Key`: a repeated call acts once. Those that hand out a token
  or a ticket take none, nor does what may be repeated without harm.
- On a game, `If-Match: "42"` refuses to act on another version than 42.
- Errors are `application/problem+json`; switch on `code`. What no operation answers is described
  all the same: `method_not_allowed` (405), and `upgrade_required` (426) where a stream is.
- Answers and events may gain fields in a later release; pass over those you do not know. Unknown
  fields of a request are refused.
""".strip()

SCOPES = """
The token of a player: its own from `POST /v1/players`, which opens everything, or one for a
script from `POST /v1/players/me/tokens`, which opens what its scopes say. The scope that an
operation needs stands in its `security`.

- `read`: what its player may see: its games, private tables, streams.
- `play`: sitting down at tables of others and playing there.
- `create`: opening tables and series, and what their host does.
- `account`: the account and its tokens. The player's own token alone opens it.
""".strip()

TAGS = [
    {"name": "server", "description": "What this server is and offers."},
    {"name": "players", "description": "Guests, their names and tokens."},
    {"name": "rules", "description": "Rule sets and what rolls score by them."},
    {"name": "games", "description": "Tables: opening, joining, following, ending."},
    {"name": "commands", "description": "Play: roll, select, bank, take over, wild roll."},
    {"name": "series", "description": "Many games between the same sides."},
    {"name": "operator", "description": "For who runs the server: repair, bans, purses, notices."},
    {"name": "operations", "description": "Health and counters."},
]


SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": SCOPES},
    "operator": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of `HOTDICE_OPERATOR_TOKEN`.",
    },
}


def document(routes: list[BaseRoute], public_url: str | None = None) -> dict[str, Any]:
    """The document of these routes."""
    made: dict[str, Any] = get_openapi(
        title="Hotdice",
        version=VERSION,
        openapi_version="3.1.0",
        description=DESCRIPTION,
        routes=[route.told() if isinstance(route, Route) else route for route in routes],
        tags=TAGS,
        servers=[{"url": public_url or "/"}],
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    schemas = made["components"]["schemas"]
    for name in _FRAMEWORKS:
        schemas.pop(name, None)
    _add_models(schemas)
    for name, schema in schemas.items():
        put_right(schema, name)
    order = [tag["name"] for tag in TAGS]
    made["paths"] = dict(
        sorted(made["paths"].items(), key=lambda path: order.index(_first(path[1])["tags"][0]))
    )
    for path in made["paths"].values():
        for method in _METHODS:
            if method in path:
                correct(path[method])
    made["components"] = {
        "schemas": dict(sorted(schemas.items())),
        "headers": HEADERS,
        "examples": problem_examples(made["paths"]),
        "securitySchemes": SECURITY,
    }
    return made


def _first(item: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(item[method] for method in _METHODS if method in item)
    return found


class _Generator(GenerateJsonSchema):
    """A model may refer to a component that another one brings."""

    def get_schema_from_definitions(self, json_ref: JsonRef) -> JsonSchemaValue | None:
        try:
            return super().get_schema_from_definitions(json_ref)
        except KeyError:
            return None


def _add_models(schemas: dict[str, Any]) -> None:
    """Models that routes name without the framework's knowing: bodies, problems, options."""
    models: list[type[BaseModel]] = [*BODIES.values(), Problem]
    _, found = models_json_schema(
        [(m, "validation") for m in models],
        ref_template=REFS + "{model}",
        schema_generator=_Generator,
    )
    general = found["$defs"]["Problem"]["properties"]
    for fact in general.keys() - SHARED:
        del general[fact]
    minimal = TypeAdapter(Minimal).json_schema(ref_template=REFS + "{model}")
    added = {
        **found["$defs"],
        **minimal.pop("$defs"),
        "Minimal": minimal,
        **problem_schemas(),
        **option_schemas(Rulebook.shipped().presets),
    }
    for name, schema in added.items():
        if schemas.setdefault(name, schema) != schema:
            raise ValueError(f"two models are called {name}")
