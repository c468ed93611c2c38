"""
How to play a turn when what counts is not points but what they are worth at this table.

Given a worth for every turn score (commonly the chance to win the game), the best play from each
position of a turn: to bank, or to lock a selection and roll on. Worked out from the highest score
down on a `Sketch`; a bust, an overshoot and a selection that an exact target forbids are worth what
the seat is left with.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.bots.sketch import Fall, Sketch, Step

Row = MutableSequence[float]

NO = -1.0
"""Worth of what the rules do not allow; every real worth is 0 or more."""


class Worth(NamedTuple):
    """What a turn is played for."""

    banked: tuple[float, ...]
    """By turn score in steps; the last stands for all above it."""
    lost: tuple[float, ...]
    """Of a turn that is lost, by protected layers (`Sketch.protects` steps each)."""
    opening: Step
    """Below it no bank is allowed."""
    room: Step
    """The bank that reaches the target; more than the last of `banked`: out of reach."""
    wild_rolls: int = 0
    """The turn may spend, at no price."""


class Aim:
    """
    Attributes:
        rows: `rows[layer][throw][risk]`, worth of rolling; risk in steps, protected ones left out.
        plain_rows: `plain_rows[layer][risk]`, worth of rolling all dice without a Wild Roll.
        wild_rows: `wild_rows[layer][risk]`, worth of spending a Wild Roll now.
    """

    def __init__(self, sketch: Sketch, worth: Worth) -> None:
        self.worth = worth
        self._sketch = sketch
        self._last = len(worth.banked) - 1
        fewer = worth._replace(wild_rolls=worth.wild_rolls - 1)
        self._after = Aim(sketch, fewer) if worth.wild_rolls else None
        self.rows: list[list[Row]] = [[] for _ in worth.lost]
        self.wild_rows: list[Row] = [[] for _ in worth.lost]
        self.plain_rows: list[Row] = [[] for _ in worth.lost]
        for layer in range(len(worth.lost) - 1, -1, -1):
            self._fill(layer)

    def shrink(self) -> None:
        """Keeps what is asked for, and no more: up to the end, and one value beyond it."""
        self._after = None
        for layer, rows in enumerate(self.rows):
            size = max(self._last - layer * self._sketch.protects, 0) + 1
            rows[:] = [array("d", row[:size]) for row in rows]
            for special in (self.plain_rows, self.wild_rows):
                special[layer] = array("d", special[layer][:size])

    def of_rolling(self, throw: int, risk: Step, layer: int = 0) -> float:
        """Worth of rolling this throw with so much at risk."""
        layer = min(layer, len(self.rows) - 1)
        row = self.rows[layer][throw]
        return row[min(risk, len(row) - 1)]

    def of_plain_roll(self, risk: Step, layer: int = 0) -> float:
        """Worth of rolling all dice, and none of them wild."""
        row = self.plain_rows[min(layer, len(self.rows) - 1)]
        return row[min(risk, len(row) - 1)]

    def of_wild_roll(self, risk: Step, layer: int = 0) -> float:
        """Worth of spending a Wild Roll now."""
        layer = min(layer, len(self.rows) - 1)
        row = self.wild_rows[layer]
        return row[min(risk, len(row) - 1)] if row else NO

    def of_bank(self, score: Step, hot: bool = False) -> float:
        """Worth of banking so much; NO where that is refused."""
        worth, rules = self.worth, self._sketch.rules
        exact = rules.exact != "off"
        reaches = score == worth.room if exact else score >= worth.room
        if not reaches:
            if score < worth.opening or (hot and not rules.bank_on_hot_dice):
                return NO
            if exact and score > worth.room:
                return worth.lost[0]
        return worth.banked[min(score, self._last)]

    def _fill(self, layer: int) -> None:
        sketch, last = self._sketch, self._last
        held = layer * sketch.protects
        size = max(last - held, 0)
        lost = self.worth.lost[layer]
        # Up to one roll past the end: whatever lies there is worth what the end is.
        scores = range(held, held + 2 * size + 2)
        exact = sketch.rules.exact != "off"
        cold = [self._banked(score, False, lost) for score in scores]
        hot = [self._banked(score, True, lost) for score in scores]
        beyond = [lost] * (last + 2) if exact and self.worth.room <= last else cold[size:]
        beyond += [beyond[-1]] * (2 * last + 3 - size - len(beyond))
        rows = self.rows[layer] = [[0.0] * size + beyond for _ in sketch.falls]
        work = [self._bound(falls, layer, rows, (cold, hot), self) for falls in sketch.falls]
        wild: Row = []
        wild_work = NO_WORK
        if self._after is not None and sketch.wild:
            after = self._after.rows[layer]
            wild = self.wild_rows[layer] = [0.0] * size + beyond
            wild_work = self._bound(sketch.wild, layer, after, (cold, hot), self._after)
        full = sketch.full
        plain = self.plain_rows[layer] = [0.0] * size + beyond if wild else rows[full]
        most = max(*self.worth.banked, lost, *(each.wins > 0 for each in work))
        enough = [self._enough(work[throw], most, lost) for throw in range(len(work))]
        for risk in range(size - 1, -1, -1):
            for throw, of_throw in enumerate(work):
                if (hot if throw == full else cold)[risk] >= enough[throw] and not wild:
                    rows[throw][risk] = enough[throw]
                else:
                    rows[throw][risk] = _mean(of_throw, risk, lost)
            if wild:
                plain[risk] = rows[full][risk]
                wild[risk] = _mean(wild_work, risk, lost)
                rows[full][risk] = max(rows[full][risk], wild[risk])

    def _enough(self, work: _Work, most: float, lost: float) -> float:
        """
        What no roll of a throw can be worth more than: where a bank is, the roll need not be looked
        at, for whoever may lock that selection may bank it as well.
        """
        rules = self._sketch.rules
        if rules.bank_takes != "selected" and (rules.exact != "off" or not rules.bank_on_hot_dice):
            return float("inf")
        return work.wins + work.scores * most + (1 - work.wins - work.scores) * lost

    def _banked(self, score: Step, hot: bool, lost: float) -> float:
        exact = self._sketch.rules.exact != "off"
        if exact and score > self.worth.room:
            return lost
        return self.of_bank(score, hot)

    def _bound(
        self,
        falls: tuple[Fall, ...],
        layer: int,
        rows: list[Row],
        banks: tuple[Row, Row],
        after: Aim,
    ) -> _Work:
        """
        The falls with the rows they lead to.

        Args:
            banks: worth of a bank by score; and of one with no die left.
        """
        size, per_layer, top = len(banks[0]) // 2 - 1, self._sketch.protects, len(self.rows) - 1
        most, work = size + 1, _Work([], [], [])
        for share, stops, onto, won in falls:
            if won:
                work.wins += share
                continue
            steps = [(banks[hot], min(points, most)) for points, hot in stops]
            for throw, risk, protected in onto:
                if not protected:
                    steps.append((rows[throw], min(risk, most)))
                else:
                    above = after.rows[min(layer + protected // per_layer, top)]
                    # What is at risk stays; a higher layer is shorter by what it protects.
                    steps.append((above[throw], min(risk, most)))
            work.scores += share if steps else 0.0
            if len(steps) == 1:
                work.ones.append((share, *steps[0]))
            elif len(steps) == 2:
                work.twos.append((share, *steps[0], *steps[1]))
            elif steps:
                work.others.append((share, steps))
            else:
                work.nothing += share
        return work


@dataclass(slots=True)
class _Work:
    """
    What a throw may come to: shares of rolls, each with what may be done then, as rows of worths
    and how far beyond the risk one looks there. One or two things are kept apart from more: a loop
    over two takes longer than two.
    """

    ones: list[tuple[float, Row, Step]]
    twos: list[tuple[float, Row, Step, Row, Step]]
    others: list[tuple[float, list[tuple[Row, Step]]]]
    nothing: float = 0.0
    """Share of the rolls that are lost whatever one does."""
    scores: float = 0.0
    """Share of those that are not, nor win."""
    wins: float = 0.0
    """Share of those that win the game."""


NO_WORK = _Work([], [], [])


def _mean(work: _Work, risk: Step, lost: float) -> float:
    total = work.wins + work.nothing * lost
    for share, row, up in work.ones:
        worth = row[risk + up]
        total += share * (worth if worth >= 0 else lost)
    for share, row, up, other, further in work.twos:
        worth = row[risk + up]
        if other[risk + further] > worth:
            worth = other[risk + further]
        total += share * (worth if worth >= 0 else lost)
    for share, steps in work.others:
        worth = NO
        for row, up in steps:
            if row[risk + up] > worth:
                worth = row[risk + up]
        total += share * (worth if worth >= 0 else lost)
    return total
