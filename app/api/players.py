"""Guests: `/v1/players`."""

from __future__ import annotations

from typing import Annotated, get_args

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json
from starlette.responses import Response

from app.accounts import Caller, Scope
from app.api.auth import authenticate, authenticated
from app.api.calls import cursor_at, page_limit, place_of, shown, viewer
from app.api.fields import MOST_NAME, Cursor, PlayerId, PlayerName
from app.api.operations import operation
from app.api.refusals import BadPart, InvalidRequest
from app.api.routing import api_router
from app.api.schemas.common import Count, Limit, Secret, World
from app.api.schemas.statistics import PastGamePage, PlayerProfile
from app.api.schemas.words import ScopeName
from app.api.statistics import past_game_view, profile_view
from app.api.strict import NoFields, StrictModel, idempotency_key, parse_body
from app.clock import rfc3339
from app.errors import PlayerNotFound
from app.features import require
from app.parts import parts_of
from app.ports import Answer, Player
from app.statistics import Profile

router = api_router("players")

Identifier = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
SCOPES: tuple[Scope, ...] = get_args(Scope)


class NewPlayer(StrictModel):
    name: PlayerName
    bot: bool = Field(
        False,
        description="A program plays: seats and profile say so, for good, and its games count for "
        "nobody's statistics unless two people play too.",
    )


