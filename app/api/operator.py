"""
What who runs the server may do: `/v1/operator`.

Every changing call is written into the operators' journal before it is done, names the state it
wants, and may be repeated.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from app.api import render
from app.api.calls import answered, games_of, page_limit, prefers_minimal, shown
from app.api.fields import UUID_PATTERN, GameId, PlayerId
from app.api.operations import operation
from app.api.operator_calls import MOST_NOTE, Reasoned, journalled, once, operator_of
from app.api.routing import api_router
from app.api.schemas import common
from app.api.schemas.common import PAGE_MAX, Limit, Moment
from app.api.schemas.game import Played
from app.api.schemas.words import OperatorAction
from app.api.strict import idempotency_key, if_match
from app.clock import rfc3339
from app.operators import AUTHOR, Action
from app.parts import parts_of
from app.service.repair import OperatorCall

router = api_router("operator")


class CallView(TypedDict):
    """A line of the journal, written before the call was carried out."""

    id: Annotated[str, Field(json_schema_extra={"format": "uuid"})]
    at: Moment
    action: OperatorAction
    subject: Annotated[
        str,
        Field(json_schema_extra={"format": "uuid"}, description="Id of the game or the player."),
    ]
    token: Annotated[
        str,
        Field(
            pattern="^[0-9a-f]{8,64}$",
            description="Which token: the beginning of its SHA-256.",
        ),
    ]
    note: Annotated[str | None, Field(max_length=MOST_NOTE)]


class CallPage(TypedDict):
    items: Annotated[list[CallView], Field(max_length=PAGE_MAX)]
    next: Annotated[
        str | None,
        Field(
            pattern=UUID_PATTERN,
            description="`before` of the next page; null: no more.",
        ),
    ]


class BanView(BaseModel):
    player_id: common.PlayerId
    banned_at: Annotated[Moment | None, Field(description="Null: not banned.")]


def _on_game(*codes: str, **how: Any) -> dict[str, Any]:
    whole = operation(
        "game_not_found",
        *codes,
        operator=True,
        body=Reasoned,
        body_optional=True,
        key=True,
        if_match=True,
        prefer=True,
        **how,
    )
    return {"response_model": Played, **whole}


def _on_player(*codes: str) -> dict[str, Any]:
    return operation(
        "player_not_found", *codes, operator=True, body=Reasoned, body_optional=True, key=True
    )


async def _call(request: Request, action: Action, game_id: str) -> OperatorCall:
    _, fingerprint = await journalled(request, Reasoned, action, game_id)
    scope = request.scope
    shape = render.minimal if prefers_minimal(request) else render.played
    return OperatorCall(AUTHOR, shape, idempotency_key(scope), fingerprint, if_match(scope))


@router.post("/v1/operator/games/{game_id}/void", **_on_game("game_archived"))
async def void_game(request: Request, game_id: GameId) -> Response:
    """
    Declare a game void, whatever its status: nobody wins, and it counts for nothing. Of a finished
    game the result is taken back. A game that is void stays so, and the answer has no events.
    """
    call = await _call(request, "void", game_id)
    return answered(await games_of(request).repair.void(call, game_id))


@router.post("/v1/operator/games/{game_id}/close", **_on_game())
async def close_table(request: Request, game_id: GameId) -> Response:
    """
    End a game, or close a table in the lobby, as its host could. A game that is over stays as it
    is, and the answer has no events.
    """
    call = await _call(request, "close", game_id)
    return answered(await games_of(request).repair.close(call, game_id))


@router.post("/v1/operator/players/{player_id}/ban", response_model=BanView, **_on_player())
async def ban_player(request: Request, player_id: PlayerId) -> Response:
    """
    Shut a player out. Its tokens open nothing, its streams end within 2 s, its running games are
    resigned and its lobbies left, and it may sit down nowhere.
    """
    _, fingerprint = await journalled(request, Reasoned, "ban", player_id)

    async def ban() -> BanView:
        since = await parts_of(request).players.ban(player_id)
        return BanView(player_id=player_id, banned_at=rfc3339(since))

    return await once(request, fingerprint, ban)


@router.post("/v1/operator/players/{player_id}/unban", response_model=BanView, **_on_player())
async def unban_player(request: Request, player_id: PlayerId) -> Response:
    """The player's tokens work again; games it has left stay left."""
    _, fingerprint = await journalled(request, Reasoned, "unban", player_id)

    async def unban() -> BanView:
        await parts_of(request).players.unban(player_id)
        return BanView(player_id=player_id, banned_at=None)

    return await once(request, fingerprint, unban)


Before = Annotated[
    str | None, Query(pattern=UUID_PATTERN, description="`next` of the page before.")
]


@router.get("/v1/operator/journal", response_model=CallPage, **operation(operator=True, query=True))
async def list_calls(request: Request, before: Before = None, limit: Limit = None) -> Response:
    """What operators asked for, the newest first."""
    await operator_of(request)
    most = page_limit(request, limit)
    found = await parts_of(request).operators.calls(before, most + 1)
    items: list[dict[str, Any]] = [
        {**call._asdict(), "at": rfc3339(call.at)} for call in found[:most]
    ]
    more = items[-1]["id"] if len(found) > most else None
    return shown(to_json({"items": items, "next": more}))
