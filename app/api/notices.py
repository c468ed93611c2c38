"""Notices of turns, for the operator's push service: polled, sent on, acknowledged."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError, to_json
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from app.api.calls import page_limit, shown
from app.api.fields import UUID_PATTERN
from app.api.operations import operation
from app.api.operator_calls import operator_of
from app.api.routing import api_router
from app.api.schemas.common import (
    PAGE_MAX,
    Count,
    GameNumber,
    Limit,
    Moment,
    PlayerId,
    SeatNumber,
    VersionNumber,
)
from app.api.strict import StrictModel, parse_body
from app.clock import rfc3339
from app.notices import Notice, NoticeKey
from app.parts import parts_of

router = api_router("operator")

AT_ONCE = 200
"""Ids of one acknowledgement; they fit a request body."""

NOTICE_ID = UUID_PATTERN.removesuffix("$") + r"\.[1-9][0-9]{0,9}$"

NoticeId = Annotated[
    str, Field(pattern=NOTICE_ID, description="The game's id, a point, and the version.")
]


def _none_twice(ids: list[str]) -> list[str]:
    if len(set(ids)) != len(ids):
        raise PydanticCustomError("repeated", "the same id twice")
    return ids


class NoticeView(TypedDict):
    """The turn of this player has come, and nobody has done anything in it yet."""

    id: NoticeId
    player_id: PlayerId
    game_id: GameNumber
    version: VersionNumber
    seat: SeatNumber
    at: Annotated[Moment, Field(description="When the turn came.")]
    connected: Annotated[
        bool, Field(description="The seat follows the game over a stream: somebody may be looking.")
    ]


class NoticeList(TypedDict):
    items: Annotated[list[NoticeView], Field(max_length=PAGE_MAX)]
    now: Moment


class AcknowledgeNotices(StrictModel):
    ids: Annotated[
        list[NoticeId],
        Field(min_length=1, max_length=AT_ONCE, description="None twice."),
        AfterValidator(_none_twice),
    ]


class Acknowledged(BaseModel):
    acknowledged: Annotated[Count, Field(description="How many of them were waiting still.")]


@router.get(
    "/v1/operator/notices", response_model=NoticeList, **operation(operator=True, query=True)
)
async def list_notices(request: Request, limit: Limit = None) -> Response:
    """
    Turns that have come for players who want to be told, the oldest first. A notice is listed until
    it is acknowledged, the game moves on, or it is too old: expect to see one twice.
    """
    await operator_of(request)
    parts = parts_of(request)
    now = parts.clock.now()
    since = now - parts.settings.notices_kept_h * 3_600_000
    found = await parts.notices.waiting(since, page_limit(request, limit))
    listed: NoticeList = {"items": [_view(notice) for notice in found], "now": rfc3339(now)}
    return shown(to_json(listed))


@router.post(
    "/v1/operator/notices/ack",
    response_model=Acknowledged,
    **operation(operator=True, body=AcknowledgeNotices),
)
async def acknowledge_notices(request: Request) -> Response:
    """Notices that need not be listed again. Those that are gone already are passed over."""
    await operator_of(request)
    body, _ = await parse_body(request, AcknowledgeNotices)
    keys = [NoticeKey(name[:36], int(name[37:])) for name in body.ids]
    done = Acknowledged(acknowledged=await parts_of(request).notices.acknowledge(keys))
    return shown(done.model_dump_json().encode())


def _view(notice: Notice) -> NoticeView:
    game_id, version = notice.key
    return {
        "id": f"{game_id}.{version}",
        "player_id": notice.player_id,
        "game_id": game_id,
        "version": version,
        "seat": notice.seat,
        "at": rfc3339(notice.at),
        "connected": notice.connected,
    }
