"""
Turns and duels worked out anew, the slow way: every roll, every selection the referee allows.

Written from the rules alone; nothing of the engine is used. Fractions all the way, so that what it
says is exact. Whole turns are for rule sets of two to four dice, a few rolls for six too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any, NamedTuple

from tests.referee.scoring import Selection, best, selections

Sets = tuple[tuple[int, int], ...]
Dice = tuple[int, ...]


class After(NamedTuple):
    """What one selection leaves."""

    points: int
    protected: int
    dice: Dice
    """To be rolled next; all of them after hot dice."""
    sets: Sets
    hot: bool


class Roll(NamedTuple):
    share: Fraction
    banked: After | None
    """What a bank takes where it takes all scoring dice; None where it takes what is selected."""
    offers: tuple[After, ...]
    """None: a bust."""
    wins: bool


class Turns:
    """The turns of one rule set."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.all = tuple(range(rules["dice"]["count"]))
        self.rolls = cache(self._rolls)

    def _rolls(self, dice: Dice, sets: Sets) -> tuple[Roll, ...]:
        return tuple(self._each(dice, sets))

    def _each(self, dice: Dice, sets: Sets) -> Iterator[Roll]:
        rules, spicy = self.rules, self.rules["spicy"]
        for faces, often in self._shown(len(dice)):
            share = Fraction(often, 6 ** len(dice))
            shown = dict(zip(dice, faces, strict=True))
            offered = selections(rules, shown, sets=dict(sets), limited=False)
            after = tuple(self._after(dice, sets, selection) for selection in offered)
            all_scoring = rules["bank_takes"] == "all_scoring"
            most = best(offered) if all_scoring else None
            wins = bool(spicy) and spicy["instant_win"] and list(faces) == spicy["faces"]
            banked = None if most is None else self._after(dice, sets, most)
            yield Roll(share, banked, after, wins and dice == self.all)

    def _shown(self, dice: int) -> Iterator[tuple[Dice, int]]:
        """Faces by die, and how often they come; where dice are alike, up to order."""
        if self.rules["spicy"]:
            yield from ((faces, 1) for faces in product(range(1, 7), repeat=dice))
            return
        for faces in combinations_with_replacement(range(1, 7), dice):
            counts = Counter(faces).values()
            yield faces, factorial(dice) // prod(map(factorial, counts))

    def _after(self, dice: Dice, sets: Sets, selection: Selection) -> After:
        left = tuple(die for die in dice if die not in selection.dice)
        if not self.rules["spicy"]:  # dice are alike
            left = self.all[: len(left)]
        grown = dict(sets)
        for combo in selection.combos if self.rules["set_upgrade"] else ():
            face, more = combo.faces[0], len(combo.dice)
            if combo.kind == "set_upgrade":
                grown[face] = dict(sets)[face] + more
            elif combo.kind == "set" and more >= 3:
                grown[face] = max(more, grown.get(face, 0))
        locked = tuple(sorted(grown.items())) if left else ()
        return After(selection.points, selection.protected, left or self.all, locked, not left)

    def banks(self, roll: Roll, reaches: int | None = None) -> list[After]:
        """What may be banked; a bank that makes what `reaches` says is always allowed."""
        taken = list(roll.offers) if roll.banked is None else [roll.banked]
        if self.rules["exact"] == "refuse" and reaches is not None:
            taken = [one for one in roll.offers if one.points <= reaches]
            if roll.banked is not None and taken:
                taken = [max(taken, key=lambda one: (one.points, one.hot, -len(one.dice)))]
        free = self.rules["bank_on_hot_dice"]
        return [
            one
            for one in taken
            if free or not one.hot or (reaches is not None and one.points >= reaches)
        ]


def few_rolls(rules: dict[str, Any], most: int, least: int = 0) -> Fraction:
    """The best mean of a turn of at most so many rolls, where a bank must be worth `least`."""
    turns = Turns(rules)

    @cache
    def value(left: int, dice: Dice, sets: Sets, score: int, protected: int) -> Fraction:
        total = Fraction(0)
        for roll in turns.rolls(dice, sets):
            worth = [Fraction(protected)]
            if not roll.wins:
                banked = [score + bank.points for bank in turns.banks(roll)]
                worth += [Fraction(made) for made in banked if made >= least]
                for on in roll.offers:
                    made, safe = score + on.points, protected + on.protected
                    worth.append(
                        value(left - 1, on.dice, on.sets, made, safe)
                        if left > 1
                        else Fraction(safe)
                    )
            total += roll.share * max(worth)
        return total

    return value(most, turns.all, (), 0, 0)


