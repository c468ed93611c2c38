"""Rule sets, presets, and what a roll is worth under them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Discriminator, Field, Tag, WithJsonSchema
from typing_extensions import TypedDict

from app.api.schemas.common import Body, DieNumber, FaceNumber, NoneTwice

Points = Annotated[int, Field(ge=1, le=1_000_000)]
PointsOrNone = Annotated[int, Field(ge=0, le=1_000_000)]
Id = Annotated[str, Field(pattern="^[a-z0-9_]{1,32}$")]
FaceKey = Annotated[str, Field(pattern="^[1-6]$", description="A face, as the key of an object.")]


class SingleRule(TypedDict):
    """One die."""

    id: Id
    kind: Literal["single"]
    face: FaceNumber
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


class SetRule(TypedDict):
    """So many dice of one face."""

    id: Id
    kind: Literal["set"]
    face: FaceNumber
    count: Annotated[int, Field(ge=2, le=6)]
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


class StraightRule(TypedDict):
    """Exactly these faces, ascending."""

    id: Id
    kind: Literal["straight"]
    faces: Annotated[list[FaceNumber], Field(min_length=3, max_length=6)]
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


class PairsRule(TypedDict):
    """Pairs of different faces."""

    id: Id
    kind: Literal["pairs"]
    count: Annotated[int, Field(ge=2, le=3)]
    points: Points
    four_and_two: NotRequired[bool]
    protected: NotRequired[bool]
    flat: NotRequired[bool]


class TripletsRule(TypedDict):
    """Threes of two different faces."""

    id: Id
    kind: Literal["triplets"]
    count: Literal[2]
    points: Points
    protected: NotRequired[bool]
    flat: NotRequired[bool]


class FullHouseRule(TypedDict):
    """A set of three, plus the bonus, plus what the pair's face adds."""

    id: Id
    kind: Literal["full_house"]
    bonus: PointsOrNone
    pairs: NotRequired[Annotated[dict[FaceKey, PointsOrNone], Field(description="By face.")]]
    protected: NotRequired[bool]
    flat: NotRequired[bool]


CombinationRule = Annotated[
    SingleRule | SetRule | StraightRule | PairsRule | TripletsRule | FullHouseRule,
    Field(discriminator="kind"),
]


class DiceRule(TypedDict):
    count: Annotated[int, Field(ge=1, le=6)]


class SeatsRule(TypedDict):
    min: Annotated[int, Field(ge=1, le=8)]
    max: Annotated[int, Field(ge=1, le=8)]


class SpicyRule(TypedDict):
    """Die k doubles the combination it is part of when it shows `faces[k]`."""

    faces: Annotated[list[FaceNumber], Field(min_length=1, max_length=6)]
    instant_win: NotRequired[bool]


class WildRollsRule(TypedDict):
    allotment: Annotated[int, Field(ge=0, le=99)]
    purse: NotRequired[bool]
    earn: NotRequired[bool]


class RuleSet(TypedDict):
    """A whole game as data; what each field means is told in the rule reference."""

    format: Literal[1]
    name: Annotated[str, Field(pattern="^[a-z0-9_-]{1,32}$")]
    dice: DiceRule
    seats: SeatsRule
    target: Annotated[int, Field(ge=1, le=10_000_000)]
    exact: Literal["off", "bust", "refuse"]
    opening: Annotated[int, Field(ge=0, le=10_000_000)]
    final_round: Literal["none", "one_turn"]
    winner: Literal["highest", "last_to_reach"]
    split: Literal["best", "forced"]
    set_upgrade: bool
    bank_takes: Literal["all_scoring", "selected"]
    bank_on_hot_dice: bool
    all_dice_bonus: PointsOrNone
    take_over: bool
    spicy: NotRequired[SpicyRule | None]
    wild_rolls: NotRequired[WildRollsRule | None]
    combinations: Annotated[list[CombinationRule], Field(min_length=1, max_length=64)]


# The engine checks these whole, so that every fault is told at once; the spec shows their shape.
AnyRuleSet = Annotated[dict[str, Any], WithJsonSchema({"$ref": "#/components/schemas/RuleSet"})]
Options = Annotated[
    dict[str, Any],
    Field(description="Options of the preset, as `GET /v1/rules/{preset}` lists them."),
]


class PresetRules(Body):
    """A shipped game with its options."""

    preset: Annotated[str, Field(min_length=1, max_length=32)]
    options: Options = Field(default_factory=dict)


class CustomRules(Body):
    """A rule set of one's own."""

    custom: AnyRuleSet


def _which(value: Any) -> str:
    """A tag; no field is called like it, so that pointers of faults stay clear of it."""
    custom = isinstance(value, CustomRules) or (isinstance(value, dict) and "custom" in value)
    return "by_custom" if custom else "by_preset"


RulesChoice = Annotated[
    Annotated[PresetRules, Tag("by_preset")] | Annotated[CustomRules, Tag("by_custom")],
    Discriminator(_which),
]


class ValidateRules(Body):
    rules: RulesChoice


class ValidRules(TypedDict):
    valid: Literal[True]
    rules: Annotated[RuleSet, Field(description="Normalised: every field written out.")]


class OptionView(TypedDict):
    """Something the host may set."""

    name: str
    kind: Annotated[
        Literal["whole", "switch", "choice", "faces", "values"],
        Field(description="`values`: a tree of integers, any part of which may be left out."),
    ]
    about: str
    default: Any
    least: NotRequired[int]
    most: NotRequired[int]
    step: NotRequired[Annotated[int, Field(description="A multiple of this.")]]
    choices: NotRequired[list[str]]
    needs: NotRequired[Annotated[str, Field(description="The switch that must be on.")]]


class PresetView(TypedDict):
    name: str
    title: str
    about: str
    options: list[OptionView]
    rules: Annotated[RuleSet, Field(description="The rule set when no option is given.")]


class PresetPage(TypedDict):
    items: list[PresetView]
    next: Annotated[None, Field(description="All presets fit one page.")]
    rule_set_schema: Annotated[dict[str, Any], Field(description="JSON Schema of a rule set.")]


class ScoreRoll(Body):
    """What a roll is worth: the faces of dice 0…n−1, or of the dice in `positions`."""

    rules: RulesChoice
    roll: Annotated[
        list[FaceNumber | None],
        Field(min_length=1, max_length=6, description="Null for the Jester."),
    ]
    positions: Annotated[
        Annotated[list[DieNumber], Field(min_length=1, max_length=6), NoneTwice] | None,
        Field(description="Which dice these are; none twice."),
    ] = None
    wild: Annotated[
        DieNumber | None, Field(description="The die that is the Jester of a wild roll.")
    ] = None
    sets: Annotated[
        dict[FaceKey, Annotated[int, Field(ge=3, le=6)]],
        Field(description="Sets locked this turn that may be upgraded: face → dice."),
    ] = Field(default_factory=dict)
    total: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    turn_score: Annotated[int, Field(ge=0, le=100_000_000)] = 0


class CombinationView(TypedDict):
    """A combination a selection splits into."""

    kind: Literal[
        "single",
        "set",
        "straight",
        "pairs",
        "triplets",
        "full_house",
        "set_upgrade",
        "all_dice_bonus",
    ]
    dice: list[DieNumber]
    points: int


class ScoredSelection(TypedDict):
    dice: list[DieNumber]
    points: int
    combinations: list[CombinationView]
    wild_face: NotRequired[FaceNumber]


class Score(TypedDict):
    bust: bool
    best: ScoredSelection | None
    selections: Annotated[list[ScoredSelection], Field(description="Every legal one.")]
