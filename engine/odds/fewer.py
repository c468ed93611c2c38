"""
What a turn is worth with less allowed: at most so many rolls, or no rolling on from hot dice.

Both are turns of finitely many rolls, so their values follow from the last roll backwards, and a
question about the first asks only about the states that can follow.
"""

from __future__ import annotations

from engine.odds.throws import throws_of
from engine.odds.ways import ways_of
from engine.rules import Rules
from engine.units import Points


def mean_of_few_rolls(rules: Rules, most: int) -> float:
    """
    Mean of a fresh turn under best play for points that rolls at most `most` times.

    Where the rules forbid to stop on hot dice, a turn that still stands there at its end gets
    nothing but what is protected.
    """
    return _mean(rules, most, on_hot_dice=True)


def mean_without_hot_dice(rules: Rules) -> float:
    """Mean of a fresh turn under best play for points that ends when every die is locked."""
    return _mean(rules, rules.dice, on_hot_dice=False)


def _mean(rules: Rules, most: int, on_hot_dice: bool) -> float:
    throws = throws_of(rules)
    ways = [ways_of(throws, outcomes) for outcomes in throws.outcomes]
    known: dict[tuple[int, int, Points], float] = {}

    def value(left: int, throw: int, risk: Points) -> float:
        """With so many rolls left; without what is protected."""
        if (left, throw, risk) in known:
            return known[left, throw, risk]
        total = 0.0
        for often, bank, on in ways[throw]:
            best = 0.0 if bank is None else float(risk + bank)
            for onto, points, protected in on:
                if onto == throws.full and not on_hot_dice:
                    continue
                after = value(left - 1, onto, risk + points) if left > 1 else 0.0
                best = max(best, protected + after)
            total += often * best
        known[left, throw, risk] = total / throws.throws[throw].rolls
        return known[left, throw, risk]

    return value(most, throws.full, 0)
