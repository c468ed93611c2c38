"""
A rule set's turns in few steps: what the strategist works out anew for each position is looked up
in this, not in the whole of `engine.odds`.

Made from the throws of `engine.odds`. Where there are many of them (different spicy faces), those
of equally many dice are one; points are whole steps of a grid, and none is less than one step. With
few throws and a grid of the rule set's own unit nothing is lost by it.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from engine.bots.places import Places
from engine.choices import Sets
from engine.odds.throws import Outcome, Throws
from engine.rules import Rules
from engine.units import Mask, Points

MOST_THROWS = 40
"""With more, throws of equally many dice are taken together."""
FINE = 12
"""Then points are rounded to this part of their size, so that few outcomes stay different."""

POCKETS = 4
"""Different amounts that one selection may protect."""

FEWEST_STEPS = 8
"""A turn is followed in no fewer, whatever it takes."""

Step = int
"""Points on the grid."""


class Onto(NamedTuple):
    """Locking a selection and rolling on."""

    throw: int
    risk: Step
    protected: Step


class Stop(NamedTuple):
    """Banking."""

    points: Step
    hot: bool
    """Every die of the table would be held."""


class Offered(NamedTuple):
    """What a roll offers; a bust nothing."""

    stops: tuple[Stop, ...]
    onto: tuple[Onto, ...]
    wins: bool


class Fall(NamedTuple):
    """Rolls that offer the same."""

    share: float
    """Of the throw's rolls."""
    stops: tuple[Stop, ...]
    onto: tuple[Onto, ...]
    wins: bool


Falls = tuple[Fall, ...]


class Sketch:
    """
    Attributes:
        rules: that it was made from.
        unit: points of a step.
        falls: by throw.
        full: the throw of all dice.
        wild: of all dice, the last as the Jester; empty where it is not played.
        protects: steps between the amounts that may be protected; 0: nothing is.
    """

    def __init__(
        self,
        rules: Rules,
        unit: Points,
        falls: tuple[Falls, ...],
        wild: Falls,
        index: _Index,
    ) -> None:
        self.rules = rules
        self.unit = unit
        self.falls = falls
        self.wild = wild
        self.full = index.of(rules.all_dice, ())
        self.protects = gcd(
            *(o.protected for each in (*falls, wild) for fall in each for o in fall.onto)
        )
        self._index = index
        self._offers, self._wild_offers = _offers(falls), _offers((wild,))

    def throw(self, dice: Mask, sets: Sets = ()) -> int:
        """Index of the throw of these dice; none left means all."""
        return self._index.of(dice or self.rules.all_dice, sets)

    def looks(self, steps: Step, wild_rolls: int = 0) -> int:
        """Offers to be looked at to follow a turn so far, with every amount it may protect."""
        each = self._offers * (1 + wild_rolls) + self._wild_offers * wild_rolls
        return each * sum(range(steps, 0, -self.protects) if self.protects else (steps,))

    def on_grid(self, unit: Points) -> Sketch:
        """The same in steps of so many points."""
        if unit == self.unit:
            return self
        takes_all = self.rules.bank_takes == "all_scoring"
        exact = self.rules.exact != "off"

        def scaled(points: Step) -> Step:
            return max(round(points * self.unit / unit), 1 if points else 0)

        def again(falls: Falls) -> Falls:
            found: Counter[Offered] = Counter()
            for share, stops, onto, wins in falls:
                coarse = _offered(
                    [Stop(scaled(s.points), s.hot) for s in stops],
                    [Onto(o.throw, scaled(o.risk), scaled(o.protected)) for o in onto],
                    wins,
                    takes_all,
                    exact,
                )
                found[coarse] += share  # type: ignore[assignment]  # a share, not a count
            return tuple(Fall(share, *offered) for offered, share in found.items())

        falls = tuple(map(again, self.falls))
        return Sketch(self.rules, unit, *_pocketed(falls, again(self.wild)), self._index)


class _Index:
    """Throws of a sketch by their dice and sets."""

    def __init__(self, throws: Throws) -> None:
        self.merges = len(throws.throws) > MOST_THROWS
        self._places = Places(throws)

    def of(self, dice: Mask, sets: Sets) -> int:
        return dice.bit_count() - 1 if self.merges else self._places.of(dice, sets)


