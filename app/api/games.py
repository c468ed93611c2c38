"""Tables: opening, listing, showing, joining, leaving, starting."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from app.accounts import Scope
from app.api import asked, render
from app.api.answer_headers import LOCATION
from app.api.calls import (
    also,
    answered,
    carried_out,
    cursor_after,
    games_of,
    is_known,
    known_preset,
    page_limit,
    place_of,
    received,
    shown,
    viewer,
)
from app.api.fields import Cursor, GameId
from app.api.operations import IF_NONE_MATCH, operation
from app.api.routing import api_router
from app.api.schemas.common import Limit, PresetAsked, StatusAsked
from app.api.schemas.game import GamePage, GameView, Played
from app.api.schemas.requests import ChangeGame, CreateGame, JoinByCode, JoinGame, StartGame
from app.api.strict import NoFields
from app.api.verbs import VERBS
from app.api.views import summary
from app.clock import rfc3339
from app.ports import Summary
from engine.units import Millis

router = api_router("games")

_LOBBY = ("game_not_found", "already_started", "game_over")
_JOINING = (
    *("already_started", "game_over", "already_seated", "seat_taken", "table_full"),
    *("no_such_seat", "join_code_wrong"),
)


def _changing(*codes: str, scope: Scope, **how: Any) -> dict[str, Any]:
    """The documentation of a call that changes a game."""
    return operation(
        *codes, player="required", scope=scope, key=True, if_match=True, prefer=True, **how
    )


@router.post(
    "/v1/games",
    status_code=201,
    response_model=GameView,
    **operation(
        *("malformed_rules", "malformed_settings"),
        "not_available",
        "too_many_bot_tables",
        body=CreateGame,
        player="required",
        scope="create",
        key=True,
        prefer=True,
        etag=True,
        location=True,
    ),
)
async def create_game(request: Request) -> Response:
    """Open a table; its creator is the host and takes the first human seat."""
    call, body = await received(request, CreateGame, render.game)
    return answered(await games_of(request).opening.create(call, asked.table(body)))


@router.get("/v1/games", response_model=GamePage, **operation(query=True))
async def list_games(
    request: Request,
    status: StatusAsked = None,
    preset: PresetAsked = None,
    limit: Limit = None,
    cursor: Cursor = None,
) -> Response:
    """Public tables, the newest first."""
    games, most = games_of(request), page_limit(request, limit)
    known_preset(request, preset)
    rows = await games.reads.public_games(status, preset, place_of(cursor), most + 1)
    return page(rows, most, games.now())


def page(rows: list[Summary], most: int, now: Millis) -> Response:
    """A page of games, out of rows of which one more was asked for than it holds."""
    items = [summary(row) for row in rows[:most]]
    more = cursor_after(rows[most - 1]) if len(rows) > most else None
    answer: GamePage = {"items": items, "next": more, "now": rfc3339(now)}
    return shown(to_json(answer))


@router.get(
    "/v1/games/{game_id}",
    response_model=GameView,
    **also(
        operation("game_not_found", player="optional", etag=True, parameters=(IF_NONE_MATCH,)),
        *(304, "If-None-Match names this version."),
    ),
)
async def show_game(request: Request, game_id: GameId) -> Response:
    """The state, with everything open to the seat to move. Honours If-None-Match."""
    who, games = await viewer(request), games_of(request)
    head = await games.reads.game(game_id, who)
    tag = {"ETag": f'"{head.version}"'}
    if is_known(request, head.version):
        return Response(None, 304, tag)
    return shown(render.game(head, (), games.now(), who), tag)


@router.patch(
    "/v1/games/{game_id}",
    response_model=GameView,
    **_changing(
        *(*_LOBBY, "not_host", "malformed_rules", "malformed_settings", "not_available"),
        scope="create",
        body=ChangeGame,
    ),
)
async def change_game(request: Request, game_id: GameId) -> Response:
    """The host changes settings in the lobby; what is left out stays."""
    call, body = await received(request, ChangeGame, render.game)
    return answered(await games_of(request).tables.change(call, game_id, asked.changes(body)))


@router.post(
    "/v1/games/{game_id}/join",
    response_model=GameView,
    **_changing("game_not_found", *_JOINING, scope="play", body=JoinGame, body_optional=True),
)
async def join_game(request: Request, game_id: GameId) -> Response:
    """Take a seat; at a table that is not public, with its code."""
    call, body = await received(request, JoinGame, render.game, may_be_empty=True)
    joined = games_of(request).tables.join(call, game_id, body.join_code, body.seat)
    return answered(await joined)


@router.post(
    "/v1/join",
    response_model=GameView,
    **operation(
        *_JOINING,
        body=JoinByCode,
        player="required",
        scope="play",
        key=True,
        prefer=True,
        etag=True,
    ),
)
async def join_by_code(request: Request) -> Response:
    """Take a seat by a join code alone."""
    call, body = await received(request, JoinByCode, render.game)
    joined = games_of(request).tables.join_by_code(call, body.join_code, body.seat)
    return answered(await joined)


@router.post(
    "/v1/games/{game_id}/leave",
    response_model=GameView,
    **_changing(*_LOBBY, "not_seated", scope="play", body=NoFields, body_optional=True),
)
async def leave_game(request: Request, game_id: GameId) -> Response:
    """Leave the lobby; a host's role passes on, and the last one out closes the table."""
    call, _ = await received(request, NoFields, render.game, may_be_empty=True)
    return answered(await games_of(request).tables.leave(call, game_id))


@router.post(
    "/v1/games/{game_id}/start",
    response_model=Played,
    **_changing(
        *(*_LOBBY, "not_host", "seats_empty", "too_few_seats"),
        *("sealing_failed", "seats_contribute"),
        scope="create",
        body=StartGame,
        body_optional=True,
    ),
)
async def start_game(request: Request, game_id: GameId) -> Response:
    """
    The host starts the game. Seats that have committed to a contribution to the dice are asked to
    reveal it (status sealing); where there are none, the first seat moves.
    """
    return await carried_out(request, game_id, VERBS["start"])


@router.post(
    "/v1/games/{game_id}/rematch",
    response_model=GameView,
    status_code=201,
    **also(
        _changing(
            *("game_not_found", "game_archived", "not_seated", "not_finished"),
            "too_many_bot_tables",
            scope="create",
            body=NoFields,
            body_optional=True,
            location=True,
        ),
        *(200, "The game somebody else has asked for."),
        model=GameView,
        headers={"Location": LOCATION},
    ),
)
async def rematch(request: Request, game_id: GameId) -> Response:
    """
    The game that carries on with the same rules and seats, the next seat to begin. Whoever asks
    first becomes its host (201); the others are answered with the same game (200).
    """
    call, _ = await received(request, NoFields, render.game, may_be_empty=True)
    return answered(await games_of(request).opening.rematch(call, game_id))
