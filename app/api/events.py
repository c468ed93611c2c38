"""A game's log: to follow, to look back, to export and check."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import TypeAliasType

from app import exporting
from app.api import render, sse
from app.api.calls import also, at_most, games_of, page_limit, shown, viewer
from app.api.fairness import fairness
from app.api.fields import After, GameId, QueryNumber
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import Limit, VersionPath
from app.api.schemas.event import EventPage
from app.api.schemas.fairness import FairnessView
from app.api.schemas.game import GameView
from app.live import frames
from app.parts import parts_of
from app.service import GameService

router = api_router("games")

NDJSON = "application/x-ndjson"

Wait = Annotated[
    int,
    QueryNumber,
    Query(
        ge=0,
        le=60,
        description="Seconds to wait for an event; `limits.wait_s` of `GET /v1` at most.",
    ),
]


FrameView = TypeAliasType("FrameView", Literal["full", "events"])
StreamView = Annotated[
    FrameView,
    Query(description="Of a stream: `events` leaves out the state each frame leads to."),
]


def _reading(*codes: str, **how: Any) -> dict[str, Any]:
    return operation("game_not_found", "game_archived", *codes, player="optional", **how)


_AS_STREAM = {
    "content": {
        sse.MEDIA_TYPE: {
            "schema": {
                "type": "string",
                "description": "The frames of the game's stream as server-sent events.",
            },
            "examples": {
                "resumed": {
                    "summary": "The first frame after version 40; the answer goes on",
                    "value": frames.resumed(40, 43, 1_780_315_200_000).event.decode(),
                }
            },
        }
    }
}
_LAST_ID = {
    "name": sse.LAST,
    "in": "header",
    "required": False,
    "description": "Server-sent events: the last version seen. Goes before `after`.",
    "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,9})?$"},
    "example": "40",
}


@router.get(
    "/v1/games/{game_id}/events",
    response_model=EventPage,
    **also(
        _reading("version_not_found", "too_many_streams", query=True, parameters=(_LAST_ID,)),
        200,
        "The events, or with `Accept: text/event-stream` the game's stream.",
        **_AS_STREAM,
    ),
)
async def list_events(
    request: Request,
    game_id: GameId,
    after: After = 0,
    wait: Wait = 0,
    limit: Limit = None,
    view: StreamView = "full",
) -> Response:
    """
    The events above a version, gap-free. `wait` answers at once when there is one. A version that
    the game has not come to is refused: whoever has seen it must read the game anew.

    With `Accept: text/event-stream` the answer does not end: it is the game's stream, from its
    state on, or resumed after `after` or `Last-Event-ID`.
    """
    if sse.is_asked_for(request):
        asked = after if "after" in request.query_params else None
        return await sse.events_of(request, game_id, asked, view)
    most = page_limit(request, limit)
    wait_s = at_most(parts_of(request).settings.wait_max, wait, "wait")
    who = await viewer(request)
    waits = parts_of(request).live.connections.polling if wait_s else nullcontext
    with waits(request.scope.get("hotdice.address", "")):
        found = await games_of(request).reads.events(game_id, who, after, most + 1, wait_s)
    more = str(found[most - 1].version) if len(found) > most else "null"
    items = render.event_list(found[:most])
    return shown(b'{"items":%b,"next":%b}' % (items, more.encode()))


@router.get(
    "/v1/games/{game_id}/states/{version}",
    response_model=GameView,
    **_reading("version_not_found"),
)
async def show_state(request: Request, game_id: GameId, version: VersionPath) -> Response:
    """The state as it was, rebuilt from the log."""
    who, games = await viewer(request), games_of(request)
    head = await games.reads.state_at(game_id, version, who)
    return shown(render.game(head, (), games.now(), who))


@router.get("/v1/games/{game_id}/fairness", response_model=FairnessView, **_reading())
async def show_fairness(request: Request, game_id: GameId) -> Response:
    """What was committed to, what is sealed, what is revealed, and how to check it."""
    games = games_of(request)
    head = await games.reads.game(game_id, await viewer(request))
    closed = await games.reads.sealing(game_id)
    return shown(to_json(fairness(head, closed, games.now())))


@router.get(
    "/v1/games/{game_id}/export",
    response_class=Response,
    **also(_reading(), 200, "The log.", content={NDJSON: {"schema": {"type": "string"}}}),
)
async def export_game(request: Request, game_id: GameId) -> Response:
    """
    The canonical log as NDJSON. A header line, then `{"version", "bytes", "hash"}` for each
    event; `bytes` is exactly what was hashed.
    """
    games = games_of(request)
    await games.reads.game(game_id, await viewer(request))
    await games.reads.has_log(game_id)
    return StreamingResponse(lines(games, game_id), media_type=NDJSON)


async def lines(games: GameService, game_id: str) -> AsyncIterator[bytes]:
    yield exporting.header(game_id)
    async for page in games.reads.log(game_id):
        yield exporting.lines(page)
