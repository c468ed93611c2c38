"""Quick games: waiting for others who want to play the same."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from app.api import asked, render
from app.api.answer_headers import LOCATION
from app.api.auth import authenticate
from app.api.calls import also, answered, games_of, received, shown
from app.api.fields import MatchId
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.match import FindMatch, MatchView
from app.api.strict import NoFields

router = api_router("games")


@router.post(
    "/v1/matchmaking",
    status_code=201,
    response_model=MatchView,
    **also(
        operation(
            *("malformed_rules", "malformed_settings", "not_available", "too_many_bot_tables"),
            body=FindMatch,
            player="required",
            scope="play",
            key=True,
            prefer=True,
            etag=True,
            location=True,
        ),
        *(200, "One waits there already."),
        model=MatchView,
        headers={"Location": LOCATION},
    ),
)
async def find_match(request: Request) -> Response:
    """
    Join the table that waits for players of the same rules, seats and clocks, or open one. Who
    takes the last seat starts the game.
    """
    call, body = await received(request, FindMatch, render.match)
    return answered(await games_of(request).matches.wait(call, asked.match(body)))


@router.get(
    "/v1/matchmaking/{match_id}",
    response_model=MatchView,
    **operation("match_not_found", player="required", scope="read", etag=True),
)
async def show_match(request: Request, match_id: MatchId) -> Response:
    """Whether one still waits. The game's stream, and one's own, tell it without asking."""
    player, games = await authenticate(request), games_of(request)
    head = await games.matches.match(match_id, player.id)
    tag = {"ETag": f'"{head.version}"'}
    return shown(render.match(head, (), games.now(), player.id), tag)


@router.delete(
    "/v1/matchmaking/{match_id}",
    response_model=MatchView,
    **operation(
        *("match_not_found", "already_started", "game_over"),
        player="required",
        scope="play",
        key=True,
        if_match=True,
        prefer=True,
    ),
)
async def cancel_match(request: Request, match_id: MatchId) -> Response:
    """Wait no longer. Once the game has started, one resigns instead."""
    call, _ = await received(request, NoFields, render.match, may_be_empty=True)
    return answered(await games_of(request).matches.cancel(call, match_id))
