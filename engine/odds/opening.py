"""
What a turn is worth for a seat off the board: below the opening there is no bank.

From the opening on the values are those of `turn_odds`. Below it they depend on the points at risk
and on the protected ones, for both count towards the opening. They are still mean points credited:
what it is worth to be on the board is not among them.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd

from engine.choices import Sets
from engine.odds.throws import Throws, rolls_of
from engine.odds.turn import TurnOdds, turn_odds
from engine.odds.ways import Way
from engine.rules import Rules
from engine.units import Mask, Points


class OpeningOdds:
    """
    Values of all throws below an opening; get it from `opening_odds`.

    Attributes:
        odds: the values from the opening on.
        least: the opening.
    """

    def __init__(self, odds: TurnOdds, least: Points) -> None:
        self.odds = odds
        self.least = least
        self._unit = odds.unit
        before = odds.wild_rolls - 1, odds.price
        self._after = opening_odds(odds.throws.rules, least, *before) if odds.wild_rolls else None
        self._protects = protects(odds.throws)
        self._rows: dict[Points, tuple[list[float], ...]] = {}
        self._wild_rows: dict[Points, list[float]] = {}
        self._plain_rows: dict[Points, list[float]] = {}
        self._fill()

    @property
    def fresh(self) -> float:
        """Mean of what a turn credits, as in `TurnOdds`."""
        return self.value(self.odds.throws.full, 0)

    def value_of_rolling(
        self, dice: Mask, score: Points = 0, protected: Points = 0, sets: Sets = ()
    ) -> float:
        """Mean of what the turn credits when these dice are rolled; see `TurnOdds`."""
        return self.value(self.odds.throws.index(dice, sets), score, protected)

    def value(self, throw: int, score: Points, protected: Points = 0) -> float:
        """The same by a throw's index."""
        if score >= self.least:
            return protected + self.odds.value(throw, score - protected)
        return self._rows[protected][throw][score // self._unit]

    def value_of_wild_roll(self, score: Points = 0, protected: Points = 0) -> float:
        """The same when one of the turn's Wild Rolls is spent now, on all dice."""
        if score >= self.least:
            return self.odds.value_of_wild_roll(score, protected)
        return self._wild_rows[protected][score // self._unit] if self._after else 0.0

    def value_of_plain_roll(self, score: Points = 0, protected: Points = 0) -> float:
        """The same when all dice are rolled and none of them is wild."""
        if score >= self.least:
            return self.odds.value_of_plain_roll(score, protected)
        return self._plain_rows[protected][score // self._unit]

    def _fill(self) -> None:
        unit, steps = self._unit, -(-self.least // self._unit)
        pockets = range(0, max(self.least, 1), self._protects or max(self.least, 1))
        for protected in pockets:
            self._rows[protected] = tuple([0.0] * steps for _ in self.odds.ways)
            self._wild_rows[protected] = [0.0] * steps
            self._plain_rows[protected] = [0.0] * steps
        for at in range(steps - 1, -1, -1):
            for protected in pockets:
                if protected <= at * unit:
                    self._work_out(at, protected)

    def _work_out(self, at: int, protected: Points) -> None:
        odds, score, rows = self.odds, at * self._unit, self._rows[protected]
        for throw, ways in enumerate(odds.ways):
            rolls = odds.throws.throws[throw].rolls
            rows[throw][at] = self._mean(ways, rolls, score, protected, self)
        plain = self._plain_rows[protected][at] = rows[odds.throws.full][at]
        if self._after:
            rolls = rolls_of(odds.throws.rules.dice - 1)
            wild = self._mean(odds.wild_ways, rolls, score, protected, self._after) - odds.price
            self._wild_rows[protected][at] = wild
            rows[odds.throws.full][at] = max(plain, wild)

    def _mean(
        self,
        ways: tuple[Way, ...],
        rolls: int,
        score: Points,
        protected: Points,
        after: OpeningOdds,
    ) -> float:
        total: float = 0
        for often, bank, on in ways:
            best: float = protected  # a bust credits that much
            if bank is not None and score + bank >= self.least:
                best = score + bank
            for throw, points, kept in on:
                best = max(best, after.value(throw, score + points + kept, protected + kept))
            total += often * best
        total += protected * (rolls - sum(way.rolls for way in ways))
        return total / rolls


def protects(throws: Throws) -> Points:
    """The greatest number that divides whatever is protected; 0: nothing is."""
    every = (*throws.outcomes, throws.wild)
    return gcd(*(keep.protected for outcomes in every for o in outcomes for keep in o.keeps))


@lru_cache(maxsize=32)
def opening_odds(
    rules: Rules, least: Points, wild_rolls: int = 0, price: float = 0.0
) -> OpeningOdds:
    """
    The values of a turn of a seat off the board.

    Args:
        least: what a first bank must be worth; commonly `rules.opening`.
        wild_rolls: how many the turn may spend, each at the `price` of so many points.
    Raises: Endless, TooLong.
    """
    return OpeningOdds(turn_odds(rules, wild_rolls, price), least)
