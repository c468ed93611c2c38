"""
What games add up to.

Counts are whole numbers; rates and means are for the reader, with intervals that hold the true
value in 95 of 100 contests. A rate has Wilson's interval (E. B. Wilson, JASA 22, 1927), which is
right for few games and near 0 and 1 too; a win shared by k counts 1/k, which makes it no narrower
than it should be. A mean has the mean ± 1.96 standard errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from app.arena.game import UNFINISHED, Played

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Estimate(NamedTuple):
    """A value with the ends of its interval."""

    value: float
    low: float
    high: float


class Side:
    """One participant over all games."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games = 0
        self.wins = 0
        """Alone."""
        self.shared = 0
        """Won together with others."""
        self.won = Fraction(0)
        """Wins, those shared by k counted 1/k."""
        self.first_games = 0
        """In which it began."""
        self.first_won = Fraction(0)
        self.points = 0
        self.squares = 0
        """Of final scores, added."""
        self.turns = 0
        self.banked = 0
        self.banked_points = 0
        self.busted = 0
        self.overshot = 0
        self.scores: Counter[int] = Counter()

    def add(self, who: int, game: Played) -> None:
        score, turns = game.scores[who], game.turns[who]
        won = Fraction(who in game.winners, max(1, len(game.winners)))
        self.games += 1
        self.wins += won == 1
        self.shared += 0 < won < 1
        self.won += won
        if game.seating[0] == who:
            self.first_games += 1
            self.first_won += won
        self.points += score
        self.squares += score * score
        self.scores[score] += 1
        self.turns += turns.ended
        self.banked += turns.banked
        self.banked_points += turns.banked_points
        self.busted += turns.busted
        self.overshot += turns.overshot

    @property
    def win_rate(self) -> Estimate:
        return wilson(float(self.won), self.games)

    @property
    def first_win_rate(self) -> Estimate:
        return wilson(float(self.first_won), self.first_games)

    @property
    def score(self) -> Estimate:
        return mean(self.games, self.points, self.squares)

    @property
    def bust_rate(self) -> Estimate:
        """Of its turns."""
        return wilson(self.busted, self.turns)

    @property
    def banked_turn(self) -> float:
        """Mean points of a turn that was banked."""
        return self.banked_points / self.banked if self.banked else 0.0


class Tally:
    def __init__(self, names: Iterable[str]) -> None:
        self.sides = [Side(name) for name in names]
        self.games = 0
        self.unfinished = 0
        self.turns: Counter[int] = Counter()
        """Lengths of games: turns that ended, of all seats together."""
        self.rolls = 0
        self.reasons: Counter[str] = Counter()

    def add(self, game: Played) -> None:
        self.games += 1
        self.unfinished += game.reason == UNFINISHED
        self.reasons[game.reason] += 1
        self.rolls += game.rolls
        self.turns[sum(turns.ended for turns in game.turns)] += 1
        for who, side in enumerate(self.sides):
            side.add(who, game)

    @property
    def length(self) -> Estimate:
        """Turns of a game."""
        turns = sum(n * count for n, count in self.turns.items())
        squares = sum(n * n * count for n, count in self.turns.items())
        return mean(self.games, turns, squares)


def wilson(won: float, games: int) -> Estimate:
    """The rate of something that came `won` times of so many, with Wilson's interval."""
    if not games:
        return Estimate(0.0, 0.0, 1.0)
    rate, n = won / games, games
    middle = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    return Estimate(rate, max(0.0, middle - half), min(1.0, middle + half))


def mean(count: int, total: int, squares: int) -> Estimate:
    """The mean of values that add up to `total`, their squares to `squares`."""
    if not count:
        return Estimate(0.0, 0.0, 0.0)
    value = total / count
    spread = (squares - total * total / count) / (count - 1) if count > 1 else 0.0
    half = Z * sqrt(max(0.0, spread) / count)
    return Estimate(value, value - half, value + half)


def quantiles(counts: Counter[int], points: Iterable[float]) -> list[int]:
    """The least values that are not exceeded by so large parts of what was counted."""
    every = sum(counts.values())
    found: list[int] = []
    for point in points:
        seen = 0
        for value in sorted(counts):
            seen += counts[value]
            if seen >= point * every:
                found.append(value)
                break
    return found
