"""What clients ask about rules: presets, validation, what a roll is worth."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Discriminator, Field, Tag, WithJsonSchema
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    Body,
    Dice,
    DieNumber,
    FaceKey,
    FaceNumber,
    NextCursor,
    NoneTwice,
    PresetName,
    Sentence,
    Total,
)
from app.api.schemas.options import COMPONENT, OPTIONS, PRESET, VALUES
from app.api.schemas.rule_set import RuleSet
from app.api.schemas.words import RulesKey

# The engine checks these whole, so that every fault is told at once; the spec shows their shape.
AnyRuleSet = Annotated[dict[str, Any], WithJsonSchema({COMPONENT: "RuleSet"})]
Options = Annotated[dict[str, Any], WithJsonSchema({COMPONENT: OPTIONS})]
PresetChoice = Annotated[
    str, Field(min_length=1, max_length=32), WithJsonSchema({COMPONENT: PRESET})
]


class PresetRules(Body):
    """A shipped game with its options."""

    preset: PresetChoice
    options: Options = Field(default_factory=dict)


class CustomRules(Body):
    """A rule set of one's own."""

    custom: AnyRuleSet


def _which(value: Any) -> str:
    """A tag; no field is called like it, so that pointers of faults stay clear of it."""
    custom = isinstance(value, CustomRules) or (isinstance(value, dict) and "custom" in value)
    return "by_custom" if custom else "by_preset"


RulesChoice = TypeAliasType(
    "RulesChoice",
    Annotated[
        Annotated[PresetRules, Tag("by_preset")] | Annotated[CustomRules, Tag("by_custom")],
        Discriminator(_which),
    ],
)
OptionNumber = Annotated[int, Field(ge=0, le=10_000_000)]
OptionName = Annotated[str, Field(pattern="^[a-z0-9_]{1,40}$")]


class ValidateRules(Body):
    rules: RulesChoice


class ValidRules(TypedDict):
    valid: Literal[True]
    rules: Annotated[RuleSet, Field(description="Normalised: every field written out.")]
    rules_key: Annotated[RulesKey, Field(description="Of its leaderboard.")]


class _Option(TypedDict):
    """Something the host may set."""

    name: OptionName
    about: Sentence
    needs: NotRequired[Annotated[OptionName, Field(description="The switch that must be on.")]]


class _Bounded(_Option):
    least: OptionNumber
    most: OptionNumber
    step: NotRequired[Annotated[OptionNumber, Field(description="A multiple of this.")]]


class SwitchOption(_Option):
    """On or off."""

    kind: Literal["switch"]
    default: bool


class WholeOption(_Bounded):
    """A whole number."""

    kind: Literal["whole"]
    default: OptionNumber


class ChoiceOption(_Option):
    """One of some words."""

    kind: Literal["choice"]
    default: OptionName
    choices: Annotated[list[OptionName], Field(max_length=20)]


class FacesOption(_Bounded):
    """A list of faces; `least` and `most` are how many."""

    kind: Literal["faces"]
    default: Annotated[list[FaceNumber], Field(max_length=6)]


class ValuesOption(_Bounded):
    """A tree of whole numbers, any part of which may be left out."""

    kind: Literal["values"]
    default: Annotated[dict[str, Any], WithJsonSchema({COMPONENT: VALUES})]


OptionView = TypeAliasType(
    "OptionView",
    Annotated[
        SwitchOption | WholeOption | ChoiceOption | FacesOption | ValuesOption,
        Field(discriminator="kind"),
    ],
)


class PresetView(TypedDict):
    name: PresetName
    title: Annotated[str, Field(max_length=80)]
    about: Sentence
    options: Annotated[list[OptionView], Field(max_length=40)]
    rules: Annotated[RuleSet, Field(description="The rule set when no option is given.")]


class PresetPage(TypedDict):
    items: Annotated[list[PresetView], Field(max_length=100)]
    next: Annotated[NextCursor, Field(description="Always null: all presets fit one page.")]
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


CombinationKind = TypeAliasType(
    "CombinationKind",
    Literal[
        "single",
        "set",
        "straight",
        "pairs",
        "triplets",
        "full_house",
        "set_upgrade",
        "all_dice_bonus",
    ],
)


class CombinationView(TypedDict):
    """A combination a selection splits into."""

    kind: CombinationKind
    dice: Dice
    points: Total


class ScoredSelection(TypedDict):
    dice: Dice
    points: Total
    combinations: Annotated[list[CombinationView], Field(max_length=20)]
    wild_face: NotRequired[FaceNumber]


class Score(TypedDict):
    bust: bool
    best: ScoredSelection | None
    selections: Annotated[
        list[ScoredSelection], Field(max_length=63 * 6, description="Every legal one.")
    ]
