"""A rule set as data; what each field means is told in the rule reference."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import FaceKey, FaceNumber

_CLOSED = ConfigDict(extra="forbid")
"""Unknown fields of a rule set are refused, and none is sent."""

Points = Annotated[int, Field(ge=1, le=1_000_000)]
PointsOrNone = Annotated[int, Field(ge=0, le=1_000_000)]
Id = Annotated[str, Field(pattern="^[a-z0-9_]{1,32}$")]


@with_config(_CLOSED)
class SingleRule(TypedDict):
    """One die."""

    id: Id
    kind: Literal["single"]
    face: FaceNumber
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


@with_config(_CLOSED)
class SetRule(TypedDict):
    """So many dice of one face."""

    id: Id
    kind: Literal["set"]
    face: FaceNumber
    count: Annotated[int, Field(ge=2, le=6)]
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


@with_config(_CLOSED)
class StraightRule(TypedDict):
    """Exactly these faces, ascending."""

    id: Id
    kind: Literal["straight"]
    faces: Annotated[list[FaceNumber], Field(min_length=3, max_length=6)]
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


@with_config(_CLOSED)
class PairsRule(TypedDict):
    """Pairs of different faces."""

    id: Id
    kind: Literal["pairs"]
    count: Annotated[int, Field(ge=2, le=3)]
    points: Points
    four_and_two: NotRequired[bool]
    protected: NotRequired[bool]
    flat: NotRequired[bool]


@with_config(_CLOSED)
class TripletsRule(TypedDict):
    """Threes of two different faces."""

    id: Id
    kind: Literal["triplets"]
    count: Literal[2]
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


@with_config(_CLOSED)
class FullHouseRule(TypedDict):
    """A set of three, plus the bonus, plus what the pair's face adds."""

    id: Id
    kind: Literal["full_house"]
    bonus: PointsOrNone
    pairs: NotRequired[Annotated[dict[FaceKey, PointsOrNone], Field(description="By face.")]]
    protected: NotRequired[bool]
    flat: NotRequired[bool]


CombinationRule = TypeAliasType(
    "CombinationRule",
    Annotated[
        SingleRule | SetRule | StraightRule | PairsRule | TripletsRule | FullHouseRule,
        Field(discriminator="kind"),
    ],
)
Exact = TypeAliasType("Exact", Literal["off", "bust", "refuse"])
FinalRound = TypeAliasType("FinalRound", Literal["none", "one_turn"])
Winner = TypeAliasType("Winner", Literal["highest", "last_to_reach"])
Split = TypeAliasType("Split", Literal["best", "forced"])
BankTakes = TypeAliasType("BankTakes", Literal["all_scoring", "selected"])


@with_config(_CLOSED)
class DiceRule(TypedDict):
    count: Annotated[int, Field(ge=1, le=6)]


@with_config(_CLOSED)
class SeatsRule(TypedDict):
    min: Annotated[int, Field(ge=1, le=8)]
    max: Annotated[int, Field(ge=1, le=8)]


@with_config(_CLOSED)
class SpicyRule(TypedDict):
    """Die k doubles the combination it is part of when it shows `faces[k]`."""

    faces: Annotated[list[FaceNumber], Field(min_length=1, max_length=6)]
    instant_win: NotRequired[bool]


@with_config(_CLOSED)
class WildRollsRule(TypedDict):
    allotment: Annotated[int, Field(ge=0, le=99)]
    purse: NotRequired[bool]
    earn: NotRequired[bool]
    world: NotRequired[
        Annotated[
            str | None,
            Field(
                pattern="^[a-z0-9_-]{1,32}$",
                description="What a first win reaches, in games of presets alone.",
            ),
        ]
    ]


@with_config(_CLOSED)
class RuleSet(TypedDict):
    """A whole game as data; what each field means is told in the rule reference."""

    format: Literal[1]
    name: Annotated[str, Field(pattern="^[a-z0-9_-]{1,32}$")]
    dice: DiceRule
    seats: SeatsRule
    target: Annotated[int, Field(ge=1, le=10_000_000)]
    exact: Exact
    opening: Annotated[int, Field(ge=0, le=10_000_000)]
    final_round: FinalRound
    winner: Winner
    split: Split
    set_upgrade: bool
    bank_takes: BankTakes
    bank_on_hot_dice: bool
    all_dice_bonus: PointsOrNone
    take_over: bool
    spicy: NotRequired[SpicyRule | None]
    wild_rolls: NotRequired[WildRollsRule | None]
    combinations: Annotated[list[CombinationRule], Field(min_length=1, max_length=64)]
