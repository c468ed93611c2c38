"""Play: the five commands of a turn, and what ends a game or bends it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.accounts import Scope
from app.api.calls import carried_out
from app.api.fields import GameId
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.game import Played
from app.api.schemas.requests import MaySelect, ResignSeat, SelectDice, SkipSeat
from app.api.strict import NoFields
from app.api.verbs import VERBS

router = api_router("commands")

_RUNNING = ("not_started", "game_over")
_IN_TIME = (*_RUNNING, "time_is_up")
_SELECTING = (
    *("roll_first", "dice_not_rolled", "dice_do_not_score", "over_target"),
    *("wild_face_needed", "wild_face_unexpected"),
)


def _command(*codes: str, scope: Scope = "play", **how: Any) -> dict[str, Any]:
    """The documentation of a command."""
    whole = operation(
        "game_not_found",
        *codes,
        player="required",
        scope=scope,
        key=True,
        if_match=True,
        prefer=True,
        **how,
    )
    return {"response_model": Played, **whole}


@router.post(
    "/v1/games/{game_id}/roll",
    **_command(
        *("not_seated", "not_your_turn", *_IN_TIME, "nothing_selected", "script_mismatch"),
        *_SELECTING,
        body=MaySelect,
        body_optional=True,
    ),
)
async def roll(request: Request, game_id: GameId) -> Response:
    """Lock the selection and roll the dice that are left; all of them when none is."""
    return await carried_out(request, game_id, VERBS["roll"])


@router.post(
    "/v1/games/{game_id}/select",
    **_command("not_seated", "not_your_turn", *_IN_TIME, *_SELECTING, body=SelectDice),
)
async def select(request: Request, game_id: GameId) -> Response:
    """Select dice of the current roll, instead of those selected before."""
    return await carried_out(request, game_id, VERBS["select"])


@router.post(
    "/v1/games/{game_id}/bank",
    **_command(
        *("not_seated", "not_your_turn", *_IN_TIME, "nothing_selected"),
        *("below_opening", "must_roll_hot_dice"),
        *_SELECTING,
        body=MaySelect,
        body_optional=True,
    ),
)
async def bank(request: Request, game_id: GameId) -> Response:
    """End the turn and add its points to the seat's total."""
    return await carried_out(request, game_id, VERBS["bank"])


@router.post(
    "/v1/games/{game_id}/take-over",
    **_command(
        *(
            "not_seated",
            "not_your_turn",
            *_IN_TIME,
            "no_take_over",
            "over_target",
            "script_mismatch",
        ),
        body=NoFields,
        body_optional=True,
    ),
)
async def take_over(request: Request, game_id: GameId) -> Response:
    """Take over the turn that was just banked: its points, and the dice it had not held."""
    return await carried_out(request, game_id, VERBS["take-over"])


@router.post(
    "/v1/games/{game_id}/wild-roll",
    **_command(
        *(
            "not_seated",
            "not_your_turn",
            *_IN_TIME,
            "nothing_selected",
            "no_wild_rolls",
            "not_all_dice",
        ),
        *("script_mismatch", *_SELECTING),
        body=MaySelect,
        body_optional=True,
    ),
)
async def wild_roll(request: Request, game_id: GameId) -> Response:
    """Spend a Wild Roll: roll all dice, the last of them as the Jester."""
    return await carried_out(request, game_id, VERBS["wild-roll"])


@router.post(
    "/v1/games/{game_id}/resign",
    **_command(
        *("not_seated", "not_your_seat", "seat_needed", "seat_not_active", *_RUNNING),
        body=ResignSeat,
        body_optional=True,
    ),
)
async def resign(request: Request, game_id: GameId) -> Response:
    """Give up a seat; its points so far stay in the standings."""
    return await carried_out(request, game_id, VERBS["resign"])


@router.post(
    "/v1/games/{game_id}/end",
    **_command(
        *("not_host", "game_over", "time_is_up"), scope="create", body=NoFields, body_optional=True
    ),
)
async def end(request: Request, game_id: GameId) -> Response:
    """The host ends the game: the highest total wins. In the lobby, closes the table."""
    return await carried_out(request, game_id, VERBS["end"])


@router.post(
    "/v1/games/{game_id}/skip-next",
    **_command(
        *("not_host", "cheats_are_off", "no_such_seat", "seat_not_active", *_IN_TIME),
        scope="create",
        body=SkipSeat,
    ),
)
async def skip_next(request: Request, game_id: GameId) -> Response:
    """The host cheats: the next turn of a seat passes without a roll."""
    return await carried_out(request, game_id, VERBS["skip-next"])
