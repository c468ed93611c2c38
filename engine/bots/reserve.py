"""
What Wild Rolls are worth that are kept: the price at which one may be spent now.

Worked out from turns by these rules, from the last one backwards: in the last turn all that are
left may be spent, and what is kept is lost; in the turn before, each costs what it would bring in
the last one; and so on. As long as there are more turns to come than Wild Rolls, the price is at
least what one brings that a turn begins with, and grows slowly: the more turns, the better the best
opportunity among them.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.bots.aim import Aim, Worth
from engine.bots.race import Race
from engine.bots.sketch import Sketch, affordable
from engine.bots.values import Priced
from engine.units import Points

FEW_TURNS = 4
"""Followed one by one, with as many Wild Rolls as may matter in them."""
MOST_TURNS = 60
"""Of further ones each begins with a Wild Roll, where there are so many; with fewer of them, each
turn adds to the price what such a turn is worth the more."""
FADED = 4
"""Further Wild Rolls in few turns, each of which brings less than the one before by as much."""
FAR = 12
"""Mean turns to which a turn is followed."""
FINE = 4
"""Steps to a mean turn."""
MOST_LOOKS = 60_000
"""For each turn that is followed, or its steps are coarser."""


class Kept(NamedTuple):
    """Wild Rolls left to a seat."""

    wild_rolls: int
    price: float
    """Points that the last of them would bring at a later turn."""
    next_price: float
    """The same of the last but one."""


NONE_KEPT = Kept(0, 0.0, 0.0)


class Reserve:
    """Of a rule set in which Wild Rolls are played."""

    def __init__(self, race: Race, priced: Priced | None) -> None:
        """
        Args:
            priced: the values of turns by the odds themselves; None: there are none, and prices are
                those found in coarser steps.
        """
        self._mean = race.mean
        self._prices = _of_few_turns(race)
        """`[turns to come][n − 1]`, what the nth Wild Roll adds to them all."""
        found = self._prices[FEW_TURNS][FEW_TURNS - 1]
        if priced is not None and found:
            scale = priced.usual / found
            self._prices = [[scale * each for each in prices] for prices in self._prices]
        while len(self._prices) <= MOST_TURNS:
            self._prices.append(_of_one_more(self._prices[-1], len(self._prices), priced))

    def kept(self, missing: Points, wild_rolls: int) -> Kept:
        """
        Wild Rolls of a seat, and what they would bring after this turn.

        Args:
            missing: points to the target.
        """
        if not wild_rolls:
            return NONE_KEPT
        turns = max(0.0, self._turns(missing, wild_rolls) - 1)
        lower, upper = (
            [self._price(int(turns) + more, wild_rolls - n) for n in (1, 2)] for more in (0, 1)
        )
        first, next_one = (a + turns % 1 * (b - a) for a, b in zip(lower, upper, strict=True))
        return Kept(wild_rolls, first, max(first, next_one))

    def _turns(self, missing: Points, wild_rolls: int) -> float:
        """How many it takes to make so many points, with every Wild Roll spent."""
        low, high = 0, MOST_TURNS
        while low < high:
            turns = (low + high) // 2
            if self._made(turns, wild_rolls) < missing:
                low = turns + 1
            else:
                high = turns
        if not low:
            return 0.0
        before, after = (self._made(many, wild_rolls) for many in (low - 1, low))
        return low - 1 + min(1.0, (missing - before) / (after - before))

    def _made(self, turns: int, wild_rolls: int) -> float:
        """Mean points of so many turns."""
        return turns * self._mean + sum(self._prices[turns][:wild_rolls])

    def _price(self, turns: int, place: int) -> float:
        """What the Wild Roll at that place, the first being at 0, brings in so many turns."""
        prices = self._prices[min(turns, MOST_TURNS)]
        return prices[place] if 0 <= place < len(prices) else 0.0


def _of_few_turns(race: Race) -> list[list[float]]:
    """By turns to come, up to `FEW_TURNS`; in coarse steps."""
    unit, far = race.sketch.unit, FAR * race.mean
    sketch = affordable(race.sketch, unit * max(1, round(race.mean / FINE / unit)), far, MOST_LOOKS)
    worth = _points(sketch, max(1, round(far / sketch.unit)))
    ordinary = Aim(sketch, worth)
    found = [list[float]()]
    for turns in range(1, FEW_TURNS + 1):
        prices, after = list[float](), ordinary
        for place in range(2 * turns + 1):
            price = found[-1][place] if place < len(found[-1]) else 0.0
            aim = Aim(sketch, worth._replace(price=price), after)
            prices.append(max(0.0, aim.fresh - after.fresh + price))
            after = aim
        fades = prices[-1] / prices[-2] if prices[-2] else 0.0
        found.append([*prices, *(prices[-1] * fades**more for more in range(1, FADED + 1))])
    return found


def _of_one_more(before: list[float], turns: int, priced: Priced | None) -> list[float]:
    """The prices with a turn more to come, by those without it."""
    found = []
    for place in range(len(before) + 1):
        if place >= turns - 1:  # it begins with one
            found.append(before[place - 1])
            continue
        price = before[place]
        if priced is not None:
            price += priced.adds(price, place + 1)
            price -= priced.adds(before[place - 1], place) if place else 0.0
        found.append(price)
    return found


def _points(sketch: Sketch, far: int) -> Worth:
    """A turn is worth its points, up to so many steps."""
    held = sketch.protects
    layers = far // held + 1 if held else 1
    return Worth(
        tuple(float(score * sketch.unit) for score in range(far + 1)),
        tuple(float(layer * held * sketch.unit) for layer in range(layers)),
        0,
        far + 1,
    )
