"""
The chance to win of two seats that both play as well as can be, from every pair of totals.

Totals only grow, so pairs are worked out from the highest sum down. What holds them together is
the bust: after it the other seat moves with the same totals. A pair and its mirror image are
therefore two values that depend on each other alone; each is a straight line of the other as long
as no choice changes, and following these lines (Newton's way) settles both in a few rounds.

In scope are rule sets whose turns leave nothing behind but points: no protected points, take-overs
or Wild Rolls; and where it is good to reach the target: not those whose final round the last to
reach it wins. Ties count half. Values are floats, right to about 1e-11.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.odds.duel_turn import DuelTurn, Stakes
from engine.odds.last_turn import LastTurn
from engine.odds.throws import Throws, throws_of
from engine.rules import Rules
from engine.units import Points

SETTLED = 1e-13
MOST_ROUNDS = 50
MOST_LOOKS = 30_000_000
"""Selections looked at, about: some ten seconds."""


class OutOfScope(ValueError):
    """Turns by these rules leave more behind than points, or there are too many pairs of totals."""


class Place(NamedTuple):
    """Where a seat stands."""

    total: int
    """In steps of the unit."""
    on_board: bool


class Duel:
    """All pairs of totals two seats can have; get it from `duel_of`."""

    def __init__(self, rules: Rules, compensation: Points) -> None:
        self.rules = rules
        throws = Throws(rules, every=True) if rules.final_round != "none" else throws_of(rules)
        self.unit = throws.unit
        self.target = -(-rules.target // self.unit)
        self._opening = -(-rules.opening // self.unit)
        self._turn = DuelTurn(throws)
        self._last = LastTurn(throws) if rules.final_round == "one_turn" else None
        self._known: dict[tuple[Place, Place], float] = {}
        on_board = self._opening == 0
        self._first = Place(0, on_board)
        self._second = Place(compensation // self.unit, on_board)
        self._fill()

    @property
    def first(self) -> float:
        """Chance of the seat that begins; the other has the compensation."""
        return self._known[self._first, self._second]

    def chance(self, mine: Points, other: Points) -> float:
        """Chance of the seat to move: both are on the board, with these totals below the target."""
        return self._known[Place(mine // self.unit, True), Place(other // self.unit, True)]

    def _fill(self) -> None:
        starts = {self._first, self._second}
        totals = [Place(total, True) for total in range(self._opening, self.target)]
        places = sorted({*totals, *starts}, reverse=True)
        pairs = [(one, other) for one in places for other in places if one <= other]
        pairs.sort(key=lambda pair: (-pair[0].total - pair[1].total, pair[0].on_board))
        # Of pairs with one sum those with more seats on the board are met first or do not matter:
        # a bank that leads on raises the sum, for it is worth a point at least.
        guess = 0.5
        for one, other in pairs:
            guess = self._settle(one, other, guess)

    def _settle(self, one: Place, other: Place, guess: float) -> float:
        """Works out a pair and its mirror image."""
        mine, theirs = self._stakes(one, other), self._stakes(other, one)
        x = y = guess
        for _ in range(MOST_ROUNDS):
            a, slope_a = self._turn.value(mine, 1 - y)
            if one == other:
                new_x = new_y = (a + slope_a * y) / (1 + slope_a)
            else:
                b, slope_b = self._turn.value(theirs, 1 - x)
                # new_x = a + slope_a (y - new_y), new_y = b + slope_b (x - new_x)
                across = 1 - slope_a * slope_b
                if across > SETTLED:
                    high = a + slope_a * (y - b - slope_b * x)
                    new_x = high / across
                    new_y = b + slope_b * (x - new_x)
                else:  # both risk all on next to nothing, and the lines are one: half a step
                    new_x, new_y = (x + a) / 2, (y + b) / 2
            moved = max(abs(new_x - x), abs(new_y - y))
            x, y = new_x, new_y
            if moved < SETTLED:
                break
        self._known[one, other], self._known[other, one] = x, y
        return x

    def _stakes(self, mine: Place, other: Place) -> Stakes:
        """What the points of a turn lead to."""
        left = self.target - mine.total
        below = [-1.0] * left
        for made in range(1 if mine.on_board else max(1, self._opening), left):
            below[made] = 1 - self._known[other, Place(mine.total + made, True)]
        if self._last is None:
            return Stakes(tuple(below), (1.0,))
        return Stakes(tuple(below), self._last.after(mine.total, other.total, left, self.target))


def duel_of(rules: Rules, compensation: Points = 0) -> Duel:
    """
    Both seats' chances by these rules.

    Args:
        compensation: what the second seat starts with.
    Raises: OutOfScope.
    """
    if duel_work(rules) > MOST_LOOKS:
        raise OutOfScope
    return _duel(rules, compensation)


_duel = lru_cache(maxsize=8)(Duel)


def duel_work(rules: Rules) -> float:
    """Selections to be looked at, about; infinite where the rules are out of scope."""
    leaves_more = (
        rules.take_over or rules.wild_rolls or any(c.protected for c in rules.combinations)
    )
    if leaves_more:
        return float("inf")
    throws: Throws = throws_of(rules)
    keeps = sum(len(o.keeps) for outcomes in throws.outcomes for o in outcomes)
    steps = rules.target / throws.unit
    each = 1 if rules.final_round == "none" else 3
    return steps**3 * keeps * each
