"""Match-making as clients ask for it and see it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import MOST_SEATS, Body, GameNumber, SeatNumber
from app.api.schemas.game import GameView
from app.api.schemas.rules import RulesChoice
from app.api.schemas.settings import ClocksChoice
from engine.setup import MOST_PATIENCE_S


class FindMatch(Body):
    """What to play; only who asks for the very same is brought together."""

    rules: RulesChoice
    seats: Annotated[
        int | None,
        Field(
            ge=2,
            le=MOST_SEATS,
            description="Players at the table. By default as the preset lays it; custom rules: 2.",
        ),
    ] = None
    clocks: ClocksChoice | None = None
    bots_after_s: Annotated[
        int | None,
        Field(
            ge=0, le=MOST_PATIENCE_S, description="Fill the table with bots after so many seconds."
        ),
    ] = None
    advice: Annotated[
        bool | None, Field(description="By default on where the server offers advice.")
    ] = None


MatchStatus = TypeAliasType("MatchStatus", Literal["waiting", "matched", "cancelled"])


class MatchStamp(TypedDict):
    """Which match, and how one stands there."""

    id: Annotated[str, Field(json_schema_extra={"format": "uuid"}, description="Of the match.")]
    status: Annotated[
        MatchStatus,
        Field(description="`matched`: the game has started. `cancelled`: left, or closed."),
    ]
    game_id: GameNumber
    seat: Annotated[SeatNumber | None, Field(description="One's own; null once left.")]


class MatchView(MatchStamp):
    """One's place at a table of match-making."""

    game: GameView
