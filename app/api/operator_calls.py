"""An operator's call: who may, written down, and done once for each key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from app.api.auth import bearer_hash
from app.api.calls import answered
from app.api.fields import PlainText
from app.api.strict import StrictModel, idempotency_key, if_match, parse_body
from app.errors import Unauthenticated
from app.features import require
from app.log import note
from app.operators import AUTHOR, Action
from app.parts import parts_of
from app.ports import Answer

MOST_NOTE = 200


class Reasoned(StrictModel):
    """Why, for the journal; nobody else sees it."""

    note: Annotated[PlainText, Field(min_length=1, max_length=MOST_NOTE)] | None = None


M = TypeVar("M", bound=Reasoned)


async def operator_of(request: Request) -> str:
    """Which operator's token this is. Raises: NotAvailable, Unauthenticated."""
    parts = parts_of(request)
    require(parts.features, "operator")
    token_hash = bearer_hash(request.scope)
    mark = None if token_hash is None else parts.operators.mark_of(token_hash)
    if mark is None:
        note(why="operator", address=request.scope.get("hotdice.address"))
        raise Unauthenticated
    note(operator=mark)
    return mark


async def journalled(
    request: Request, model: type[M], action: Action, subject: str, *, may_be_empty: bool = True
) -> tuple[M, bytes]:
    """
    The body of an operator's call and its fingerprint, once the call is in the journal.

    Raises: NotAvailable, Unauthenticated, InvalidRequest, UnsupportedMediaType.
    """
    mark = await operator_of(request)
    body, fingerprint = await parse_body(request, model, may_be_empty=may_be_empty)
    idempotency_key(request.scope), if_match(request.scope)  # malformed ones change nothing
    await parts_of(request).operators.journal(mark, action, subject, body.note)
    return body, fingerprint


async def once(
    request: Request, fingerprint: bytes, act: Callable[[], Awaitable[BaseModel]]
) -> Response:
    """What a call leads to; a repeated key gets the first answer again, and nothing is done."""
    store, key = parts_of(request).store, idempotency_key(request.scope)
    if key and (known := await store.answer_to(AUTHOR, key, fingerprint)):
        return answered(known)
    answer = Answer(200, (await act()).model_dump_json().encode())
    if key:
        answer = await store.remember_answer(AUTHOR, key, fingerprint, answer)
    return answered(answer)
