"""
What positions of a turn are worth in points, as tables: what a bot keeps of the odds.

`Values` are those of turns that may spend so many Wild Rolls, each at one price; `Priced` those at
any price, between the few that were worked out.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from engine.bots.places import Places
from engine.choices import Sets
from engine.odds import turn_odds
from engine.odds.lines import Line
from engine.odds.opening import OpeningOdds, opening_odds, protects
from engine.odds.price import wild_price
from engine.rules import Rules
from engine.units import Mask, Points

MOST_SPENT = 3
"""Wild Rolls in a turn that are told apart; more are as good as so many."""
LEVELS = (0.0, 0.5, 1.0, 1.05, 1.12, 1.25)
"""Prices at which values are worked out, as parts of the usual one. The rarer Wild Rolls are among
the turns to come, the higher their price, up to what the best of opportunities brings."""
TABLES_OF_WILD_ROLLS = MOST_SPENT * len(LEVELS)


class Values:
    """
    Means of what a turn credits under best play for points, less the price of Wild Rolls it spends.

    Attributes:
        fresh: of a turn of a seat on the board.
    """

    def __init__(self, rules: Rules, wild_rolls: int = 0, price: float = 0.0) -> None:
        """Raises: Endless, TooLong."""
        odds = turn_odds(rules, wild_rolls, price)
        off = opening_odds(rules, rules.opening, wild_rolls, price)
        steps, full = odds.ends // odds.unit + 1, odds.throws.full
        self.fresh = odds.fresh
        self._places = Places(odds.throws)
        self._unit = odds.unit
        rows, lines = [*odds.rows], [*odds.lines]
        # To roll all dice is told apart from to spend a Wild Roll on them.
        rows[full], lines[full] = odds.plain_row, odds.plain_line
        self._rows = tuple(row[:steps] for row in rows)
        self._lines = tuple(lines)
        self._wild_row = odds.wild_row[:steps]
        self._wild_line = odds.wild_line
        self._least = rules.opening
        self._pocket = protects(odds.throws) or max(rules.opening, 1)
        below = range(0, self._least, self._unit)
        self._off = {
            pocket: (
                [
                    array("d", [_off_board(off, throw, max(at, pocket), pocket) for at in below])
                    for throw in range(len(self._rows))
                ],
                array("d", [off.value_of_wild_roll(max(at, pocket), pocket) for at in below]),
            )
            for pocket in range(0, self._least, self._pocket)
        }

    def rolling(
        self, on_board: bool, dice: Mask, score: Points, protected: Points, sets: Sets
    ) -> float:
        """Of a turn in which these dice are rolled, none of them wild."""
        throw = self._places.of(dice, sets)
        if on_board or score >= self._least:
            return protected + _at(
                self._rows[throw], self._lines[throw], score - protected, self._unit
            )
        rows, _ = self._off[protected - protected % self._pocket]
        return rows[throw][score // self._unit]

    def wild_roll(self, on_board: bool, score: Points, protected: Points) -> float:
        """Of a turn in which a Wild Roll is spent now; its price is taken off."""
        if on_board or score >= self._least:
            return protected + _at(self._wild_row, self._wild_line, score - protected, self._unit)
        _, row = self._off[protected - protected % self._pocket]
        return row[score // self._unit]


Parts = list[tuple[float, Values]]


class Priced:
    """
    Values of a turn that may spend Wild Rolls, by their price.

    What a turn is worth bends but slightly between two of the prices that were worked out: there it
    is taken to be straight.

    Attributes:
        usual: the price at which to begin a turn with one is worth as much as without.
    """

    def __init__(self, rules: Rules) -> None:
        """Raises: Endless, TooLong."""
        self.usual = wild_price(rules, MOST_SPENT)
        self._ordinary = turn_odds(rules).fresh
        self._levels = [
            [Values(rules, many, self.usual * part) for many in range(1, MOST_SPENT + 1)]
            for part in LEVELS
        ]

    def at(self, price: float, wild_rolls: int) -> Parts:
        """The values that make up those at one price with so many left, each with its part."""
        place = min(wild_rolls, MOST_SPENT) - 1
        wanted = min(max(price / self.usual, 0.0), LEVELS[-1]) if self.usual else 0.0
        above = min(bisect_right(LEVELS, wanted), len(LEVELS) - 1)
        low, high = LEVELS[above - 1], LEVELS[above]
        part = (wanted - low) / (high - low)
        parts = (1 - part, self._levels[above - 1][place]), (part, self._levels[above][place])
        return [each for each in parts if each[0]]

    def at_two(self, price: float, next_price: float, wild_rolls: int) -> Parts:
        """
        The same where the first that is spent has one price, and further ones a higher one: between
        those of a turn that may spend one and of a turn that may spend all at the price of the
        first, by how much of what further ones add is left at theirs.
        """
        if wild_rolls < 2 or next_price <= price:
            return self.at(price, wild_rolls)
        at_most = self.adds(price, wild_rolls) - self.adds(price, 1)
        adds = self.adds(next_price, wild_rolls) - self.adds(next_price, 1)
        more = min(1.0, adds / at_most) if at_most > 0 else 0.0
        found = [(more * part, values) for part, values in self.at(price, wild_rolls)]
        return [*found, *(((1 - more) * part, values) for part, values in self.at(price, 1))]

    def within(self, price: float) -> float:
        """The nearest price for which there are values."""
        return min(max(price, 0.0), self.usual * LEVELS[-1])

    def adds(self, price: float, wild_rolls: int) -> float:
        """Points that a fresh turn brings more with so many left at that price, net of it."""
        if not wild_rolls:
            return 0.0
        return sum(part * v.fresh for part, v in self.at(price, wild_rolls)) - self._ordinary


def _off_board(off: OpeningOdds, throw: int, score: Points, protected: Points) -> float:
    if throw == off.odds.throws.full:
        return off.value_of_plain_roll(score, protected)
    return off.value(throw, score, protected)


def _at(row: array[float], line: Line, risk: Points, unit: Points) -> float:
    at = risk // unit
    return row[at] if at < len(row) else line.at(risk)
