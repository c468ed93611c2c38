"""
What a turn is worth when it is played for points alone: rolling on against banking.

The value of a throw is the mean of what the turn credits from then on when every choice is the
best one: to bank what may be banked, or to lock a selection and roll on. It depends on the throw
and on the points at risk. Protected points are in the pocket already: they are added to either
side and change nothing. So the values are one row a throw, worked out from the highest score down,
for a turn's score only grows.

Above a certain score the best choices never change, and there every value is a straight line:
share of turns that still credit their points × points at risk + what is added. That line is found
first, and the score from where it holds, so that a row of finite length says everything.

Nothing is known here of targets, openings and other seats. Values are floats, right to about
1e-12 of their size; what a single roll does (engine.odds.rolls) is exact.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from engine.choices import Sets
from engine.odds.descent import Descent
from engine.odds.lines import BUST, CLOSE, Line, cross, crossing, max_line
from engine.odds.throws import Throws, rolls_of, throws_of
from engine.odds.ways import Way, ways_of
from engine.rules import Rules
from engine.units import Mask, Points

MOST_ROUNDS = 10_000
MOST_STEPS = 1 << 18
"""A row has at most about so many values."""


class Endless(ValueError):
    """Best play never banks: roll after roll cannot bust, and the value of a turn has no bound."""


class TooLong(ValueError):
    """These rules would need rows of more than `MOST_STEPS` values."""


class TurnOdds:
    """
    The values of all throws of a rule set; get one from `turn_odds`.

    Attributes:
        throws: index them by `throws.index(dice, sets)`.
        wild_rolls: how many Wild Rolls the turn may spend, each at the `price` of so many points.
        unit: points between two values of a row.
        rows: `rows[throw][points at risk // unit]`, at least up to `ends`; that of all dice is
            the better of an ordinary roll and a Wild Roll, where one is left.
        wild_row: value of a Wild Roll, its price taken off, the same way; empty where none is left.
        plain_row: value of an ordinary roll of all dice.
        lines, wild_line, plain_line: the value from `ends` on.
        ends: points at risk from which on all values are their lines.
        bank_from: by throw, the fewest points at risk with which banking is as good as rolling
            on; None: rolling on is always better.
    """

    def __init__(self, throws: Throws, after: TurnOdds | None = None, price: float = 0.0) -> None:
        """
        Args:
            after: the values of a turn that may spend one Wild Roll less; None: this one none.
            price: of a Wild Roll; what it could bring at another time.
        Raises: Endless, TooLong.
        """
        self.throws = throws
        self.unit = throws.unit
        self.wild_rolls: int = after.wild_rolls + 1 if after else 0
        self.price = price
        if after is None:
            self.ways = tuple(ways_of(throws, outcomes) for outcomes in throws.outcomes)
            self.wild_ways = ways_of(throws, throws.wild)
        else:
            self.ways, self.wild_ways = after.ways, after.wild_ways
        self._rolls = tuple(throw.rolls for throw in throws.throws)
        self._wild_rolls = rolls_of(throws.rules.dice - 1)
        if self._goes_on_for_ever():
            raise Endless
        self.wild_line = self._wild_line(after)
        self.lines = self._settled()
        full = throws.full
        self.plain_line = self._mean(self.ways[full], self.lines, self._rolls[full])
        self.ends = self._where_lines_begin(after)
        if self.ends / self.unit > MOST_STEPS:
            raise TooLong
        self.wild_row: array[float] = array("d")
        if after is not None:
            self.wild_row = self._wild_values(after)
        self.rows, self.plain_row = self._values()
        self.bank_from = tuple(map(self._bank_from, range(len(self.rows))))

    @property
    def fresh(self) -> float:
        """Mean of what a turn credits."""
        return self.rows[self.throws.full][0]

    def value_of_rolling(
        self, dice: Mask, score: Points = 0, protected: Points = 0, sets: Sets = ()
    ) -> float:
        """
        Mean of what the turn credits when these dice are rolled, less the price of Wild Rolls that
        it spends; all dice as an ordinary roll or a Wild Roll, whichever is better.

        Args:
            dice: to be rolled; 0: all.
            score: the turn score so far, carried-in and protected points included.
            protected: the part of it that a bust does not take.
            sets: locked sets; those of no more use are passed over.
        """
        return protected + self.value(self.throws.index(dice, sets), score - protected)

    def value(self, throw: int, risk: Points) -> float:
        """The same by a throw's index and the points at risk; without what is protected."""
        row, at = self.rows[throw], risk // self.unit
        return row[at] if at < len(row) else self.lines[throw].at(risk)

    def value_of_wild_roll(self, score: Points = 0, protected: Points = 0) -> float:
        """The same when one of the turn's Wild Rolls is spent now, on all dice; less its price."""
        at = (score - protected) // self.unit
        if at < len(self.wild_row):
            return protected + self.wild_row[at]
        return protected + self.wild_line.at(score - protected)

    def value_of_plain_roll(self, score: Points = 0, protected: Points = 0) -> float:
        """The same when all dice are rolled and none of them is wild."""
        at = (score - protected) // self.unit
        if at < len(self.plain_row):
            return protected + self.plain_row[at]
        return protected + self.plain_line.at(score - protected)

    def _goes_on_for_ever(self) -> bool:
        """Whether some throws lead, whatever is rolled, to one of them again."""
        safe = set(range(len(self.ways)))
        while True:
            left = {
                throw
                for throw in safe
                if all(any(on[0] in safe for on in way.on) for way in self.ways[throw])
            }
            if left == safe:
                return bool(safe)
            safe = left

    def _settled(self) -> tuple[Line, ...]:
        """The lines: every throw's best choices, once scores are high enough."""
        lines = [BUST] * len(self.ways)
        for _ in range(MOST_ROUNDS):
            moved = 0.0
            for throw, ways in enumerate(self.ways):
                old, new = lines[throw], self._mean(ways, lines, self._rolls[throw])
                if throw == self.throws.full and self.wild_rolls and self.wild_line.over(new):
                    new = self.wild_line
                lines[throw] = new
                moved = max(moved, abs(new.share - old.share), abs(new.more - old.more) / 1e4)
            if moved < CLOSE:
                return tuple(lines)
        raise TooLong

    def _mean(self, ways: tuple[Way, ...], lines: Sequence[Line], rolls: int) -> Line:
        best = [(way.rolls, max_line(way, lines)) for way in ways]
        return Line(
            sum(count * line.share for count, line in best) / rolls,
            sum(count * line.more for count, line in best) / rolls,
        )

    def _wild_line(self, after: TurnOdds | None) -> Line:
        if after is None:
            return BUST
        share, more = self._mean(self.wild_ways, after.lines, self._wild_rolls)
        return Line(share, more - self.price)

    def _where_lines_begin(self, after: TurnOdds | None) -> Points:
        """Points at risk from which on no other choice is better than those of the lines."""
        ends = float(after.ends) if after else 0.0
        if after:
            ends = max([ends, *(cross(way, after.lines) for way in self.wild_ways)])
        for throw, line in enumerate(self.lines):
            if 1 - line.share > CLOSE:  # from there on banking is better
                ends = max(ends, line.more / (1 - line.share))
            ends = max([ends, *(cross(way, self.lines) for way in self.ways[throw])])
        if after:
            plain, wild = self.plain_line, self.wild_line
            ends = max(ends, crossing(plain, wild), crossing(wild, plain))
        return ceil(ends / self.unit) * self.unit

    def _reach(self) -> int:
        """Steps above `ends` that a row must have for one roll more."""
        ways = [way for ways in (*self.ways, self.wild_ways) for way in ways]
        return 2 + max((on[1] for way in ways for on in way.on), default=0) // self.unit

    def _wild_values(self, after: TurnOdds) -> array[float]:
        """Up to `ends`, by the values of whatever follows a Wild Roll."""
        row: array[float] = array("d")
        for at in range(self.ends // self.unit + 1):
            risk, total = at * self.unit, 0.0
            for count, bank, ons in self.wild_ways:
                best = 0.0 if bank is None else risk + bank
                for throw, points, protected in ons:
                    value = after.value(throw, risk + points) + protected
                    if value > best:
                        best = value
                total += count * best
            row.append(total / self._wild_rolls - self.price)
        return row

    def _values(self) -> tuple[tuple[array[float], ...], array[float]]:
        """The rows, from `ends` down, and that of an ordinary roll of all dice."""
        unit, top = self.unit, self.ends // self.unit
        risks = [at * unit for at in range(top + self._reach())]
        rows = tuple(array("d", [line.at(risk) for risk in risks]) for line in self.lines)
        descent = Descent(rows, unit, top, self.ways, self._rolls)
        full, plain = self.throws.full, array("d", [self.plain_line.at(risk) for risk in risks])
        for at in range(top - 1, -1, -1):
            descent.step(at, {full: (self.wild_row[at], plain)} if self.wild_row else {})
        return rows, plain if self.wild_row else rows[full]

    def _bank_from(self, throw: int) -> Points | None:
        row, unit = self.rows[throw], self.unit
        for at in range(self.ends // unit + 1):
            if row[at] <= at * unit:
                return at * unit
        return None


MOST_TABLES = 32
"""Tables kept: about 25 KiB each, 1 MiB where six dice have six different spicy faces."""


def turn_odds(rules: Rules, wild_rolls: int = 0, price: float = 0.0) -> TurnOdds:
    """
    The values of a turn by these rules; worked out once.

    Args:
        wild_rolls: how many the turn may spend; 0 where they are not played.
        price: points that each of them costs; see `engine.odds.price`.
    Raises: Endless, TooLong.
    """
    if not (wild_rolls and rules.wild_rolls):
        return _kept(rules, 0, 0.0)
    return _kept(rules, wild_rolls, price)


@lru_cache(maxsize=MOST_TABLES)
def _kept(rules: Rules, wild_rolls: int, price: float) -> TurnOdds:
    after = turn_odds(rules, wild_rolls - 1, price) if wild_rolls else None
    return TurnOdds(throws_of(rules), after, price)
