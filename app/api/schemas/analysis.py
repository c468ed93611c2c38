"""What the odds of a rule set look like."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import Body, Dice, DiceCount, FaceKey, Total
from app.api.schemas.rules import RulesChoice
from app.api.schemas.words import RulesKey

Chance = Annotated[float, Field(ge=0, le=1)]
Mean = Annotated[float, Field(ge=0)]
Rolls = Annotated[int, Field(ge=0, le=6**6)]
AnalysisStatus = TypeAliasType("AnalysisStatus", Literal["waiting", "running", "done"])
SetsView = Annotated[
    dict[FaceKey, DiceCount],
    Field(description="Locked sets beside them that they could still upgrade: face → dice."),
]
DiceView = Annotated[
    Dice, Field(description="The dice rolled; of dice that are alike, the first ones.")
]


class AnalyseRules(Body):
    rules: RulesChoice


class RollOddsView(TypedDict):
    """One roll of some dice, counted over all its rolls; exact."""

    dice: DiceView
    sets: SetsView
    wild: Annotated[bool, Field(description="A Wild Roll: the last of the dice is the Jester.")]
    rolls: Annotated[Rolls, Field(description="How many rolls there are, all alike likely.")]
    busts: Rolls
    bust: Annotated[Chance, Field(description="`busts` / `rolls`")]
    points: Annotated[Total, Field(description="The best score of each roll, summed up.")]
    mean: Annotated[Mean, Field(description="`points` / `rolls`")]
    mean_exactly: Annotated[
        str,
        Field(
            pattern="^[0-9]{1,20}(/[1-9][0-9]{0,5})?$",
            description="The same as a fraction, such as `9025/108`.",
        ),
    ]
    all_dice: Annotated[Rolls, Field(description="Rolls of which every die can be kept.")]
    hot: Annotated[Chance, Field(description="`all_dice` / `rolls`")]
    instant_wins: Rolls


class ScoreChance(TypedDict):
    points: Total
    chance: Chance


class RollingValue(TypedDict):
    at_risk: Annotated[Total, Field(description="Turn score that a bust would take.")]
    rolling: Annotated[
        Mean, Field(description="Mean of what the turn credits of it and adds to it.")
    ]


class ThrowOddsView(TypedDict):
    """Rolling on against banking: roll where `rolling` is above `at_risk`."""

    dice: DiceView
    sets: SetsView
    bank_from: Annotated[
        Total | None,
        Field(description="Banking is as good from so many points at risk on; null: never."),
    ]
    values: Annotated[list[RollingValue], Field(max_length=100_000)]


class TurnOddsView(TypedDict):
    """
    A turn under best play for points, nobody near the target. Right to ten digits.
    """

    mean: Annotated[Mean, Field(description="Of a turn's score, for a seat on the board.")]
    mean_off_board: Annotated[Mean, Field(description="For one that has the opening to reach.")]
    mean_with_wild_roll: Annotated[
        Mean | None, Field(description="Where it may spend one; null where none are played.")
    ]
    mean_without_hot_dice: Annotated[
        Mean | None,
        Field(
            description="Where it ends once all dice are kept; null where that is too much work."
        ),
    ]
    mean_by_rolls: Annotated[
        list[Mean],
        Field(
            max_length=1_000,
            description="With at most 1, 2, … rolls; empty where that is too much work.",
        ),
    ]
    bust: Chance
    hot_dice: Annotated[Chance, Field(description="All dice kept and rolled again, at least once.")]
    instant_win: Chance
    rolls: Annotated[Mean, Field(description="Mean number of rolls.")]
    scores: Annotated[
        list[ScoreChance],
        Field(
            max_length=100_000, description="Of every score of a turn likelier than 1 in a million."
        ),
    ]
    throws: Annotated[list[ThrowOddsView], Field(max_length=1_000)]


class AnalysisReport(TypedDict):
    rolls: Annotated[list[RollOddsView], Field(max_length=1_000)]
    turn: Annotated[
        TurnOddsView | None,
        Field(description="Null where best play never banks: some rolls cannot bust."),
    ]
    reaches: Annotated[
        list[ScoreChance],
        Field(
            max_length=100_000,
            description="The chance that one turn makes so many points, played for that alone and "
            "without Wild Rolls: at least so many, or exactly so many where the target is exact.",
        ),
    ]
    first_seat: Annotated[
        Chance | None,
        Field(
            description="The chance to win of the first of two seats that both play for it; null "
            "where that is too much work, or turns leave more behind than points."
        ),
    ]


class AnalysisView(TypedDict):
    """An analysis, or how far it is."""

    id: RulesKey
    status: AnalysisStatus
    progress: Annotated[float, Field(ge=0, le=1)]
    report: NotRequired[Annotated[AnalysisReport, Field(description="There once it is done.")]]
