"""
What this server offers. `GET /v1` shows the table; what is off is refused, never ignored.

A feature that is not built is off here; one that a setting governs is on or off by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from app.errors import NotAvailable
from app.settings import Settings

Feature = Literal[
    "commands",
    "private_tables",
    "pass_and_play",
    "cheats",
    "scripted_dice",
    "fairness",
    "bots",
    "characters",
    "clocks",
    "entropy",
    "matchmaking",
    "series",
    "streams",
    "advice",
    "analysis",
    "statistics",
    "operator",
    "notices",
    "leaderboard",
]

Features = Mapping[Feature, bool]


def features_of(settings: Settings) -> Features:
    """Every feature, on or off."""
    return MappingProxyType(
        {
            "commands": True,
            "private_tables": True,
            "pass_and_play": True,
            "cheats": True,
            "scripted_dice": settings.scripted_dice,
            "fairness": True,
            "bots": True,
            "characters": True,
            "clocks": True,
            "entropy": True,
            "matchmaking": True,
            "series": True,
            "streams": True,
            "advice": True,
            "analysis": True,
            "statistics": True,
            "operator": bool(settings.operator_token),
            "notices": bool(settings.operator_token),
            "leaderboard": True,
        }
    )


def require(features: Features, feature: Feature) -> None:
    """Raises: NotAvailable, where the feature is off."""
    if not features[feature]:
        raise NotAvailable(feature=feature)
