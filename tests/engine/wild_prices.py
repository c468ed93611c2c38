"""
Turns in which Wild Rolls may be spent, worked out from the rolls, with the turns that follow them.

`engine.odds` says what a turn is worth at a price of Wild Rolls; what that price is follows from
all the turns of a game, followed here one by one from the last: what is left at the end is worth
nothing. No bot has a hand in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.choices import Sets
from engine.odds.throws import Outcomes, throws_of
from engine.rules import Rules
from engine.state import Playing
from engine.units import Mask

TOP = 6_000
"""Turn scores above it are banked, unless something else is said."""
ABOVE = 5_000
"""Points that one roll makes at most."""

Row = list[float]
Way = tuple[float, int | None, list[tuple[int, int]]]
"""(share of the rolls, best score in steps, what may be locked: throw that follows, steps)."""


class Turn:
    """
    A turn with up to so many Wild Rolls, played for points and for what is kept.

    Attributes:
        plain: `plain[left][throw][score in steps]`, worth of rolling, none of the dice wild.
        wild: `wild[left][score in steps]`, worth of spending one now.
    """

    def __init__(self, ruled: Rules, kept: Sequence[float], least: int = 0, top: int = TOP) -> None:
        """
        Args:
            kept: what it is worth to end with 0, 1, 2, … Wild Rolls left.
            least: what a bank must be worth.
            top: turn scores above it are banked.
        """
        throws = throws_of(ruled)
        self._unit, self.full, self._least = throws.unit, throws.full, least
        ways = [self._ways(outcomes) for outcomes in throws.outcomes]
        jester = self._ways(throws.wild)
        self.plain: list[list[Row]] = []
        self.wild: list[Row] = []
        best: list[Row] = []
        for left, end in enumerate(kept):
            beyond = [score + end for score in range(0, top + ABOVE, self._unit)]
            before, best = best, [list(beyond) for _ in ways]
            self.plain.append([list(beyond) for _ in ways])
            self.wild.append(list(beyond))
            for at in range(top // self._unit, -1, -1):
                if left:
                    self.wild[left][at] = self._mean(jester, at, before, kept[left - 1])
                for throw, each in enumerate(ways):
                    worth = self.plain[left][throw][at] = self._mean(each, at, best, end)
                    spends = left > 0 and throw == self.full
                    best[throw][at] = max(worth, self.wild[left][at]) if spends else worth

    def at_best(self, left: int) -> float:
        """A fresh turn with so many left."""
        plain = self.plain[left][self.full][0]
        return max(plain, self.wild[left][0]) if left else plain

    def _ways(self, outcomes: Outcomes) -> list[Way]:
        rolls, unit = sum(outcome.rolls for outcome in outcomes), self._unit
        return [
            (
                outcome.rolls / rolls,
                outcome.best // unit if outcome.keeps else None,
                [(keep.throw, keep.points // unit) for keep in outcome.keeps],
            )
            for outcome in outcomes
        ]

    def _mean(self, ways: list[Way], at: int, after: list[Row], end: float) -> float:
        total, unit, least = 0.0, self._unit, self._least
        for share, most, onto in ways:
            best = end
            if most is not None and (at + most) * unit >= least:
                best = (at + most) * unit + end
            for throw, steps in onto:
                worth = after[throw][at + steps]
                if worth > best:
                    best = worth
            total += share * best
        return total


@lru_cache
def made(ruled: Rules, turns: int, most: int) -> tuple[float, ...]:
    """Mean points of so many turns of a seat on the board, by Wild Rolls it has: up to `most`."""
    if not turns:
        return (0.0,) * (most + 1)
    turn = Turn(ruled, made(ruled, turns - 1, most))
    return tuple(turn.at_best(left) for left in range(most + 1))


class Prices:
    """
    What a state is worth: the points of this turn, less what the Wild Rolls that it spends would
    have brought in the turns to come.
    """

    def __init__(self, ruled: Rules, missing: int, most: int) -> None:
        """
        Args:
            missing: points that the seat lacks when the turn begins.
            most: Wild Rolls that it may have.
        """
        self._kept = [self._later(ruled, missing, left, most) for left in range(most + 1)]
        self._unit = throws_of(ruled).unit
        self._index = throws_of(ruled).index
        self._turns = [
            [Turn(ruled, kept, least) for kept in self._kept] for least in (0, ruled.opening)
        ]

    def __call__(
        self, play: Playing, dice: Mask, score: int, protected: int, sets: Sets, wild: bool
    ) -> float:
        seat = play.seats[play.turn.seat]
        left = seat.wild_rolls
        turn = self._turns[not seat.on_board][left]
        at = score // self._unit
        row = turn.wild[left] if wild else turn.plain[left][self._index(dice, sets)]
        return row[at] - self._kept[left][left]

    @staticmethod
    def _later(ruled: Rules, missing: int, left: int, most: int) -> tuple[float, ...]:
        """
        What Wild Rolls bring in the turns to come, by how many are kept: as many turns as a seat
        with so many takes for the points it lacks, this one apart.
        """
        turns = 1
        while made(ruled, turns, most)[left] < missing:
            turns += 1
        before, after = made(ruled, turns - 1, most), made(ruled, turns, most)
        part = (missing - before[left]) / (after[left] - before[left])
        if turns == 1:
            return (0.0,) * (most + 1)
        low, high = made(ruled, turns - 2, most), before
        return tuple(a + part * (b - a) for a, b in zip(low, high, strict=True))
