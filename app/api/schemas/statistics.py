"""Players over time, as they are told. Rates are whole numbers; their counts stand beside them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.common import (
    PAGE_MAX,
    Count,
    Moment,
    NextCursor,
    PlayerId,
    PlayerName,
    PresetName,
    Total,
    World,
)
from app.api.schemas.game import SummaryView
from app.api.schemas.words import RulesKey


class Figures(TypedDict):
    turns: Annotated[Count, Field(description="That ended with a bank, a bust, or lost points.")]
    busts: Count
    bust_rate_permille: Annotated[
        int | None, Field(ge=0, le=1000, description="Busts in 1000 turns; null before the first.")
    ]
    banked_turns: Count
    banked_points: Annotated[Total, Field(description="Of all banked turns.")]
    average_banked_turn: Annotated[
        Total | None, Field(description="Whole points; null before the first bank.")
    ]
    best_turn: Annotated[Total, Field(description="The most points that one turn brought.")]
    hot_dice: Annotated[
        Count, Field(description="How often all dice were locked and rolled afresh.")
    ]


class Totals(Figures):
    games: Count
    wins: Annotated[Count, Field(description="Alone, or with others.")]


class Named(TypedDict):
    name: Annotated[PlayerName, Field(description="`deleted player` once forgotten.")]


class PlayerProfile(Named, Totals):
    """What everybody may know of a player."""

    id: PlayerId
    created_at: Moment
    bot: Annotated[bool, Field(description="A program plays; no figures are kept of it.")]
    worlds: Annotated[list[World], Field(max_length=100, description="Worlds reached.")]


class PastGame(Figures):
    """A game that counted, and the player's part in it."""

    game: SummaryView
    rules_key: RulesKey
    ended_at: Moment
    won: Annotated[bool, Field(description="Alone, or with others.")]


class PastGamePage(TypedDict):
    items: Annotated[list[PastGame], Field(max_length=PAGE_MAX)]
    next: NextCursor
    now: Moment


class LeaderboardLine(Named, Totals):
    rank: Annotated[
        Count, Field(description="The same for players with the same wins and best turn.")
    ]
    player_id: PlayerId


class Leaderboard(TypedDict):
    """Most wins first, then the best turn, then the id, all descending."""

    preset: Annotated[PresetName | None, Field(description="Of this preset, whatever its options.")]
    rules_key: Annotated[RulesKey | None, Field(description="Of exactly these rules.")]
    items: Annotated[list[LeaderboardLine], Field(max_length=PAGE_MAX)]
    next: NextCursor
    now: Moment
