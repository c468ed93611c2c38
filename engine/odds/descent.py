"""
The rows of turn values, step by step from the highest score down.

Looked at is only what may matter. As long as rolling a throw is worth less than banking the same
points, no way leads there, for a bank is worth more; and what rolling is worth above banking only
grows as scores sink, so that a throw worth rolling stays so. Until then ways that end in a bank
are summed up.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.odds.ways import On, Way
from engine.units import Points

Row: TypeAlias = "array[float]"
Step: TypeAlias = tuple["array[float]", int, Points]
"""(row of the throw that follows, steps up it, points protected)."""
Busy = tuple[int, float, list[Step]]
"""(how many rolls, what banking adds, ways to go on that may matter)."""

NO_BANK = float("-inf")
SETTLED = 1e-13
MOST_ROUNDS = 1_000


class _Quiet:
    """A way that ends in a bank, so far."""

    __slots__ = ("busy", "throw")

    def __init__(self, throw: int, busy: Busy) -> None:
        self.throw = throw
        self.busy = busy


class Descent:
    """
    Fills rows in place.

    Args:
        rows: by throw; right from `top` on.
        unit: points between two values of a row.
        ways, rolls: of each throw; all its rolls in number.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        unit: Points,
        top: int,
        ways: Sequence[Sequence[Way]],
        rolls: Sequence[int],
    ) -> None:
        self._rows, self._unit, self._rolls = rows, unit, rolls
        self._banked = [[0, 0] for _ in rows]
        """By throw: how many rolls end in a bank, and the sum of what those add."""
        self._busy: list[list[Busy]] = [[] for _ in rows]
        self._waiting: list[list[tuple[_Quiet, Step]]] = [[] for _ in rows]
        """By throw that a way leads to: what becomes of interest once it is worth rolling."""
        self._asleep = set(range(len(rows)))
        self._still = False
        for throw, of_throw in enumerate(ways):
            for way in of_throw:
                self._sort_in(throw, way)
        self._wake(top)

    def step(self, at: int, others: Mapping[int, tuple[float, Row]]) -> None:
        """
        Works out every row at one step; those above it are right.

        Args:
            others: by throw, the value of something else that may be done instead of rolling it,
                and a row that keeps what rolling it would be worth.
        """
        for _ in range(MOST_ROUNDS):
            moved = self._pass(at, others)
            if not self._still or moved < SETTLED:
                break
        self._wake(at)

    def _pass(self, at: int, others: Mapping[int, tuple[float, Row]]) -> float:
        """Works out a step once, and tells by how much the values moved, by their size."""
        risk, moved = at * self._unit, 0.0
        for throw, row in enumerate(self._rows):
            often, added = self._banked[throw]
            total: float = often * risk + added
            for count, bank, steps in self._busy[throw]:
                best = risk + bank
                for onto, up, protected in steps:
                    value = onto[at + up] + protected
                    if value > best:
                        best = value
                total += count * best
            total /= self._rolls[throw]
            if throw in others:
                other, rolling = others[throw]
                rolling[at] = total
                total = max(total, other)
            moved = max(moved, abs(total - row[at]) / (1 + total))
            row[at] = total
        return moved

    def _sort_in(self, throw: int, way: Way) -> None:
        if way.bank is None and not way.on:
            return  # a bust
        at_once = way.bank is None or any(
            points + protected > way.bank or points == 0 for _, points, protected in way.on
        )
        if at_once:
            bank = NO_BANK if way.bank is None else way.bank
            self._busy[throw].append((way.rolls, bank, [self._step(on) for on in way.on]))
            self._still |= any(points == 0 for _, points, _ in way.on)
            return
        quiet = _Quiet(throw, (way.rolls, way.bank or 0, []))
        self._banked[throw][0] += way.rolls
        self._banked[throw][1] += way.rolls * (way.bank or 0)
        for on in way.on:
            self._waiting[on[0]].append((quiet, self._step(on)))

    def _step(self, on: On) -> Step:
        return self._rows[on[0]], on[1] // self._unit, on[2]

    def _wake(self, at: int) -> None:
        """Ways that lead to throws worth rolling from here down are of interest from now on."""
        awake = [throw for throw in self._asleep if self._rows[throw][at] > at * self._unit]
        for throw in awake:
            self._asleep.remove(throw)
            for quiet, step in self._waiting[throw]:
                count, bank, steps = quiet.busy
                if not steps:
                    self._busy[quiet.throw].append(quiet.busy)
                    self._banked[quiet.throw][0] -= count
                    self._banked[quiet.throw][1] -= count * int(bank)
                steps.append(step)
