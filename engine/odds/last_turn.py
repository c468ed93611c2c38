"""
The last turn of a final round of two: the share of a win that a seat can still make.

Played for that alone it depends only on how far the seat is behind. More than that wins, exactly
that is a tie and counts half.
"""

from __future__ import annotations

from engine.odds.reach import reach_odds
from engine.odds.throws import Throws

NOTHING = 1e-13
"""A share below it counts as none."""


class LastTurn:
    """
    Shares by throw and by how far behind, in steps of the unit.

    Args:
        throws: of every selection, not only the best: less may be what is wanted.
    """

    def __init__(self, throws: Throws) -> None:
        self._throws = throws
        self._rules = throws.rules
        unit = throws.unit
        self._of = [
            [
                (
                    outcome.rolls,
                    -1 if outcome.instant_win else outcome.best // unit,
                    sorted({k.points // unit for k in outcome.keeps}),
                    sorted({(k.throw, k.points // unit) for k in outcome.keeps}),
                )
                for outcome in outcomes
                if outcome.keeps
            ]
            for outcomes in throws.outcomes
        ]
        self._rows: list[list[float]] = [[] for _ in self._of]

    def after(self, mine: int, other: int, left: int, target: int) -> tuple[float, ...]:
        """
        Chances of the seat that has reached the target, by what it has made above it.

        Args:
            mine, other: totals before the turn, in steps; `left` was missing to the target.
        """
        if self._rules.exact != "off":  # to reach it too is a tie
            missing = (target - other) * self._throws.unit
            return (1 - reach_odds(self._rules).of(self._throws.full, missing) / 2,)
        found: list[float] = []
        behind = mine + left - other
        while not found or found[-1] < 1 - NOTHING:
            found.append(1 - self.share(behind))
            behind += 1
        return tuple(found)

    def share(self, behind: int) -> float:
        """What the last to move can make of being so many steps behind."""
        rows = self._rows
        while len(rows[0]) <= behind:
            need = len(rows[0])
            found = [self._mean(throw, need) for throw in range(len(rows))]
            for row, value in zip(rows, found, strict=True):
                row.append(value)
        return rows[self._throws.full][behind]

    def _mean(self, throw: int, need: int) -> float:
        good: float = 0
        whole = self._rules.bank_takes == "all_scoring"
        for rolls, most, banks, ons in self._of[throw]:
            if most < 0 or most > need:
                good += rolls
                continue
            best = 0.5 if most == need or (not whole and need in banks) else 0.0
            for onto, steps in ons:
                if steps <= need:  # with a tie in hand, more would win
                    best = max(best, self._rows[onto][need - steps])
            good += rolls * best
        return good / self._throws.throws[throw].rolls
