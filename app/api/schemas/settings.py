"""A table's settings: as a host sends them, and as everybody sees them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    Body,
    Count,
    FaceNumber,
    NoneTwice,
    SeatKey,
    SeatNumber,
)
from app.api.schemas.common import Seats as SeatsView
from app.api.schemas.words import Light

MOST_ROLLS = 500
"""Longer scripts would not fit a request body anyway."""

Points = Annotated[int, Field(ge=0, le=10_000_000)]
Roll = Annotated[list[FaceNumber], Field(min_length=1, max_length=6)]
Seed = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\x20-\x7e]+$")]
Seats = Annotated[list[SeatNumber], Field(max_length=8, description="None twice."), NoneTwice]


class FairDice(Body):
    """Dice of protocol pf1: committed to before the first roll, revealed after the last."""

    kind: Literal["fair"]


class ScriptedDice(Body):
    """Rolls given in advance, each for the dice then rolled; after the last, dice are fair."""

    kind: Literal["scripted"]
    rolls: Annotated[list[Roll], Field(max_length=MOST_ROLLS)]


class SeededDice(Body):
    """The same dice for every game with this seed; printable ASCII."""

    kind: Literal["seeded"]
    seed: Seed


DiceChoice = TypeAliasType(
    "DiceChoice", Annotated[FairDice | ScriptedDice | SeededDice, Field(discriminator="kind")]
)


class ClocksChoice(Body):
    """Limits in seconds."""

    turn_s: Annotated[int, Field(ge=5, le=604_800, description="Of a whole turn.")] | None = None
    game_s: Annotated[int, Field(ge=5, le=604_800, description="Of the game.")] | None = None


class BotsChoice(Body):
    """How the table treats bots."""

    pace_ms: Annotated[int, Field(ge=0, le=60_000)] = 0
    take_absent_seats: bool = False


class CheatsChoice(Body):
    """The host's cheats; every seat sees them, and the log records them."""

    loaded: Seats = Field(default_factory=list)
    light: dict[SeatKey, Light] = Field(default_factory=dict)
    head_start: dict[SeatKey, Points] = Field(default_factory=dict)
    skip_next: Seats = Field(default_factory=list)
    always_score: Seats = Field(default_factory=list)


class FairDiceView(TypedDict):
    kind: Literal["fair"]


class ScriptedDiceView(TypedDict):
    kind: Literal["scripted"]
    rolls: Annotated[
        list[Annotated[list[FaceNumber], Field(max_length=6)]], Field(max_length=MOST_ROLLS)
    ]


class SeededDiceView(TypedDict):
    kind: Literal["seeded"]
    seed: Seed


DiceView = TypeAliasType(
    "DiceView",
    Annotated[FairDiceView | ScriptedDiceView | SeededDiceView, Field(discriminator="kind")],
)


class ClocksView(TypedDict):
    turn_s: Count | None
    game_s: Count | None


class BotsView(TypedDict):
    pace_ms: Count
    take_absent_seats: bool
    fill_after_s: Annotated[
        Count | None, Field(description="Of match-making: when bots take the free seats.")
    ]


class CheatsView(TypedDict):
    loaded: SeatsView
    light: Annotated[dict[SeatKey, Light], Field(description="By seat.")]
    head_start: Annotated[dict[SeatKey, Points], Field(description="Points by seat.")]
    skip_next: SeatsView
    always_score: SeatsView


class SettingsView(TypedDict):
    """What the host chose beside the rules."""

    dice: DiceView
    clocks: ClocksView | None
    pass_and_play: bool
    bots: BotsView
    advice: bool
    cheats: CheatsView | None
    start_seat: Annotated[
        SeatNumber, Field(description="Turn order begins at the first open seat from here on.")
    ]
