"""
Who plays whom, by which rules, on which dice: all that a game depends on but its number.

Game n of a contest is the same whoever plays it: its dice, its seating and what strategies may draw
come from the seed and n alone.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from app.series.plan import seed_of
from engine.commands import Create, Start
from engine.decide import transition
from engine.dice import Seeded
from engine.rules import Rules
from engine.state import Bots, Place, Playing, SeededDice, Setup

MOST_GAMES = 10_000_000
LIMIT_S = 5.0
"""Of one decision of an outside strategy, unless said otherwise."""


class Contest(NamedTuple):
    strategies: tuple[str, ...]
    """One for each seat of the table, as they were named; the same may sit twice."""
    rules: Rules
    preset: str | None
    seed: str
    limit_s: float = LIMIT_S

    def names(self) -> tuple[str, ...]:
        """The strategies, told apart."""
        seen: dict[str, int] = {}
        found: list[str] = []
        for name in self.strategies:
            seen[name] = seen.get(name, 0) + 1
            found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
        return tuple(found)

    def seating(self, number: int) -> tuple[int, ...]:
        """Who sits where in game `number`, by seat: from game to game each moves on by one."""
        every = range(len(self.strategies))
        first = number % len(self.strategies)
        return (*every[first:], *every[:first])

    def seed_of_game(self, number: int) -> str:
        """Of its dice: a table of the API with this seed rolls the same."""
        return seed_of(self.seed, number)

    def dice(self, number: int) -> Seeded:
        return Seeded(self.seed_of_game(number))

    def chance(self, number: int, participant: int) -> Random:
        """What a strategy may draw from in game `number`."""
        return Random(f"{self.seed}/{number}/{participant}")  # noqa: S311

    def opening(self, number: int, places: tuple[Place, ...]) -> Playing:
        """
        The game as it begins.

        Args:
            places: of the participants; they are laid by the game's seating.
        """
        setup = Setup(
            game_id=f"00000000-0000-7000-8000-{number:012x}",
            rules=self.rules,
            preset=self.preset,
            places=tuple(places[participant] for participant in self.seating(number)),
            host=None,
            visibility="unlisted",
            dice=SeededDice(self.seed_of_game(number)),
            clocks=None,
            pass_and_play=False,
            bots=Bots(),
            advice=False,
            cheats=None,
            start_seat=0,
            server_commits=("00" * 32, "00" * 32),
        )
        lobby = transition(None, Create(0, setup)).game
        game = transition(lobby, Start(0, "00" * 32)).game
        if not isinstance(game, Playing):
            raise TypeError("a started game is in play")
        return game
