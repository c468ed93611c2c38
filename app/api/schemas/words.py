"""Closed lists of words, and words of one form."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

Status = Literal["lobby", "sealing", "playing", "finished"]
SeatKind = Literal["human", "bot", "closed"]
Character = Literal["cautious", "gambler", "strategist"]
Visibility = Literal["public", "unlisted", "private"]
CommandName = Literal["roll", "select", "bank", "take-over", "wild-roll"]
Light = Literal["lucky", "cold", "magnet"]
Reason = Literal[
    "target", "instant_win", "walkover", "ended_early", "game_clock", "resigned", "voided"
]
RulesKey = Annotated[
    str,
    Field(
        pattern="^[0-9a-f]{32}$",
        description="The same for two rule sets only when they are the same, field for field.",
    ),
]
