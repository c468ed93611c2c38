"""What clients ask about rules: presets, validation, what a roll is worth."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Discriminator, Field, Tag, WithJsonSchema
from typing_extensions import TypedDict

from app.api.schemas.common import Body, DieNumber, FaceKey, FaceNumber, NoneTwice
from app.api.schemas.rule_set import RuleSet
from app.api.schemas.words import RulesKey

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
    rules_key: Annotated[RulesKey, Field(description="Of its leaderboard.")]


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
