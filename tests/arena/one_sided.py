"""
One-sided tests of a rate that is claimed, and how often each of them is wrong.

`Sequential` is A. Wald's (Sequential Tests of Statistical Hypotheses, Annals of Mathematical
Statistics 16, 1945): after each game the likelihood of what was won at the rate claimed is compared
with that at a clearly worse one, and the test ends as soon as one of them explains it much better.
A win shared by k counts 1/k here as there. What it does in the end is worked out game by game, so
that its errors are known and not only bounded.

`Full` plays all games, but for those that could not change the verdict any more.
"""

from __future__ import annotations

from functools import cache
from math import comb, log
from typing import NamedTuple

ALMOST_NEVER = 0.001


class Sequential(NamedTuple):
    """
    Attributes:
        claimed: the rate that must not be failed.
        worse: the rate that must not pass.
        error: how often either may happen, each; Wald's bound.
        games: where nothing is decided by then, `Full` decides.
    """

    claimed: float
    worse: float
    error: float = ALMOST_NEVER
    games: int = 400

    def verdict(self, won: float, games: int) -> bool | None:
        """Whether it passes with so much won of so many games; None: another game is needed."""
        better = won * log(self.claimed / self.worse)
        better += (games - won) * log((1 - self.claimed) / (1 - self.worse))
        if abs(better) >= log((1 - self.error) / self.error):
            return better > 0
        return won >= least_of(self.games, self.claimed) if games == self.games else None

    def passes(self, rate: float) -> float:
        """How likely it is to pass at this rate, no game being shared."""
        found, open_yet = 0.0, {0: 1.0}
        for game in range(1, self.games + 1):
            after: dict[int, float] = {}
            for won, chance in open_yet.items():
                after[won + 1] = after.get(won + 1, 0.0) + chance * rate
                after[won] = after.get(won, 0.0) + chance * (1 - rate)
            open_yet = {}
            for won, chance in after.items():
                verdict = self.verdict(won, game)
                if verdict is None:
                    open_yet[won] = chance
                elif verdict:
                    found += chance
        return found


class Full(NamedTuple):
    """It fails what wins so few that the rate claimed would hardly ever bring no more."""

    claimed: float
    games: int = 400

    def verdict(self, won: float, games: int) -> bool | None:
        least = least_of(self.games, self.claimed)
        if won >= least:
            return True
        return False if won + self.games - games < least else None


@cache
def least_of(games: int, rate: float) -> int:
    """The least that passes: no more than this less one comes hardly ever at the rate."""
    return next(won for won in range(games) if chance_of_so_few(won, games, rate) > ALMOST_NEVER)


def chance_of_so_few(won: float, games: int, rate: float) -> float:
    """How likely it is to win no more than this of so many games, were `rate` the true one."""
    most = int(won)
    return sum(comb(games, k) * rate**k * (1 - rate) ** (games - k) for k in range(most + 1))
