"""Advice for the seat to move."""

from __future__ import annotations

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from app.api.auth import authenticate
from app.api.calls import games_of, shown
from app.api.fields import GameId
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.advice import AdviceView, AdvisedOption
from app.clock import rfc3339
from app.service.advising import Given
from engine.bots.advice import Advised

router = api_router("commands")

PLACES = 6
"""Digits of a chance."""


@router.get(
    "/v1/games/{game_id}/advice",
    response_model=AdviceView,
    **operation(
        *("game_not_found", "not_seated", "not_your_turn", "not_started", "game_over"),
        *("time_is_up", "advice_is_off", "advice_not_ready", "version_conflict"),
        player="required",
        etag=True,
        scope="play",
    ),
)
async def advise(request: Request, game_id: GameId) -> Response:
    """
    What the analysis makes of the moment, for the player of the seat to move. Every option, the
    best first. The log tells everybody that advice was given (`advice_given`), once a roll. A rule
    set that nobody has asked about yet is worked out first: what takes longer than two seconds is
    answered 503 `advice_not_ready`, and goes on.
    """
    player = await authenticate(request)
    given = await games_of(request).advising.advise(player, game_id)
    return shown(to_json(_view(game_id, given)), {"ETag": f'"{given.version}"'})


def _view(game_id: str, given: Given) -> AdviceView:
    advice = given.advice
    return {
        "game_id": game_id,
        "version": given.version,
        "now": rfc3339(given.now),
        "seat": given.seat,
        "compared_by": "win" if advice.by_win else "points",
        "simplified": advice.simplified,
        "why": advice.why,
        "options": [_option(each) for each in advice.options],
    }


def _option(each: Advised) -> AdvisedOption:
    option, choice = each.option, each.option.move.select
    return {
        "command": option.move.name,
        "select": None
        if choice is None
        else {"dice": list(choice.dice), "wild_face": choice.wild_face},
        "turn_score": option.score,
        "dice_to_roll": option.dice.bit_count(),
        "points": None if each.points is None else round(each.points, 2),
        "bust": _chance(each.bust),
        "win": None if option.win is None else _chance(option.win),
    }


def _chance(chance: float) -> float:
    return min(1.0, max(0.0, round(chance, PLACES)))
