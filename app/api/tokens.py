"""Tokens for scripts: `/v1/players/me/tokens`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError
from starlette.requests import Request
from starlette.responses import Response

from app.api.auth import authenticate
from app.api.calls import answered, shown
from app.api.fields import PlainText, TokenId
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import Moment, NextCursor, Secret
from app.api.schemas.words import GrantedScope
from app.api.strict import NoFields, StrictModel, idempotency_key, parse_body
from app.clock import rfc3339
from app.parts import parts_of
from app.ports import Answer
from app.scoped_tokens import ScopedToken

router = api_router("players")

MOST_NAME = 60
MOST_TOKENS = 1_000
"""No setting allows more."""
LEAST_S, MOST_S = 60, 315_360_000


def _none_twice(scopes: list[GrantedScope]) -> list[GrantedScope]:
    if len(set(scopes)) != len(scopes):
        raise PydanticCustomError("repeated", "the same scope twice")
    return scopes


class NewScopedToken(StrictModel):
    """What a script needs, and no more."""

    scopes: Annotated[
        list[GrantedScope],
        Field(min_length=1, max_length=3, description="None twice."),
        AfterValidator(_none_twice),
    ]
    name: Annotated[PlainText, Field(min_length=1, max_length=MOST_NAME)] | None = Field(
        None, description="To tell it from others."
    )
    expires_in_s: Annotated[int, Field(ge=LEAST_S, le=MOST_S)] | None = Field(
        None, description="Seconds until it expires; at the latest it does so as all tokens do."
    )


class ScopedTokenView(BaseModel):
    """A token for a script, without its secret."""

    id: Annotated[str, Field(json_schema_extra={"format": "uuid"})]
    name: Annotated[str | None, Field(max_length=MOST_NAME)]
    scopes: Annotated[list[GrantedScope], Field(max_length=3)]
    created_at: Moment
    used_at: Annotated[Moment, Field(description="To the hour.")]
    expires_at: Annotated[Moment, Field(description="At the latest; unused for long, earlier.")]


class DrawnToken(ScopedTokenView):
    token: Annotated[Secret, Field(description="Shown once. Send it as `Authorization: Bearer …`.")]


class ScopedTokenList(BaseModel):
    items: Annotated[list[ScopedTokenView], Field(max_length=MOST_TOKENS)]
    next: Annotated[
        NextCursor, Field(description="Always null: a setting bounds them, and one page has all.")
    ]


def _view(token: ScopedToken) -> dict[str, object]:
    return {
        "id": token.id,
        "name": token.name,
        "scopes": list(token.scopes),
        "created_at": rfc3339(token.created_at),
        "used_at": rfc3339(token.used_at),
        "expires_at": rfc3339(token.expires_at),
    }


@router.post(
    "/v1/players/me/tokens",
    status_code=201,
    response_model=DrawnToken,
    **operation("too_many_tokens", body=NewScopedToken, player="required", scope="account"),
)
async def create_token(request: Request) -> Response:
    """A token for a script. No key: an answer with a token is never stored."""
    player = await authenticate(request)
    body, _ = await parse_body(request, NewScopedToken)
    lives_ms = None if body.expires_in_s is None else 1000 * body.expires_in_s
    token, known = await parts_of(request).scoped_tokens.draw(
        player.id, body.scopes, body.name, lives_ms
    )
    made = DrawnToken.model_validate({**_view(known), "token": token})
    return answered(Answer(201, made.model_dump_json().encode()))


@router.get(
    "/v1/players/me/tokens",
    response_model=ScopedTokenList,
    **operation(player="required", scope="account"),
)
async def list_tokens(request: Request) -> Response:
    """One's tokens for scripts that still open something, the newest first."""
    player = await authenticate(request)
    found = await parts_of(request).scoped_tokens.of_player(player.id)
    listed = ScopedTokenList.model_validate({"items": [_view(t) for t in found], "next": None})
    return shown(listed.model_dump_json().encode())


@router.delete(
    "/v1/players/me/tokens/{token_id}",
    status_code=204,
    **operation(
        "token_not_found",
        body=NoFields,
        body_optional=True,
        player="required",
        scope="account",
        key=True,
    ),
)
async def revoke_token(request: Request, token_id: TokenId) -> Response:
    """End a token: it opens nothing any more, and its streams end within 2 s."""
    parts = parts_of(request)
    player = await authenticate(request)
    _, print_ = await parse_body(request, NoFields, may_be_empty=True)
    key = idempotency_key(request.scope)
    if key and await parts.store.answer_to(player.id, key, print_):
        return Response(status_code=204)
    await parts.scoped_tokens.revoke(player.id, token_id)
    if key:
        await parts.store.remember_answer(player.id, key, print_, Answer(204, b""))
    return Response(status_code=204)