def sketch_of(throws: Throws) -> Sketch:
    """The sketch of these throws, on the grid of their own unit."""
    rules, unit, index = throws.rules, throws.unit, _Index(throws)
    places = [len(t.dice) - 1 if index.merges else i for i, t in enumerate(throws.throws)]
    found: list[Counter[Offered]] = [Counter() for _ in range(max(places) + 1)]

    def steps(points: Points) -> Step:
        if index.merges and points > FINE * unit:
            fine = max(unit, round(points / FINE / unit) * unit)
            points = round(points / fine) * fine
        return points // unit

    def offered(outcome: Outcome) -> Offered:
        stops: list[Stop] = []
        onto: list[Onto] = []
        for keep in outcome.keeps:
            protected, risk = steps(keep.protected), steps(keep.points - keep.protected)
            stops.append(Stop(risk + protected, keep.throw == throws.full))
            onto.append(Onto(places[keep.throw], risk, protected))
        takes_all = rules.bank_takes == "all_scoring"
        return _offered(stops, onto, outcome.instant_win, takes_all, rules.exact != "off")

    for place, outcomes in zip(places, throws.outcomes, strict=True):
        for outcome in outcomes:
            found[place][offered(outcome)] += outcome.rolls
    wild: Counter[Offered] = Counter()
    for outcome in throws.wild:
        wild[offered(outcome)] += outcome.rolls
    falls = tuple(map(_shares, found))
    return Sketch(rules, unit, *_pocketed(falls, _shares(wild)), index)


def _offered(
    stops: list[Stop], onto: list[Onto], wins: bool, takes_all: bool, exact: bool
) -> Offered:
    """Without what another offer outdoes; to an exact target less may be better."""
    kept = set(stops)
    if takes_all and kept:
        kept = {max(kept)}
    elif not exact:
        cold = [stop for stop in kept if not stop.hot]
        hot = [stop for stop in kept if stop.hot]
        kept = {max(some) for some in (cold, hot) if some}
    best: dict[tuple[int, Step, Step], Onto] = {}
    for to in onto:
        key = (to.throw, to.protected, to.risk if exact else 0)
        if key not in best or best[key].risk < to.risk:
            best[key] = to
    return Offered(tuple(sorted(kept)), tuple(sorted(best.values())), wins)


def _pocketed(falls: tuple[Falls, ...], wild: Falls) -> tuple[tuple[Falls, ...], Falls]:
    """
    Few different amounts protected: of others, a part counts as points at risk. What a selection is
    worth stays the same.
    """
    every = [o.protected for each in (*falls, wild) for fall in each for o in fall.onto]
    least, most = gcd(*every), max(every, default=0)
    if most <= POCKETS * least:
        return falls, wild
    pocket = -(-most // POCKETS)

    def moved(onto: Onto) -> Onto:
        rest = onto.protected % pocket
        return Onto(onto.throw, onto.risk + rest, onto.protected - rest)

    def again(each: Falls) -> Falls:
        return tuple(fall._replace(onto=tuple(map(moved, fall.onto))) for fall in each)

    return tuple(map(again, falls)), again(wild)


def _shares(found: Counter[Offered]) -> Falls:
    rolls = found.total()
    return tuple(Fall(count / rolls, *offered) for offered, count in found.most_common())


def _offers(each: tuple[Falls, ...]) -> int:
    return sum(1 + len(fall.stops) + len(fall.onto) for falls in each for fall in falls)


def affordable(finest: Sketch, unit: Points, span: float, most: int, wild_rolls: int = 0) -> Sketch:
    """
    The sketch in steps of so many points, or of twice, four times, … as many where to follow a turn
    over a span of points would take more than `most` looks.
    """
    while True:
        found, steps = regridded(finest, unit), max(1, -(-round(span) // unit))
        if steps <= FEWEST_STEPS or found.looks(steps, wild_rolls) <= most:
            return found
        unit *= 2


@lru_cache(maxsize=64)
def regridded(sketch: Sketch, unit: Points) -> Sketch:
    """The sketch in steps of so many points; worked out once."""
    return sketch.on_grid(unit)
