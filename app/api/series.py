"""Series: many games between the same sides, for who compares strategies or holds a tournament."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, TypeVar

from pydantic import BaseModel
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from app.accounts import Scope
from app.api import asked
from app.api.auth import authenticate
from app.api.calls import also, answered, games_of, page_limit, shown, viewer
from app.api.events import NDJSON, lines
from app.api.fields import Cursor, SeriesId
from app.api.operations import operation
from app.api.refusals import BadPart, InvalidRequest
from app.api.routing import api_router
from app.api.schemas.common import Limit
from app.api.schemas.series import CreateSeries, JoinSeries, SeriesGamePage, SeriesView
from app.api.series_views import series as render
from app.api.series_views import series_game
from app.api.strict import NoFields, idempotency_key, parse_body
from app.series.plan import games_in_all
from app.service import GameService
from app.service.series import Caps, SeriesCall

router = api_router("series")

AT_ONCE = 4

M = TypeVar("M", bound=BaseModel)


def _changing(*codes: str, scope: Scope, **how: Any) -> dict[str, Any]:
    """The documentation of a call that changes a series."""
    return operation("series_not_found", *codes, player="required", scope=scope, key=True, **how)


async def _received(
    request: Request, model: type[M], *, may_be_empty: bool = False
) -> tuple[SeriesCall, M]:
    player = await authenticate(request)
    body, fingerprint = await parse_body(request, model, may_be_empty=may_be_empty)
    scope = request.scope
    address = scope.get("hotdice.address", "")
    return SeriesCall(player, render, idempotency_key(scope), fingerprint, address), body


@router.post(
    "/v1/series",
    status_code=201,
    response_model=SeriesView,
    **operation(
        *("malformed_rules", "malformed_settings", "not_available"),
        *("too_many_series", "too_many_bot_tables"),
        body=CreateSeries,
        player="required",
        scope="create",
        key=True,
        location=True,
    ),
)
async def create_series(request: Request) -> Response:
    """
    Plan a series; it runs once nobody is missing. Games open and start by themselves, `at_once` at
    a time, the next when one is over.
    """
    call, body = await _received(request, CreateSeries)
    service = games_of(request).series
    _within(body, service.caps)
    at_once = min(AT_ONCE, service.caps.at_once) if body.at_once is None else body.at_once
    return answered(await service.create(call, asked.series(body, at_once)))


def _within(body: CreateSeries, caps: Caps) -> None:
    """Raises: InvalidRequest, with every number that is too large or too small."""
    parts = []
    if len(body.participants) < body.seats:
        says = f"Must have {body.seats} items or more, one for each seat."
        parts.append(BadPart("too_short", says, "/participants"))
    planned = games_in_all(len(body.participants), body.seats, body.games)
    if planned > caps.games:
        says = f"These are {planned} games in all; {caps.games} are allowed."
        parts.append(BadPart("too_large", says, "/games"))
    if body.at_once is not None and body.at_once > caps.at_once:
        parts.append(BadPart("too_large", f"Must be {caps.at_once} or less.", "/at_once"))
    if parts:
        raise InvalidRequest(tuple(parts))


@router.get(
    "/v1/series/{series_id}",
    response_model=SeriesView,
    **operation("series_not_found", player="optional"),
)
async def show_series(request: Request, series_id: SeriesId) -> Response:
    """Progress and results so far; anybody with the id may look."""
    who, games = await viewer(request), games_of(request)
    found, standing = await games.series.series(series_id)
    return shown(render(found, standing, games.now(), who))


@router.delete(
    "/v1/series/{series_id}",
    response_model=SeriesView,
    **_changing("not_owner", "series_over", scope="create"),
)
async def cancel_series(request: Request, series_id: SeriesId) -> Response:
    """Open no further games, and end those that run; what is over stays in the results."""
    call, _ = await _received(request, NoFields, may_be_empty=True)
    return answered(await games_of(request).series.cancel(call, series_id))


@router.post(
    "/v1/series/{series_id}/join",
    response_model=SeriesView,
    **_changing(
        *("join_code_wrong", "already_takes_part", "series_full"), scope="play", body=JoinSeries
    ),
)
async def join_series(request: Request, series_id: SeriesId) -> Response:
    """Take the first free place. With the last one the series runs."""
    call, body = await _received(request, JoinSeries)
    return answered(await games_of(request).series.join(call, series_id, body.join_code))


@router.post(
    "/v1/series/{series_id}/leave",
    response_model=SeriesView,
    **_changing("not_taking_part", "series_over", scope="play", body=NoFields, body_optional=True),
)
async def leave_series(request: Request, series_id: SeriesId) -> Response:
    """Give one's place back; a series that runs is cancelled by that."""
    call, _ = await _received(request, NoFields, may_be_empty=True)
    return answered(await games_of(request).series.leave(call, series_id))


@router.get(
    "/v1/series/{series_id}/games",
    response_model=SeriesGamePage,
    **operation("series_not_found", query=True),
)
async def list_series_games(
    request: Request, series_id: SeriesId, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """All games by number, those to come included."""
    most = page_limit(request, limit)
    found = await games_of(request).series.games(series_id, _number(cursor), most + 1)
    more = str(found.games[most][0].number) if len(found.games) > most else None
    items = [series_game(found.series, *row) for row in found.games[:most]]
    page: SeriesGamePage = {"items": items, "next": more}
    return shown(to_json(page))


def _number(cursor: str | None) -> int:
    """Raises: InvalidRequest."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 6):
        raise InvalidRequest(
            (BadPart("bad_format", "Must be `next` of an earlier page.", parameter="cursor"),)
        )
    return int(cursor)


@router.get(
    "/v1/series/{series_id}/export",
    response_class=Response,
    **also(
        operation("series_not_found", "game_archived"),
        *(200, "The logs."),
        content={NDJSON: {"schema": {"type": "string"}}},
    ),
)
async def export_series(request: Request, series_id: SeriesId) -> Response:
    """
    The logs of all games opened so far as NDJSON. A header line, then each game by number, just as
    its own export has it. Refused where the log of one of them is archived.
    """
    games = games_of(request)
    await games.series.series(series_id)
    async for game_id in games.series.open_games(series_id):
        await games.reads.has_log(game_id)  # before the answer begins, and cannot be refused
    return StreamingResponse(_logs(games, series_id), media_type=NDJSON)


async def _logs(games: GameService, series_id: str) -> AsyncIterator[bytes]:
    yield json.dumps({"series_id": series_id, "format": 1}).encode() + b"\n"
    async for game_id in games.series.open_games(series_id):
        async for part in lines(games, game_id):
            yield part
