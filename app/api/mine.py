"""A player's own games: what a phone asks when it opens."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from app.api.auth import authenticate
from app.api.calls import games_of, page_limit, place_of
from app.api.fields import Cursor
from app.api.games import page
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import Limit, PlainSwitch, StatusAsked
from app.api.schemas.game import GamePage

router = api_router("players")


@router.get(
    "/v1/players/me/games",
    response_model=GamePage,
    **operation(player="required", scope="read", query=True),
)
async def my_games(
    request: Request,
    status: StatusAsked = None,
    to_move: Annotated[
        bool | None, PlainSwitch, Query(description="Only games in which one is to move, or not.")
    ] = None,
    limit: Limit = None,
    cursor: Cursor = None,
) -> Response:
    """One's games, private ones too, the newest first."""
    player = await authenticate(request)
    games, most = games_of(request), page_limit(request, limit)
    before = place_of(cursor)
    rows = await games.reads.games_of(player.id, status, to_move, before, most + 1)
    return page(rows, most, games.now())
