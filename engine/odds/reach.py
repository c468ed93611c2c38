"""
The chance that one turn reaches so many points, when nothing else counts.

Played for that alone a bust costs nothing but the chance, so that it depends only on the throw and
on the points still missing, never on those made so far: one table serves every total, and grows
upwards as larger needs are asked about. A bank that reaches is always allowed. With an exact target
the points must be met exactly; then every selection counts, not only the best, and what passes the
target is refused or overshoots. An instant win counts as reached, for it ends the game.

Left out: that protected points alone could make up an exact target after the turn has passed it.
Only rule sets with protected combinations and `exact: "bust"` know this; for them the chance found
is a lower bound.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.choices import Sets
from engine.odds.throws import Outcome, Outcomes, Throws, rolls_of, throws_of
from engine.rules import Rules
from engine.units import Mask, Points

Ons = tuple[tuple[int, int], ...]
"""(throw that follows, steps made) of the selections to go on from."""


class _Rolls(NamedTuple):
    """Rolls that offer the same."""

    rolls: int
    best: int
    """Steps that a bank may make at most; with an exact target 0, and of an instant win no end."""
    hits: frozenset[int]
    """With an exact target: needs, in steps, that a bank would meet."""
    on: Ons


class ReachOdds:
    """
    Chances by throw and by points missing; get it from `reach_odds`.

    Attributes:
        rows: `rows[throw][steps missing]`, as far as `grow` has got; a step is `unit` points.
        wild_row: chance after spending a Wild Roll now; empty where none is left.
    """

    def __init__(self, throws: Throws, wild_rolls: int = 0) -> None:
        self.throws = throws
        self.unit = throws.unit
        self.wild_rolls = wild_rolls if throws.wild else 0
        self.exact = throws.rules.exact != "off"
        self._after = reach_odds(throws.rules, self.wild_rolls - 1) if self.wild_rolls else None
        self._of = tuple(self._sorted(outcomes) for outcomes in throws.outcomes)
        self._of_wild = self._sorted(throws.wild)
        self._totals = tuple(throw.rolls for throw in throws.throws)
        self.rows: tuple[list[float], ...] = tuple([1.0] for _ in self._of)
        self.wild_row: list[float] = [1.0] if self._after else []

    def chance(self, dice: Mask, missing: Points, sets: Sets = ()) -> float:
        """
        The chance that the turn reaches, these dice about to be rolled.

        Args:
            dice: 0: all.
            missing: points still to be made; none or fewer count as reached, but with an exact
                target fewer than none are a failure.
        """
        return self.of(self.throws.index(dice, sets), missing)

    def of(self, throw: int, missing: Points) -> float:
        """The same by a throw's index."""
        steps = self.steps(missing)
        if steps <= 0:
            return float(steps == 0 or not self.exact)
        self.grow(missing)
        return self.rows[throw][steps]

    def with_wild_roll(self, missing: Points) -> float:
        """The chance that the turn reaches when a Wild Roll is spent now, on all dice."""
        if missing <= 0 or not self.wild_row:
            return float(missing == 0 or (missing < 0 and not self.exact))
        self.grow(missing)
        return self.wild_row[self.steps(missing)]

    def steps(self, missing: Points) -> int:
        """
        Points as steps of the rows; what an exact target asks for is a whole number of them.

        Exact and in between there is no chance: -1.
        """
        steps, over = divmod(missing, self.unit)
        if over:
            return -1 if self.exact else steps + 1
        return steps

    def grow(self, missing: Points) -> None:
        """Works out everything up to so many points missing; what is there already stays."""
        steps = -(-missing // self.unit)
        if steps < len(self.rows[0]):
            return
        if self._after:
            self._after.grow(missing)
        for need in range(len(self.rows[0]), steps + 1):
            self._grow(need)

    def _grow(self, need: int) -> None:
        found = [
            self._mean(rolls, need, self.rows, total)
            for rolls, total in zip(self._of, self._totals, strict=True)
        ]
        if self._after:
            full, total = self.throws.full, rolls_of(self.throws.rules.dice - 1)
            self.wild_row.append(self._mean(self._of_wild, need, self._after.rows, total))
            found[full] = max(found[full], self.wild_row[-1])
        for row, chance in zip(self.rows, found, strict=True):
            row.append(chance)

    def _mean(
        self, rolls: tuple[_Rolls, ...], need: int, rows: tuple[list[float], ...], total: int
    ) -> float:
        good: float = 0
        for often, best, hits, ons in rolls:
            if best >= need or need in hits:
                good += often
                continue
            most = 0.0
            for throw, steps in ons:
                if steps < need:
                    chance = rows[throw][need - steps]
                    if chance > most:
                        most = chance
            good += often * most
        return good / total

    def _sorted(self, outcomes: Outcomes) -> tuple[_Rolls, ...]:
        """Outcomes by what matters here, those that offer the same together."""
        counted: dict[tuple[int, frozenset[int], Ons], int] = {}
        for outcome in outcomes:
            if outcome.keeps:
                key = self._offers(outcome)
                counted[key] = counted.get(key, 0) + outcome.rolls
        return tuple(_Rolls(rolls, *key) for key, rolls in counted.items())

    def _offers(self, outcome: Outcome) -> tuple[int, frozenset[int], Ons]:
        unit = self.unit
        if outcome.instant_win:
            return 1 << 62, frozenset(), ()
        if not self.exact:
            most: dict[int, int] = {}
            for keep in outcome.keeps:
                most[keep.throw] = max(most.get(keep.throw, 0), keep.points // unit)
            return outcome.best // unit, frozenset(), tuple(sorted(most.items()))
        # A bank of all scoring dice may be one too many; where that is refused, it takes less.
        rules = self.throws.rules
        whole = rules.bank_takes == "all_scoring" and rules.exact == "bust"
        hits = [outcome.best] if whole else [keep.points for keep in outcome.keeps]
        on = sorted({(keep.throw, keep.points // unit) for keep in outcome.keeps})
        return 0, frozenset(points // unit for points in hits), tuple(on)


@lru_cache(maxsize=32)
def reach_odds(rules: Rules, wild_rolls: int = 0) -> ReachOdds:
    """
    The chances of a turn by these rules.

    Args:
        wild_rolls: how many the turn may spend; 0 where they are not played.
    """
    return ReachOdds(throws_of(rules), wild_rolls if rules.wild_rolls else 0)
