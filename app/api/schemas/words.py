"""Closed lists of words."""

from __future__ import annotations

from typing import Literal

Status = Literal["lobby", "sealing", "playing", "finished"]
SeatKind = Literal["human", "bot", "closed"]
Character = Literal["cautious", "gambler", "strategist"]
Visibility = Literal["public", "unlisted", "private"]
CommandName = Literal["roll", "select", "bank", "take-over", "wild-roll"]
Light = Literal["lucky", "cold", "magnet"]
Reason = Literal[
    "target", "instant_win", "walkover", "ended_early", "game_clock", "resigned", "voided"
]