class PlayerChange(StrictModel):
    """What is to change; at least one of them."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    name: PlayerName = Field(default_factory=str)
    notices: bool = Field(
        default_factory=bool, description="Whether turns that come are told by a push service."
    )


class PlayerAccount(BaseModel):
    """A player, to itself; `GET /v1/players/{id}` tells more, and to everybody."""

    id: Identifier
    name: Annotated[str, Field(max_length=MOST_NAME)]
    created_at: Moment
    bot: Annotated[bool, Field(description="A program plays.")]


class Access(BaseModel):
    """The token that was sent with this call."""

    scopes: Annotated[list[ScopeName], Field(max_length=4)]
    expires_at: Annotated[
        Moment,
        Field(
            description="At the latest; earlier, where it is not used for long. Rotate it before."
        ),
    ]


class MyAccount(PlayerAccount):
    """What a player is told of itself."""

    purse: Annotated[Count, Field(description="Wild Rolls of its own, for any game that allows.")]
    worlds: Annotated[list[World], Field(max_length=100, description="Worlds reached.")]
    notices: Annotated[bool, Field(description="Turns that come are told by a push service.")]
    access: Access


class NewGuest(PlayerAccount):
    token: Annotated[Secret, Field(description="Shown once. Send it as `Authorization: Bearer …`.")]


class NewToken(BaseModel):
    token: Annotated[
        Secret, Field(description="Shown once. Older ones end when this one is first used.")
    ]


def _account(player: Player) -> PlayerAccount:
    return PlayerAccount(
        id=player.id, name=player.name, created_at=rfc3339(player.created_at), bot=player.bot
    )


async def _mine(request: Request, caller: Caller) -> MyAccount:
    parts, player = parts_of(request), caller.player
    held = await parts.purses.held(player.id)
    return MyAccount(
        **_account(player).model_dump(),
        purse=held.wild_rolls,
        worlds=list(held.worlds),
        notices=parts.features["notices"] and await parts.notices.wanted_by(player.id),
        access=Access(
            scopes=[scope for scope in SCOPES if caller.may(scope)],
            expires_at=rfc3339(caller.ends_at),
        ),
    )


def _json(answer: Answer) -> Response:
    headers = {"Location": answer.location} if answer.location else None
    return Response(answer.body, answer.status, headers, media_type="application/json")


@router.post(
    "/v1/players",
    status_code=201,
    response_model=NewGuest,
    **operation(body=NewPlayer, location=True),
)
async def create_player(request: Request) -> Response:
    """Make a guest. No key: an answer with a token is never stored."""
    body, _ = await parse_body(request, NewPlayer)
    player, token = await parts_of(request).players.create(body.name, bot=body.bot)
    made = NewGuest(**_account(player).model_dump(), token=token)
    return _json(Answer(201, made.model_dump_json().encode(), location=f"/v1/players/{player.id}"))


@router.get("/v1/players/me", **operation(player="required", scope="read"))
async def show_me(request: Request) -> MyAccount:
    """What a player is told of itself, and of the token it asks with."""
    return await _mine(request, await authenticated(request))


@router.patch(
    "/v1/players/me",
    response_model=MyAccount,
    **operation("not_available", body=PlayerChange, player="required", scope="account", key=True),
)
async def change_me(request: Request) -> Response:
    """
    Rename, or turn notices on or off. Tables keep the name their player sat down with.
    """
    parts = parts_of(request)
    caller = await authenticated(request)
    player = caller.player
    body, print_ = await parse_body(request, PlayerChange)
    sent = body.model_fields_set
    if not sent:
        raise InvalidRequest((BadPart("missing", "A name or notices are required.", "/name"),))
    if "notices" in sent:
        require(parts.features, "notices")
    key = idempotency_key(request.scope)
    if key and (known := await parts.store.answer_to(player.id, key, print_)):
        return _json(known)
    if "name" in sent:
        caller = caller._replace(player=await parts.players.rename(player, body.name))
    if "notices" in sent:
        await parts.notices.want(player.id, body.notices)
    answer = Answer(200, (await _mine(request, caller)).model_dump_json().encode())
    if key:
        answer = await parts.store.remember_answer(player.id, key, print_, answer)
    return _json(answer)


@router.delete(
    "/v1/players/me",
    status_code=204,
    **operation(body=NoFields, body_optional=True, player="required", scope="account", key=True),
)
async def forget_me(request: Request) -> Response:
    """
    Forget the caller. Running games are resigned, lobbies left, the name becomes "deleted player"
    at every table, and all tokens end, so that a repeated call is answered with 401.
    """
    parts = parts_of(request)
    player = await authenticate(request)
    _, print_ = await parse_body(request, NoFields, may_be_empty=True)
    if key := idempotency_key(request.scope):
        await parts.store.answer_to(player.id, key, print_)
    await parts.players.forget(player)
    return Response(status_code=204)


@router.post(
    "/v1/players/me/token",
    status_code=201,
    response_model=NewToken,
    **operation(body=NoFields, body_optional=True, player="required", scope="account"),
)
async def rotate_token(request: Request) -> Response:
    """A new token; older ones work until it is first used. No key, as for new guests."""
    player = await authenticate(request)
    await parse_body(request, NoFields, may_be_empty=True)
    made = NewToken(token=await parts_of(request).players.rotate(player))
    return _json(Answer(201, made.model_dump_json().encode()))


@router.get(
    "/v1/players/{player_id}", response_model=PlayerProfile, **operation("player_not_found")
)
async def show_player(request: Request, player_id: PlayerId) -> Response:
    """What everybody may know of a player: figures over the fair games that ended."""
    profile = await _found(request, player_id)
    held = await parts_of(request).purses.held(player_id)
    return shown(to_json(profile_view(profile, held.worlds)))


@router.get(
    "/v1/players/{player_id}/games",
    response_model=PastGamePage,
    **operation("player_not_found", player="optional", query=True),
)
async def past_games(
    request: Request, player_id: PlayerId, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """
    The games that counted for a player, the last to end first. Private ones are told to those who
    sat at them.
    """
    who, most, before = await viewer(request), page_limit(request, limit), place_of(cursor)
    await _found(request, player_id)
    parts = parts_of(request)
    rows = await parts.statistics.past_games(player_id, who, before=before, limit=most + 1)
    more = None
    if len(rows) > most:
        last = rows[most - 1]
        more = cursor_at((last.ended_at, last.game.head.game.setup.game_id))
    items = [past_game_view(row) for row in rows[:most]]
    page: PastGamePage = {"items": items, "next": more, "now": rfc3339(parts.clock.now())}
    return shown(to_json(page))


async def _found(request: Request, player_id: str) -> Profile:
    """Raises: PlayerNotFound."""
    found = await parts_of(request).statistics.profile(player_id)
    if found is None:
        raise PlayerNotFound
    return found
