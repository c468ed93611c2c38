"""The OpenAPI document: what the framework writes, made true."""

from __future__ import annotations

from typing import Any

from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonRef,
    JsonSchemaValue,
    models_json_schema,
)
from starlette.routing import BaseRoute

from app import VERSION
from app.api.operations import BODIES
from app.api.problem_schemas import problem_schemas
from app.api.problems import Problem

_FRAMEWORKS = ("HTTPValidationError", "ValidationError")
_METHODS = ("get", "put", "post", "delete", "patch")

DESCRIPTION = """
Dice games of the Farkle family for any number of clients. Make a guest (`POST /v1/players`), send
its token as a bearer, open a table (`POST /v1/games`), and play with `roll`, `select` and `bank`.

- Every changing call takes an `Idempotency-Key`: a repeated call acts once.
- On a game, `If-Match: "42"` refuses to act on another version than 42.
- Errors are `application/problem+json`; switch on `code`.
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
    {"name": "series", "description": "Many games between the same sides."},
    {"name": "commands", "description": "Play: roll, select, bank, take over, wild roll."},
    {"name": "operator", "description": "For who runs the server: repair, bans, purses, notices."},
    {"name": "operations", "description": "Health and counters."},
]


def document(routes: list[BaseRoute], public_url: str | None = None) -> dict[str, Any]:
    """The document of these routes."""
    made: dict[str, Any] = get_openapi(
        title="Hotdice",
        version=VERSION,
        openapi_version="3.1.0",
        description=DESCRIPTION,
        routes=routes,
        tags=TAGS,
        servers=[{"url": public_url or "/"}],
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    components = made.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _FRAMEWORKS:
        schemas.pop(name, None)
    _add_models(schemas)
    components["schemas"] = dict(sorted(schemas.items()))
    components["securitySchemes"] = {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": SCOPES,
        },
        "operator": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of `HOTDICE_OPERATOR_TOKEN`.",
        },
    }
    for path in made["paths"].values():
        for method in _METHODS:
            if method in path:
                _correct(path[method])
    return made


class _Generator(GenerateJsonSchema):
    """A model may refer to a component that another one brings."""

    def get_schema_from_definitions(self, json_ref: JsonRef) -> JsonSchemaValue | None:
        try:
            return super().get_schema_from_definitions(json_ref)
        except KeyError:
            return None


def _add_models(schemas: dict[str, Any]) -> None:
    """Models that routes name without the framework's knowing: bodies and problems."""
    models: list[type[BaseModel]] = [*BODIES.values(), Problem]
    _, found = models_json_schema(
        [(m, "validation") for m in models],
        ref_template="#/components/schemas/{model}",
        schema_generator=_Generator,
    )
    for name, schema in {**found["$defs"], **problem_schemas()}.items():
        if schemas.setdefault(name, schema) != schema:
            raise ValueError(f"two models are called {name}")


def _correct(operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    refused = answers.get("422", {}).get("content", {}).get("application/json", {})
    if refused.get("schema", {}).get("$ref", "").endswith("HTTPValidationError"):
        del answers["422"]  # the framework's own shape, which is never sent
    operation["responses"] = dict(sorted(answers.items()))
