"""What positions of a turn are worth in points, as tables: what a bot keeps of the odds."""

from __future__ import annotations

from array import array

from engine.bots.places import Places
from engine.odds import turn_odds
from engine.odds.lines import Line
from engine.odds.opening import opening_odds, protects
from engine.rules import Rules
from engine.scoring import Sets
from engine.units import Mask, Points


class Values:
    """
    Means of what a turn credits under best play for points.

    Attributes:
        fresh: of a turn of a seat on the board.
    """

    def __init__(self, rules: Rules, wild_rolls: int = 0) -> None:
        """Raises: Endless, TooLong."""
        odds = turn_odds(rules, wild_rolls)
        off = opening_odds(rules, rules.opening, wild_rolls)
        steps = odds.ends // odds.unit + 1
        self.fresh = odds.fresh
        self._places = Places(odds.throws)
        self._unit = odds.unit
        self._rows = tuple(row[:steps] for row in odds.rows)
        self._lines = odds.lines
        self._wild_row = odds.wild_row[:steps]
        self._wild_line = odds.wild_line
        self._least = rules.opening
        self._pocket = protects(odds.throws) or max(rules.opening, 1)
        below = range(0, self._least, self._unit)
        self._off = {
            pocket: (
                [
                    array("d", [off.value(throw, max(at, pocket), pocket) for at in below])
                    for throw in range(len(self._rows))
                ],
                array("d", [off.value_of_wild_roll(max(at, pocket), pocket) for at in below]),
            )
            for pocket in range(0, self._least, self._pocket)
        }

    def rolling(
        self, on_board: bool, dice: Mask, score: Points, protected: Points, sets: Sets
    ) -> float:
        """Of a turn in which these dice are rolled."""
        throw = self._places.of(dice, sets)
        if on_board or score >= self._least:
            return protected + _at(
                self._rows[throw], self._lines[throw], score - protected, self._unit
            )
        rows, _ = self._off[protected - protected % self._pocket]
        return rows[throw][score // self._unit]

    def wild_roll(self, on_board: bool, score: Points, protected: Points) -> float:
        """Of a turn in which a Wild Roll is spent now."""
        if on_board or score >= self._least:
            return protected + _at(self._wild_row, self._wild_line, score - protected, self._unit)
        _, row = self._off[protected - protected % self._pocket]
        return row[score // self._unit]


def _at(row: array[float], line: Line, risk: Points, unit: Points) -> float:
    at = risk // unit
    return row[at] if at < len(row) else line.at(risk)
