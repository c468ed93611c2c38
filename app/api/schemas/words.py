"""
Closed lists of words, and words of one form.

Each list is a type of its own in the documents, under its name here: a client has one enum for it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from app.accounts import Scope
from app.features import Feature
from app.operators import Action

Status = TypeAliasType("Status", Literal["lobby", "sealing", "playing", "finished"])
SeatKind = TypeAliasType("SeatKind", Literal["human", "bot", "closed"])
Character = TypeAliasType("Character", Literal["cautious", "gambler", "strategist"])
Visibility = TypeAliasType("Visibility", Literal["public", "unlisted", "private"])
CommandName = TypeAliasType(
    "CommandName", Literal["roll", "select", "bank", "take-over", "wild-roll"]
)
Light = TypeAliasType("Light", Literal["lucky", "cold", "magnet"])
Reason = TypeAliasType(
    "Reason",
    Literal["target", "instant_win", "walkover", "ended_early", "game_clock", "resigned", "voided"],
)
DiceKind = TypeAliasType("DiceKind", Literal["fair", "scripted", "seeded"])
ScopeName = TypeAliasType("ScopeName", Scope)
GrantedScope = TypeAliasType("GrantedScope", Literal["read", "play", "create"])
FeatureName = TypeAliasType("FeatureName", Feature)
OperatorAction = TypeAliasType("OperatorAction", Action)
RulesKey = Annotated[
    str,
    Field(
        pattern="^[0-9a-f]{32}$",
        description="The same for two rule sets only when they are the same, field for field.",
    ),
]
