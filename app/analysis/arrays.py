"""
The chance to win of the first of two seats, for targets too far for `engine.odds.duel`: by arrays.

Needs numpy (the extra `solver`); nothing else here does. All pairs of totals with one sum are
worked out at a time, from the highest sum down: a bank leads to a higher sum, and what a bust leads
to, the mirror image of a pair, has the same one. Each value is a straight line of its mirror's as
long as no choice changes; the line through the last two rounds leads on (the secant's way).

In scope: the first bank at or above the target wins at once, no opening, and turns leave nothing
behind but points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.odds.duel import OutOfScope
from engine.odds.throws import Throws, throws_of
from engine.odds.ways import ways_of
from engine.rules import Rules
from engine.units import Points

SETTLED = 1e-12
MOST_ROUNDS = 40

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
_Ways = list[tuple[int, int, list[tuple[int, int]]]]
"""(how many rolls, steps that a bank makes or -1, (throw that follows, steps made) of each)."""


def first_seat(rules: Rules, compensation: Points = 0) -> float:
    """
    The chance of the seat that begins; the other starts with the compensation.

    Raises: OutOfScope.
    """
    more = rules.take_over or rules.wild_rolls or any(c.protected for c in rules.combinations)
    if more or rules.exact != "off" or rules.final_round != "none" or rules.opening:
        raise OutOfScope
    wins = _Race(throws_of(rules)).wins()
    return float(wins[0, compensation // throws_of(rules).unit])


class _Race:
    def __init__(self, throws: Throws) -> None:
        unit = throws.unit
        self._target = -(-throws.rules.target // unit)
        self._full = throws.full
        ways = [ways_of(throws, outcomes) for outcomes in throws.outcomes]
        best = [[o.best // unit for o in outcomes] for outcomes in throws.outcomes]
        self._far = 1 + max(max(of_throw) for of_throw in best)
        self._rolls = np.array([throw.rolls for throw in throws.throws], dtype=float)
        self._ways: list[_Ways] = [
            [
                (
                    way.rolls,
                    -1 if way.bank is None else way.bank // unit,
                    [(onto, points // unit) for onto, points, _ in way.on],
                )
                for way in of_throw
                if way.on
            ]
            for of_throw in ways
        ]
        self._wins = [
            sum(o.rolls for o in outcomes if o.instant_win) for outcomes in throws.outcomes
        ]
        self._bust = [
            throw.rolls - won - sum(way[0] for way in of_throw)
            for throw, won, of_throw in zip(throws.throws, self._wins, self._ways, strict=True)
        ]

    def wins(self) -> Array:
        """By own and other total, in steps: the chance of the seat to move."""
        target = self._target
        table = np.full((target, target), 0.5)
        for both in range(2 * target - 2, -1, -1):
            mine = np.arange(max(0, both - target + 1), min(both, target - 1) + 1)
            table[mine, both - mine] = self._settled(table, mine, both - mine)
        return table

    def _settled(self, table: Array, mine: Indices, other: Indices) -> Array:
        """All pairs of one sum; the mirror image of the first is the last."""
        turn = _Turn(self, table, mine, other)
        wins: Array
        bust = np.full(len(mine), 0.5)
        value = turn.value(bust)
        slope = np.zeros(len(mine))
        for _ in range(MOST_ROUNDS):
            mirror, turned = value[::-1], slope[::-1]
            # x = value + slope (1 - y - bust), y the same of the mirror image
            here = value + slope * (1 - bust)
            there = mirror + turned * (1 - bust[::-1])
            wins = (here - slope * there) / (1 - slope * turned)
            new_bust = 1 - wins[::-1]
            moved = new_bust - bust
            if np.abs(moved).max() < SETTLED:
                return wins
            new = turn.value(new_bust)
            apart = np.abs(moved) > SETTLED
            slope = np.where(apart, (new - value) / np.where(apart, moved, 1.0), slope)
            bust, value = new_bust, new
        return value


class _Turn:
    """The turns of all pairs of one sum. Rows: throws, then what a bank leads to; by steps made."""

    def __init__(self, race: _Race, table: Array, mine: Indices, other: Indices) -> None:
        self._race, target = race, race._target
        left = target - mine
        self._steps = int(left.max())
        self._high = self._steps + race._far
        made = np.arange(self._high)[:, None]
        reached = made >= left[None, :]
        at = np.minimum(mine[None, :] + made, target - 1)
        self._ends = np.where(reached, 1.0, 1 - table[other[None, :], at])
        count = len(race._ways)
        # Below the throws what a bank leads to, and below that one allowed only where it reaches.
        self._rows = np.zeros(((count + 2) * self._high, len(mine)))
        self._rows[count * self._high : (count + 1) * self._high] = self._ends
        self._rows[(count + 1) * self._high :] = reached
        self._plans = [self._plan(of_throw, count) for of_throw in race._ways]

    def _plan(self, ways: _Ways, count: int) -> tuple[Indices, Array]:
        """For each outcome the rows of all there is to choose from, and how often it comes."""
        options = []
        for _, bank, on in ways:
            rows = [onto * self._high + steps for onto, steps in on]
            best = max(steps for _, steps in on)
            if bank >= 0:
                rows.append(count * self._high + bank)
            if bank != best:
                rows.append((count + 1) * self._high + best)
            options.append(rows)
        most = max(map(len, options))
        padded = [rows + [rows[0]] * (most - len(rows)) for rows in options]
        return np.array(padded), np.array([rolls for rolls, _, _ in ways], dtype=float)

    def value(self, bust: Array) -> Array:
        """Chances at the start of a turn, where those after a bust are these."""
        race, rows = self._race, self._rows
        for made in range(self._steps - 1, -1, -1):
            for throw, (options, rolls) in enumerate(self._plans):
                if made or throw == race._full:
                    best = rows[options[:, 0] + made]
                    for column in range(1, options.shape[1]):
                        np.maximum(best, rows[options[:, column] + made], out=best)
                    mean: Array = rolls @ best + race._bust[throw] * bust + race._wins[throw]
                    rows[throw * self._high + made] = mean / race._rolls[throw]
        found: Array = rows[race._full * self._high].copy()
        return found
