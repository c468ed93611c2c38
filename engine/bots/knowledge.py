"""
What the strategist knows of a rule set: the analysis of these very rules, or of simpler ones made
from them where that would be too much work.

`knowledge_of` takes milliseconds for most rule sets and seconds for some, once; then everything is
looked up. Simpler rules lose first their spicy faces (every combination is worth what a spicy die
adds to it on average), then the fineness of their points.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from engine.bots.places import Places
from engine.bots.race import Race
from engine.bots.reserve import NONE_KEPT, Kept, Reserve
from engine.bots.sketch import Sketch, sketch_of
from engine.bots.values import TABLES_OF_WILD_ROLLS, Priced, Values
from engine.choices import Sets
from engine.odds import Endless, TooLong
from engine.odds.throws import throws_of, unit_of
from engine.odds.work import work
from engine.rules import (
    FullHouse,
    Pairs,
    Rules,
    SetOf,
    Single,
    Straight,
    Triplets,
)
from engine.units import Mask, Points

MOST_WORK = 100_000_000
"""Selections looked at for the values of a turn, at most: some ten seconds."""
LEAST_STEPS = 40
"""To the target, in the coarsest points."""
MOST_KNOWN = 64
"""Rule sets kept, of up to about 1 MiB each."""
MOST_SPICY = 16
"""Of those with spicy faces."""
HANDS_OF_SPICE = 7 / 6
"""What a die that may be spicy adds to a combination, on average."""


class Knowledge:
    """
    Attributes:
        rules: those of the table.
        model: those that were analysed; the same, where that is no more work than is allowed.
        sketch, race: turns in few steps, and how many of them seats need.
        values: what turns are worth in points; None: that has no bound by these rules, or is too
            much work by simpler ones too. Then all is done for the target, from the first turn on.
        mean: points that a turn brings a seat on the board, without Wild Rolls.
        reserve: what Wild Rolls are worth that are kept; None: they are not played.
    """

    def __init__(self, rules: Rules, most: int = MOST_WORK) -> None:
        self.rules = rules
        self.model = modelled(rules, most)
        throws = throws_of(self.model)
        self.sketch: Sketch = sketch_of(throws)
        self._places = Places(throws)
        self._busts = [
            sum(o.rolls for o in outcomes if not o.keeps and not o.instant_win) / throw.rolls
            for throw, outcomes in zip(throws.throws, throws.outcomes, strict=True)
        ]
        self.race = Race(self.sketch)
        self.values: Values | None = None
        self.reserve: Reserve | None = None
        self._priced: Priced | None = None
        self.mean = self.race.mean
        if _work(self.model) <= most:
            with suppress(Endless, TooLong):
                self._work_out()
        if self.model.wild_rolls and self.reserve is None:
            self.reserve = Reserve(self.race, None)

    def _work_out(self) -> None:
        """Raises: Endless, TooLong."""
        values = Values(self.model)
        if self.model.wild_rolls:
            self._priced = Priced(self.model)
            self.reserve = Reserve(self.race, self._priced)
        self.values, self.mean = values, max(values.fresh, 0.01)

    def kept(self, missing: Points, wild_rolls: int) -> Kept:
        """
        So many Wild Rolls, and what they would bring later.

        Args:
            missing: points to the target.
        """
        return self.reserve.kept(missing, wild_rolls) if self.reserve else NONE_KEPT

    def bust(self, dice: Mask, sets: Sets, limit: Points | None, wild: bool = False) -> float:
        """
        The chance that nothing of the next roll may be selected.

        Args:
            dice: to be rolled.
            limit: points that a selection may be worth at most, where an exact target refuses more.
            wild: the last of them is the Jester.
        """
        sketch = self.sketch
        if wild:
            falls = sketch.wild
        elif limit is None:
            return self._busts[self._places.of(dice, sets)]
        else:
            falls = sketch.falls[sketch.throw(dice, sets)]
        most = float("inf") if limit is None else limit / sketch.unit
        return sum(
            fall.share
            for fall in falls
            if not fall.wins and all(o.risk + o.protected > most for o in fall.onto)
        )

    def rolling(
        self, kept: Kept, on_board: bool, dice: Mask, score: Points, protected: Points, sets: Sets
    ) -> float:
        """
        Mean of what the turn credits when these dice are rolled, none of them wild; less the price
        of Wild Rolls spent later in it.
        """
        if self.values is None:
            return score + self.mean
        if not kept.wild_rolls or self._priced is None:
            return self.values.rolling(on_board, dice, score, protected, sets)
        return sum(
            part * values.rolling(on_board, dice, score, protected, sets)
            for part, values in self._priced.at_two(kept.price, kept.next_price, kept.wild_rolls)
        )

    def wild_roll(self, kept: Kept, on_board: bool, score: Points, protected: Points) -> float:
        """The same when a Wild Roll is spent now, its price taken off too."""
        if self._priced is None:
            return score + self.mean
        # Whatever is spent after this one has the price of the next; this one has its own.
        worth = sum(
            part * values.wild_roll(on_board, score, protected)
            for part, values in self._priced.at(kept.next_price, kept.wild_rolls)
        )
        return worth + self._priced.within(kept.next_price) - kept.price


def modelled(rules: Rules, most: int = MOST_WORK) -> Rules:
    """The rules themselves, or the nearest simpler ones whose analysis is not too much work."""
    found, unit = rules, unit_of(rules)
    if _work(found) > most and found.spicy is not None:
        found = _unspiced(found)
    while _work(found) > most and unit * 2 * LEAST_STEPS <= rules.target:
        unit *= 2
        found = _coarser(found, unit)
    return found


def _work(rules: Rules) -> int:
    """Of the values of a turn; chances to reach the target are not asked for here."""
    tables = 1 + TABLES_OF_WILD_ROLLS if rules.wild_rolls else 1
    return tables * work(replace(rules, target=max(rules.opening, unit_of(rules))))


def _unspiced(rules: Rules) -> Rules:
    unit = unit_of(rules)
    combinations = tuple(
        replace(c, points=_whole(c.points * HANDS_OF_SPICE ** _dice(c), unit))
        if not isinstance(c, FullHouse)
        else c
        for c in rules.combinations
    )
    return replace(rules, spicy=None, combinations=combinations)


def _coarser(rules: Rules, unit: Points) -> Rules:
    combinations = tuple(
        replace(
            c,
            bonus=_whole(c.bonus, unit) if c.bonus else 0,
            pairs=tuple((face, _whole(points, unit)) for face, points in c.pairs),
        )
        if isinstance(c, FullHouse)
        else replace(c, points=_whole(c.points, unit))
        for c in rules.combinations
    )
    return replace(
        rules,
        combinations=combinations,
        all_dice_bonus=_whole(rules.all_dice_bonus, unit) if rules.all_dice_bonus else 0,
        target=_whole(rules.target, unit),
        opening=_whole(rules.opening, unit) if rules.opening else 0,
    )


def _whole(points: float, unit: Points) -> Points:
    return max(1, round(points / unit)) * unit


def _dice(combination: Single | SetOf | Straight | Pairs | Triplets) -> int:
    if isinstance(combination, Single):
        return 1
    if isinstance(combination, SetOf):
        return combination.count
    if isinstance(combination, Straight):
        return len(combination.faces)
    return combination.count * (2 if isinstance(combination, Pairs) else 3)


class Library:
    """
    What is known of the rule sets in use. Bounded: what was not asked for the longest goes. What is
    kept never changes a result.

    Rule sets that were much work have a shelf of their own: what is known of them is large too.
    """

    def __init__(self) -> None:
        self._shelves: tuple[dict[Rules, Knowledge], ...] = ({}, {})
        self._asked = 0
        self._last_asked: dict[Rules, int] = {}

    def find(self, rules: Rules) -> Knowledge | None:
        """What is known already; bots ask in a thread of their own."""
        plain, spicy = self._shelves
        known = plain.get(rules) or spicy.get(rules)
        if known is not None:
            self._asked += 1
            self._last_asked[rules] = self._asked
        return known

    def keep(self, known: Knowledge) -> None:
        """Adds to what is known."""
        heavy = known.model.spicy is not None
        shelf = self._shelves[heavy]
        shelf[known.rules] = known
        self._asked += 1
        self._last_asked[known.rules] = self._asked
        while len(shelf) > (MOST_SPICY if heavy else MOST_KNOWN):
            longest = min(list(shelf), key=lambda rules: self._last_asked.get(rules, 0))
            shelf.pop(longest, None)
            self._last_asked.pop(longest, None)


LIBRARY = Library()


def knowledge_of(rules: Rules) -> Knowledge:
    """What there is to know of a rule set; worked out once."""
    known = LIBRARY.find(rules)
    if known is None:
        known = Knowledge(rules)
        LIBRARY.keep(known)
    return known
