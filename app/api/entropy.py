"""What players contribute to the dice."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from app.api import render
from app.api.calls import answered, games_of, received
from app.api.fields import GameId
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.entropy import CommitEntropy, Contribute
from app.api.schemas.game import Played

router = api_router("games")


@router.put(
    "/v1/games/{game_id}/entropy",
    response_model=Played,
    **operation(
        *("game_not_found", "not_seated", "already_started", "game_over", "time_is_up"),
        *("not_sealing", "nothing_to_reveal", "already_revealed", "reveal_does_not_match"),
        "contributes_no_more",
        body=Contribute,
        player="required",
        scope="play",
        key=True,
        if_match=True,
        prefer=True,
    ),
)
async def contribute(request: Request, game_id: GameId) -> Response:
    """
    Contribute to the dice: in the lobby commit to a random value, while sealing reveal it. The seat
    is the caller's; who holds several contributes for the first of them.
    """
    call, body = await received(request, Contribute, render.played)
    contributions, asked = games_of(request).contributions, body.root
    if isinstance(asked, CommitEntropy):
        return answered(await contributions.commit(call, game_id, asked.commit))
    return answered(await contributions.reveal(call, game_id, asked.seed, asked.next_commit))
