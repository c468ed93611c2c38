"""The bodies clients send to tables and games."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import Field, RootModel
from typing_extensions import TypeAliasType

from app.api.schemas.common import Body, DieNumber, FaceNumber, NoneTwice, SeatNumber
from app.api.schemas.rules import RulesChoice
from app.api.schemas.settings import BotsChoice, CheatsChoice, ClocksChoice, DiceChoice
from app.api.schemas.words import Character, Visibility

JoinCode = Annotated[
    str, Field(min_length=1, max_length=32, description="Upper and lower case are the same.")
]


class HumanSeat(Body):
    kind: Literal["human"]


class BotSeat(Body):
    kind: Literal["bot"]
    character: Character = "cautious"


class ClosedSeat(Body):
    kind: Literal["closed"]


SeatChoice = TypeAliasType(
    "SeatChoice", Annotated[HumanSeat | BotSeat | ClosedSeat, Field(discriminator="kind")]
)


class ChangeSeat(RootModel[SeatChoice]):
    """What a seat shall be."""


class CreateGame(Body):
    """A table to open; its creator is the host and takes the first human seat."""

    rules: RulesChoice
    seats: Annotated[
        list[SeatChoice] | None,
        Field(
            min_length=1,
            max_length=8,
            description="By default as the preset lays the table; custom rules: two human seats.",
        ),
    ] = None
    visibility: Visibility = "unlisted"
    dice: DiceChoice | None = None
    clocks: ClocksChoice | None = None
    pass_and_play: Annotated[bool, Field(description="The creator holds all human seats.")] = False
    bots: BotsChoice | None = None
    advice: Annotated[
        bool | None, Field(description="By default on where the server offers advice.")
    ] = None
    cheats: CheatsChoice | None = None


class ChangeGame(Body):
    """Settings to change in the lobby; what is left out stays, null switches off."""

    # These two cannot be switched off: what stands here is never read, and not in the document.
    rules: RulesChoice = Field(default_factory=lambda: cast(Any, None))
    visibility: Visibility = Field(default_factory=lambda: cast(Any, None))
    dice: DiceChoice | None = None
    clocks: ClocksChoice | None = None
    bots: BotsChoice | None = None
    advice: bool | None = None
    cheats: CheatsChoice | None = None


class JoinGame(Body):
    join_code: JoinCode | None = None
    seat: SeatNumber | None = None


class JoinByCode(Body):
    join_code: JoinCode
    seat: SeatNumber | None = None


class StartGame(Body):
    server_committed_only: Annotated[
        bool,
        Field(
            description="Needed once sealing has failed and no seat contributes any more; refused "
            "while seats contribute."
        ),
    ] = False


class SelectDice(Body):
    """Dice of the current roll to keep, instead of those selected before."""

    dice: Annotated[
        list[DieNumber], Field(min_length=1, max_length=6, description="None twice."), NoneTwice
    ]
    wild_face: Annotated[
        FaceNumber | None, Field(description="With the Jester among the dice, and only then.")
    ] = None


class MaySelect(Body):
    """Both steps or neither."""

    select: SelectDice | None = None


class ResignSeat(Body):
    seat: Annotated[
        SeatNumber | None, Field(description="Where one player holds several seats.")
    ] = None


class SkipSeat(Body):
    seat: SeatNumber