def reaching(rules: dict[str, Any], need: int) -> Fraction:
    """The best chance that a turn makes `need` points: exactly so many with an exact target."""
    turns, exact = Turns(rules), rules["exact"]

    @cache
    def chance(dice: Dice, sets: Sets, need: int) -> Fraction:
        total = Fraction(0)
        for roll in turns.rolls(dice, sets):
            found = [Fraction(0)]
            if roll.wins:
                found.append(Fraction(1))
            else:
                banks = turns.banks(roll, need)
                hit = [
                    one.points == need if exact != "off" else one.points >= need for one in banks
                ]
                found.append(Fraction(any(hit)))
                found += [
                    chance(on.dice, on.sets, need - on.points)
                    for on in roll.offers
                    if on.points < need
                ]
            total += roll.share * max(found)
        return total

    return chance(turns.all, (), need)


class Race:
    """Two seats that play for the win, by sweeps over all pairs of totals until nothing moves."""

    def __init__(self, rules: dict[str, Any], step: int, compensation: int = 0) -> None:
        self.rules, self.turns = rules, Turns(rules)
        self.target, self.opening = rules["target"], rules["opening"]
        self.last = cache(self._last)
        starts = [(0, not self.opening), (compensation, not self.opening)]
        places = {*starts, *((total, True) for total in range(0, self.target, step))}
        self.wins = {(one, other): 0.5 for one in places for other in places}
        moved = 1.0
        while moved > 1e-12:
            moved = 0.0
            for pair in sorted(self.wins, key=lambda pair: -pair[0][0] - pair[1][0]):
                new = self._turn(*pair)
                moved = max(moved, abs(new - self.wins[pair]))
                self.wins[pair] = new
        self.first = self.wins[starts[0], starts[1]]

    def _turn(self, mine: tuple[int, bool], other: tuple[int, bool]) -> float:
        total, on_board = mine
        bust = 1 - self.wins[other, mine]

        def ended(made: int) -> float | None:
            at = total + made
            if at > self.target and self.rules["exact"] != "off":
                return bust if self.rules["exact"] == "bust" else None
            if at >= self.target:
                if self.rules["final_round"] == "none":
                    return 1.0
                return 1 - self.last(self.turns.all, (), at - other[0], self.target - other[0])
            if not on_board and made < self.opening:
                return None
            return 1 - self.wins[other, (at, True)]

        @cache
        def value(dice: Dice, sets: Sets, made: int) -> float:
            mean = 0.0
            room = self.target - total - made
            for roll in self.turns.rolls(dice, sets):
                found: list[float] = []
                offers = list(roll.offers)
                banks = self.turns.banks(roll, room)
                if self.rules["exact"] == "refuse":
                    offers = [one for one in offers if one.points <= room]
                ends = [ended(made + bank.points) for bank in banks]
                found += [end for end in ends if end is not None]
                for on in offers:
                    far = self.target if self.rules["exact"] != "off" else 3 * self.target
                    if total + made + on.points <= far:  # beyond, nobody rolls on
                        found.append(value(on.dice, on.sets, made + on.points))
                mean += float(roll.share) * (1.0 if roll.wins else max(found, default=bust))
            return mean

        return value(self.turns.all, (), 0)

    def _last(self, dice: Dice, sets: Sets, behind: int, missing: int) -> float:
        """The share of a win that the last turn makes: `behind` to tie, `missing` to the target."""
        mean = 0.0
        exact = self.rules["exact"]
        for roll in self.turns.rolls(dice, sets):
            found = [0.0]
            for bank in self.turns.banks(roll, missing):
                points = bank.points
                reached = points == missing if exact != "off" else points >= missing
                if exact != "off":
                    found.append(0.5 * reached)
                else:
                    found.append(1.0 if points > behind else 0.5 * (points == behind))
            found += [
                self.last(on.dice, on.sets, behind - on.points, missing - on.points)
                for on in roll.offers
                if on.points <= behind and (exact == "off" or on.points < missing)
            ]
            mean += float(roll.share) * (1.0 if roll.wins else max(found))
        return mean
