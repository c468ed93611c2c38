"""What the OpenAPI document says of an operation, where the framework cannot know it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from app.accounts import Scope
from app.api.deprecation import Deprecated
from app.api.problem_schemas import responses
from app.api.strict import MOST_KEY

ANSWERS = "x-answers"
"""Where a route says what its answers carry; read, and taken out, when the document is made."""

BODIES: dict[str, type[BaseModel]] = {}
"""Models of request bodies, for the document's components; filled as routes are declared."""

_ANY_VALUE = {"type": "string", "pattern": r"^[^\x00-\x1f\x7f]*$"}
"""Of a header of which what is not known is passed over: whatever HTTP lets a value be."""
_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": (
        "A repeated call with the same key acts once and gets the first answer, "
        "as short or as long as that was asked for."
    ),
    "schema": {"type": "string", "minLength": 1, "maxLength": MOST_KEY, "pattern": "^[!-~]+$"},
    "example": "tap-17",
}
_IF_MATCH: dict[str, Any] = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": 'The version this call is based on, such as "42"; refused when it is stale.',
    "schema": {"type": "string", "pattern": '^"(0|[1-9][0-9]{0,9})"$'},
    "example": '"42"',
}
_PREFER: dict[str, Any] = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "description": "`return=minimal`: the answer has version and events only.",
    "schema": _ANY_VALUE,
    "example": "return=minimal",
}
IF_NONE_MATCH: dict[str, Any] = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "Versions that are known already: where the game is at one of them, 304.",
    "schema": _ANY_VALUE,
    "example": '"42"',
}


def operation(
    *codes: str,
    body: type[BaseModel] | None = None,
    body_optional: bool = False,
    player: Literal["required", "optional", "none"] = "none",
    scope: Scope | None = None,
    operator: bool = False,
    key: bool = False,
    if_match: bool = False,
    prefer: bool = False,
    query: bool = False,
    etag: bool = False,
    location: bool = False,
    limited: bool = True,
    deprecated: Deprecated | None = None,
    parameters: tuple[dict[str, Any], ...] = (),
) -> dict[str, Any]:
    """
    Arguments for a route's decorator: `@router.post(path, **operation("not_your_turn", …))`.

    Args:
        codes: problems of this operation; those that follow from the other arguments are added.
        player: whether a token is needed, or may be sent.
        scope: what the token must open; by default `read`, where one may be sent.
        operator: an operator's token is needed.
        query: it has query parameters, which may be malformed.
        etag: what succeeds carries a version; always so with `if_match`.
        location: what is made says where it is.
        limited: False where no rate limit counts it.
        deprecated: it is on its way out; by default it is not.
        parameters: further headers, as the document describes them.
    """
    found = list(codes)
    extra: dict[str, Any] = {"security": []}
    if body is not None:
        BODIES[body.__name__] = body
        found += ["invalid_request", "unsupported_media_type", "body_too_large"]
        extra["requestBody"] = {
            "required": not body_optional,
            "content": {
                "application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}
            },
        }
    if player != "none":
        found += ["unauthenticated", "token_expired", "scope_missing"]
        if scope is None and player == "required":
            raise ValueError("a call that needs a token needs a scope")
        bearer: list[dict[str, list[str]]] = [{"bearer": [scope or "read"]}]
        extra["security"] = bearer if player == "required" else [{}, *bearer]
    if operator:
        found += ["unauthenticated", "not_available"]
        extra["security"] = [{"operator": []}]
    headers = [
        *([_KEY] if key else []),
        *([_IF_MATCH] if if_match else []),
        *([_PREFER] if prefer else []),
        *parameters,
    ]
    if headers:
        extra["parameters"] = headers
    if key:
        found.append("idempotency_key_reused")
    if if_match:
        found.append("version_conflict")
    if key or if_match or query:
        found.append("invalid_request")
    extra[ANSWERS] = {"limited": limited, "versioned": etag or if_match, "located": location}
    if deprecated is not None:
        extra["deprecated"] = True
        extra[ANSWERS]["deprecated"] = deprecated.headers()
    return {"responses": responses(*found, limited=limited), "openapi_extra": extra}
