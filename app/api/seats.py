"""Seats of a table, as the host lays them in the lobby."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from app.api import render
from app.api.asked import place
from app.api.calls import answered, games_of, received
from app.api.fields import GameId
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import SeatPath
from app.api.schemas.game import GameView
from app.api.schemas.requests import ChangeSeat

router = api_router("games")


@router.patch(
    "/v1/games/{game_id}/seats/{seat}",
    response_model=GameView,
    **operation(
        *("game_not_found", "not_host", "already_started", "game_over", "no_such_seat"),
        *("cheat_needs_human", "malformed_settings", "not_available", "too_many_bot_tables"),
        body=ChangeSeat,
        player="required",
        scope="create",
        key=True,
        if_match=True,
        prefer=True,
    ),
)
async def change_seat(request: Request, game_id: GameId, seat: SeatPath) -> Response:
    """The host makes a seat human, bot or closed; whoever sat there is removed."""
    call, body = await received(request, ChangeSeat, render.game)
    asked = place(body.root)
    changed = games_of(request).tables.set_seat(call, game_id, seat, asked.kind, asked.character)
    return answered(await changed)
