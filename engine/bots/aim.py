"""
How to play a turn when what counts is not points but what they are worth at this table.

Given a worth for every turn score (commonly the chance to win the game), the best play from each
position of a turn: to bank, or to lock a selection and roll on. Worked out from the highest score
down on a `Sketch`; a bust, an overshoot and a selection that an exact target forbids are worth what
the seat is left with.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from engine.bots.sketch import Falls, Sketch, Step

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
    price: float = 0.0
    """Of a Wild Roll that is spent: what it would be worth at another turn."""


class Aim:
    """
    Args:
        after: how to play on once a Wild Roll is spent; None: none may be.

    Attributes:
        rows: `rows[layer][throw][risk]`, worth of rolling; risk in steps, protected ones left out.
        plain_rows: `plain_rows[layer][risk]`, worth of rolling all dice without a Wild Roll.
        wild_rows: `wild_rows[layer][risk]`, worth of spending a Wild Roll now, less its price.
    """

    def __init__(self, sketch: Sketch, worth: Worth, after: Aim | None = None) -> None:
        self.worth = worth
        self._sketch = sketch
        self._last = len(worth.banked) - 1
        self._after = after
        self.rows: list[list[Row]] = [[] for _ in worth.lost]
        self.wild_rows: list[Row] = [[] for _ in worth.lost]
        self.plain_rows: list[Row] = [[] for _ in worth.lost]
        for layer in range(len(worth.lost) - 1, -1, -1):
            self._fill(layer)

    def shrink(self) -> None:
        """
        Keeps what is asked for, and no more: up to the end, and what rolling is worth beyond it,
        where every roll that scores is banked.
        """
        self._after = None
        sketch = self._sketch
        for layer, rows in enumerate(self.rows):
            size = max(self._last - layer * sketch.protects, 0)
            ends = [self._beyond(falls, layer) for falls in sketch.falls]
            rows[:] = [array("d", [*row[:size], end]) for row, end in zip(rows, ends, strict=True)]
            plain, wild = self.plain_rows[layer], self.wild_rows[layer]
            self.plain_rows[layer] = array("d", [*plain[:size], ends[sketch.full]])
            if wild:
                end = self._beyond(sketch.wild, layer) - self.worth.price
                self.wild_rows[layer] = array("d", [*wild[:size], end])

    def _beyond(self, falls: Falls, layer: int) -> float:
        lost, worth = self.worth.lost[layer], self.worth
        if self._sketch.rules.exact != "off" and worth.room <= self._last:
            return lost
        wins = sum(fall.share for fall in falls if fall.wins)
        scores = sum(fall.share for fall in falls if fall.onto and not fall.wins)
        return wins + scores * worth.banked[-1] + (1 - wins - scores) * lost

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
        """Worth of spending a Wild Roll now, less its price; NO where there is none."""
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

    @property
    def fresh(self) -> float:
        """Worth of a turn at its beginning."""
        return self.rows[0][self._sketch.full][0]

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
        work = [self._bound(falls, layer, rows, size, self) for falls in sketch.falls]
        wild: Row = []
        wild_work: _Work = ([], 0.0)
        if self._after is not None and sketch.wild:
            after = self._after.rows[layer]
            wild = self.wild_rows[layer] = [0.0] * size + beyond
            wild_work = self._bound(sketch.wild, layer, after, size, self._after)
        full = sketch.full
        plain = self.plain_rows[layer] = [0.0] * size + beyond if wild else rows[full]
        for risk in range(size - 1, -1, -1):
            for throw, of_throw in enumerate(work):
                rows[throw][risk] = _mean(of_throw, risk, cold, hot, lost)
            if wild:
                plain[risk] = rows[full][risk]
                wild[risk] = _mean(wild_work, risk, cold, hot, lost) - self.worth.price
                rows[full][risk] = max(rows[full][risk], wild[risk])

    def _banked(self, score: Step, hot: bool, lost: float) -> float:
        exact = self._sketch.rules.exact != "off"
        if exact and score > self.worth.room:
            return lost
        return self.of_bank(score, hot)

    def _bound(
        self,
        falls: Falls,
        layer: int,
        rows: list[Row],
        size: Step,
        after: Aim,
    ) -> _Work:
        """The falls with the rows they lead to, and the share of those that win the game."""
        found: _Bound = []
        most, per_layer, top = size + 1, self._sketch.protects, len(self.rows) - 1
        wins = 0.0
        for share, stops, onto, won in falls:
            if won:
                wins += share
                continue
            steps: list[tuple[Row, Step]] = []
            for throw, risk, protected in onto:
                if not protected:
                    steps.append((rows[throw], min(risk, most)))
                else:
                    above = after.rows[min(layer + protected // per_layer, top)]
                    # What is at risk stays; a higher layer is shorter by what it protects.
                    steps.append((above[throw], min(risk, most)))
            stop = [(min(points, most), hot) for points, hot in stops]
            found.append((share, [p for p, h in stop if not h], [p for p, h in stop if h], steps))
        return found, wins


def aim_of(sketch: Sketch, worth: Worth, prices: Sequence[float] = ()) -> Aim:
    """
    How to play a turn that may spend some Wild Rolls.

    Args:
        prices: of each of them, that of the last to be spent first.
    """
    aim = Aim(sketch, worth)
    for price in prices if sketch.wild else ():
        aim = Aim(sketch, worth._replace(price=price), aim)
    return aim


_Bound = list[tuple[float, list[Step], list[Step], list[tuple[Row, Step]]]]
_Work = tuple[_Bound, float]


def _mean(work: _Work, risk: Step, cold: list[float], hot: list[float], lost: float) -> float:
    falls, total = work
    for share, stops, hot_stops, onto in falls:
        best = NO
        for points in stops:
            worth = cold[risk + points]
            if worth > best:
                best = worth
        for points in hot_stops:
            worth = hot[risk + points]
            if worth > best:
                best = worth
        for row, up in onto:
            worth = row[risk + up]
            if worth > best:
                best = worth
        total += share * (best if best >= 0 else lost)
    return total
