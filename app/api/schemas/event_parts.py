"""What events are made of, beside plain fields."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.common import MOST_COUNT, Hex32, PlayerId, SeatNumber, Total
from app.api.schemas.words import Character, SeatKind

Policy = Annotated[int, Field(ge=1, le=MOST_COUNT, description="Version of a character.")]


class PlaceView(TypedDict):
    """A seat as the table was laid."""

    kind: SeatKind
    character: Character | None
    player_id: PlayerId | None


class PolicyView(TypedDict):
    """A version of a character."""

    character: Character
    policy: Policy


class CommitView(TypedDict):
    seat: SeatNumber
    commit: Hex32


class StandingOfSeat(TypedDict):
    seat: SeatNumber
    score: Total
