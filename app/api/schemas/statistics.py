"""Players over time, as they are told. Rates are whole numbers; their counts stand beside them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.common import Moment, PlayerId
from app.api.schemas.game import SummaryView
from app.api.schemas.words import RulesKey

Count = Annotated[int, Field(ge=0)]


class Figures(TypedDict):
    turns: Annotated[
        int, Field(ge=0, description="That ended with a bank, a bust, or lost points.")
    ]
    busts: Count
    bust_rate_permille: Annotated[
        int | None, Field(ge=0, le=1000, description="Busts in 1000 turns; null before the first.")
    ]
    banked_turns: Count
    banked_points: Annotated[int, Field(ge=0, description="Of all banked turns.")]
    average_banked_turn: Annotated[
        int | None, Field(ge=0, description="Whole points; null before the first bank.")
    ]
    best_turn: Annotated[int, Field(ge=0, description="The most points that one turn brought.")]
    hot_dice: Annotated[
        int, Field(ge=0, description="How often all dice were locked and rolled afresh.")
    ]


class Totals(Figures):
    games: Count
    wins: Annotated[int, Field(ge=0, description="Alone, or with others.")]


class Named(TypedDict):
    name: Annotated[str, Field(description="`deleted player` once forgotten.")]


class PlayerProfile(Named, Totals):
    """What everybody may know of a player."""

    id: PlayerId
    created_at: Moment
    bot: Annotated[bool, Field(description="A program plays; no figures are kept of it.")]
    worlds: Annotated[list[str], Field(description="Worlds reached.")]


class PastGame(Figures):
    """A game that counted, and the player's part in it."""

    game: SummaryView
    rules_key: RulesKey
    ended_at: Moment
    won: Annotated[bool, Field(description="Alone, or with others.")]


class PastGamePage(TypedDict):
    items: list[PastGame]
    next: Annotated[str | None, Field(description="`cursor` of the next page; null: no more.")]
    now: Moment


class LeaderboardLine(Named, Totals):
    rank: Annotated[
        int, Field(ge=1, description="The same for players with the same wins and best turn.")
    ]
    player_id: PlayerId


class Leaderboard(TypedDict):
    """Most wins first, then the best turn, then the id, all descending."""

    preset: Annotated[str | None, Field(description="Of this preset, whatever its options.")]
    rules_key: Annotated[RulesKey | None, Field(description="Of exactly these rules.")]
    items: list[LeaderboardLine]
    next: Annotated[str | None, Field(description="`cursor` of the next page; null: no more.")]
    now: Moment
