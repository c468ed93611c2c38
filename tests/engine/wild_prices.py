"""
Turns in which any number of Wild Rolls may be spent, each at a price, worked out from the rolls.

`engine.odds` says what a turn is worth that may spend some at no price; what one is worth that
could be spent in another turn as well is asked for in tests alone.
"""

from __future__ import annotations

from functools import lru_cache

from engine.odds.throws import Outcomes, throws_of
from engine.rules import Rules
from engine.scoring import Sets
from engine.state import Playing
from engine.units import Mask

TOP = 12_000
"""Turn scores above it are banked."""
ABOVE = 5_000
"""Points that one roll makes at most."""


class Priced:
    """Values of a turn in which every Wild Roll costs so many points."""

    def __init__(self, ruled: Rules, price: float, least: int) -> None:
        """
        Args:
            least: what a bank must be worth.
        """
        self._throws, self._least = throws_of(ruled), least
        self._unit = self._throws.unit
        self._wild = [float(score) for score in range(0, TOP + ABOVE, self._unit)]
        self._rows = [list(self._wild) for _ in self._throws.throws]
        for score in range(TOP, -1, -self._unit):
            at = score // self._unit
            self._wild[at] = self._mean(self._throws.wild, score) - price
            for row, outcomes in zip(self._rows, self._throws.outcomes, strict=True):
                row[at] = self._mean(outcomes, score)

    def of(self, dice: Mask, score: int, sets: Sets, wild: bool) -> float:
        row = self._wild if wild else self._rows[self._throws.index(dice, sets)]
        return row[score // self._unit]

    def _mean(self, outcomes: Outcomes, score: int) -> float:
        total = 0.0
        for outcome in outcomes:
            best = 0.0
            for keep in outcome.keeps:
                made = score + keep.points
                best = max(best, self._rows[keep.throw][made // self._unit])
                if made >= self._least:
                    best = max(best, made)
                if keep.throw == self._throws.full:
                    best = max(best, self._wild[made // self._unit])
            total += outcome.rolls * best
        return total / sum(outcome.rolls for outcome in outcomes)


class Prices:
    """Values for seats on the board and off it."""

    def __init__(self, ruled: Rules, price: float) -> None:
        self._on, self._off = Priced(ruled, price, 0), Priced(ruled, price, ruled.opening)

    def __call__(
        self, play: Playing, dice: Mask, score: int, protected: int, sets: Sets, wild: bool
    ) -> float:
        on_board = play.seats[play.turn.seat].on_board
        return (self._on if on_board else self._off).of(dice, score, sets, wild)


@lru_cache
def fair_price(ruled: Rules) -> float:
    """At which to spend one at the beginning of a turn is worth neither more nor less."""
    low, high = 0.0, 1_000.0
    while high - low > 0.1:
        price = (low + high) / 2
        turns = Priced(ruled, price, 0)
        if turns.of(0, 0, (), wild=True) > turns.of(0, 0, (), wild=False):
            low = price
        else:
            high = price
    return low
