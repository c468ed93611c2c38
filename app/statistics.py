"""
What is told of players over time: profiles, past games, ladders. docs/players.md says what counts.

The rows behind it are folded from the logs of games that ended (`app.store.counting`).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from app.ports import Summary
from engine.figures import Figures
from engine.units import Millis, Points

LEAST_PEOPLE = 2
"""Different ones that play a game which counts; bot accounts are none."""
EVERYTHING = "all"
"""The ladder of every game that counts."""


def ladder_of_preset(preset: str) -> str:
    """The ladder of a preset's games, whatever their options."""
    return f"preset:{preset}"


def ladder_of_rules(rules_key: str) -> str:
    """The ladder of the games with exactly these rules."""
    return f"rules:{rules_key}"


def ladders_of(preset: str | None, rules_key: str) -> tuple[str, ...]:
    """Every ladder a game belongs to."""
    exact = (EVERYTHING, ladder_of_rules(rules_key))
    return exact if preset is None else (*exact, ladder_of_preset(preset))


class Totals(NamedTuple):
    """A player on a ladder: over all its games there."""

    games: int
    wins: int
    figures: Figures


class Profile(NamedTuple):
    id: str
    name: str | None
    """None: forgotten."""
    created_at: Millis
    bot: bool
    """A program plays."""
    totals: Totals


class PastGame(NamedTuple):
    """A game that counted for a player."""

    game: Summary
    ended_at: Millis
    rules_key: str
    won: bool
    figures: Figures


class Rung(NamedTuple):
    """A line of a ladder."""

    player_id: str
    name: str | None
    """None: forgotten."""
    totals: Totals


class Statistics(Protocol):
    async def profile(self, player_id: str) -> Profile | None: ...

    async def past_games(
        self,
        player_id: str,
        viewer: str | None,
        *,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[PastGame]:
        """
        Games that counted, the last to end first (ended_at, id descending).

        Args:
            viewer: a player id; private games are told to those who sat at them.
        """
        ...

    async def ladder(
        self, ladder: str, *, below: tuple[int, Points, str] | None, limit: int
    ) -> list[Rung]:
        """
        Most wins first, then the best turn, then the id, all descending.

        Args:
            below: (wins, best turn, id) of the last line before.
        """
        ...
