"""What the analysis makes of a moment of play."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    Dice,
    DiceCount,
    FaceNumber,
    GameNumber,
    Moment,
    SeatNumber,
    Sentence,
    Total,
    VersionNumber,
)

Chance = Annotated[float, Field(ge=0, le=1)]
ComparedBy = TypeAliasType("ComparedBy", Literal["points", "win"])
AdvisedCommand = TypeAliasType("AdvisedCommand", Literal["roll", "bank", "take-over", "wild-roll"])


class AdvisedSelection(TypedDict):
    dice: Dice
    wild_face: Annotated[
        FaceNumber | None, Field(description="The Jester's face, where it is selected.")
    ]


class AdvisedOption(TypedDict):
    """One thing to do."""

    command: AdvisedCommand
    select: Annotated[
        AdvisedSelection | None,
        Field(description="To be sent with the command; null: nothing is to be selected."),
    ]
    turn_score: Annotated[Total, Field(description="With this selection counted.")]
    dice_to_roll: DiceCount
    points: Annotated[
        float | None,
        Field(
            ge=0,
            description="What the turn credits on average, every later choice the best one, less "
            "what Wild Rolls that it spends would bring at later turns; for a bank, what it "
            "credits. Null: by these rules that has no bound.",
        ),
    ]
    bust: Annotated[Chance, Field(description="That nothing of the roll may be selected.")]
    win: Annotated[
        Chance | None,
        Field(
            description="To win the game, less what Wild Rolls that the turn spends would add to "
            "it later; null while nobody is near the target."
        ),
    ]


class AdviceView(TypedDict):
    """Every option of the seat to move, the best first."""

    game_id: GameNumber
    version: Annotated[VersionNumber, Field(description="That advice was given is its last event.")]
    now: Moment
    seat: SeatNumber
    compared_by: Annotated[ComparedBy, Field(description="What makes the first option the best.")]
    simplified: Annotated[
        bool,
        Field(description="These are values of simpler rules, made from the table's own."),
    ]
    why: Annotated[Sentence, Field(description="One sentence, made of facts.")]
    options: Annotated[list[AdvisedOption], Field(max_length=1_000)]
