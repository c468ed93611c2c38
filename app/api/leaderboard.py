"""Who wins most: `/v1/leaderboard`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from fastapi import Query
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from app.api.calls import cursor_at, known_preset, page_limit, read_cursor, shown
from app.api.fields import Cursor
from app.api.operations import operation
from app.api.refusals import BadPart, InvalidRequest
from app.api.routing import api_router
from app.api.schemas.common import Limit, PresetAsked
from app.api.schemas.statistics import Leaderboard, LeaderboardLine
from app.api.statistics import line_view
from app.clock import rfc3339
from app.parts import parts_of
from app.statistics import EVERYTHING, Rung, ladder_of_preset, ladder_of_rules

router = api_router("players")


class Place(NamedTuple):
    """Where a page ends."""

    wins: int
    best_turn: int
    player_id: str
    rank: int
    number: int
    """Lines up to here, this one included."""


_PLACE = re.compile(r"([0-9]{1,9}),([0-9]{1,12}),([0-9a-f-]{36}),([0-9]{1,9}),([0-9]{1,9})")


@router.get("/v1/leaderboard", response_model=Leaderboard, **operation(query=True))
async def show_leaderboard(
    request: Request,
    preset: PresetAsked = None,
    rules_key: Annotated[
        str | None,
        Query(pattern="^[0-9a-f]{32}$", description="Exactly these rules; not with `preset`."),
    ] = None,
    limit: Limit = None,
    cursor: Cursor = None,
) -> Response:
    """
    Players by their wins in fair games that ended. These are the games of a preset, of one rule
    set, or all. It moves while it is read: a player who wins meanwhile may be on two pages, or on
    none.
    """
    if preset is not None and rules_key is not None:
        part = BadPart("not_allowed", "Cannot go together with preset.", parameter="rules_key")
        raise InvalidRequest((part,))
    known_preset(request, preset)
    ladder = EVERYTHING if preset is None else ladder_of_preset(preset)
    if rules_key is not None:
        ladder = ladder_of_rules(rules_key)
    parts, most, after = parts_of(request), page_limit(request, limit), _place(cursor)
    below = None if after is None else (after.wins, after.best_turn, after.player_id)
    rungs = await parts.statistics.ladder(ladder, below=below, limit=most + 1)
    lines, last = _ranked(rungs[:most], after)
    answer: Leaderboard = {
        "preset": preset,
        "rules_key": rules_key,
        "items": lines,
        "next": cursor_at(last) if last is not None and len(rungs) > most else None,
        "now": rfc3339(parts.clock.now()),
    }
    return shown(to_json(answer))


def _ranked(
    rungs: Sequence[Rung], after: Place | None
) -> tuple[list[LeaderboardLine], Place | None]:
    lines = []
    for rung in rungs:
        wins, best, number = rung.totals.wins, rung.totals.figures.best_turn, 1
        rank = 1
        if after is not None:
            number = after.number + 1
            rank = after.rank if after[:2] == (wins, best) else number
        lines.append(line_view(rung, rank))
        after = Place(wins, best, rung.player_id, rank, number)
    return lines, after


def _place(cursor: str | None) -> Place | None:
    """Raises: InvalidRequest, for one that is none of ours."""
    if cursor is None:
        return None
    wins, best_turn, player_id, rank, number = read_cursor(cursor, _PLACE)
    return Place(int(wins), int(best_turn), player_id, int(rank), int(number))
