"""`POST /v1/tickets`: for browsers, whose WebSockets carry no headers."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from app.api.auth import authenticate, bearer_hash
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import Moment, Secret
from app.api.strict import NoFields, parse_body
from app.clock import rfc3339
from app.errors import Unauthenticated
from app.parts import parts_of

router = api_router("players")


class NewTicket(BaseModel):
    ticket: Annotated[
        Secret, Field(description="Opens one stream: `?ticket=…`. Good once, for 30 seconds.")
    ]
    expires_at: Moment


@router.post(
    "/v1/tickets",
    status_code=201,
    response_model=NewTicket,
    **operation(body=NoFields, body_optional=True, player="required", scope="read"),
)
async def create_ticket(request: Request) -> Response:
    """A ticket for one WebSocket, where the token cannot be sent along. No key, as for tokens."""
    player = await authenticate(request)
    token_hash = bearer_hash(request.scope)
    if token_hash is None:
        raise Unauthenticated
    await parse_body(request, NoFields, may_be_empty=True)
    ticket, expires_at = await parts_of(request).tickets.issue(player.id, token_hash)
    body = to_json({"ticket": ticket, "expires_at": rfc3339(expires_at)})
    return Response(body, 201, media_type="application/json")
