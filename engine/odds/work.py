"""
How much work the odds of a rule set are, told before it is done.

Estimated from the rule set without its spicy faces, whose throws are worked out in milliseconds: a
bound would be many times too high. The unit is a selection looked at; some millions of them take a
second. It tells seconds from minutes, no more than that.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb, log, prod

from engine.odds.descent import MOST_ROUNDS, SETTLED
from engine.odds.opening import protects
from engine.odds.throws import Throws, throws_of
from engine.odds.turn import MOST_STEPS
from engine.rules import Rules
from engine.units import SIDES, Points

MOST_WORK = 400_000_000
"""More is not begun: some minutes."""
SPICED = 7 / 6
"""What a die more in six, doubled, adds to the mean of a combination."""
FAR = 4
"""Times the points with which nobody rolls any more; a turn makes more once in millions."""
HELD = 8
"""Where nobody may stop on hot dice, values settle into lines so much later."""
LEFT = 0.7
"""Selections kept of an outcome's rolls up to order, six different spicy dice."""


def work(rules: Rules) -> int:
    """Selections to be looked at for all that `engine.odds.report` tells of a turn."""
    throws = throws_of(replace(rules, spicy=None) if rules.spicy else rules)
    steps = _steps(throws)
    keeps = parts = float(sum(len(o.keeps) for outcomes in throws.outcomes for o in outcomes))
    if rules.spicy:
        keeps, parts = _drawn(rules, len(throws.throws) / rules.dice)
        keeps, steps = LEFT * keeps, steps * SPICED**rules.dice
    opening = rules.opening / throws.unit
    if step := protects(throws):
        opening *= 1 + rules.opening / step / 2
    return round(
        parts + keeps * (steps * _repeated(throws) + reach_of(rules) / throws.unit + opening)
    )


def reach_of(rules: Rules) -> Points:
    """Up to how many points a turn's chances are told: the target, where that is within reach."""
    throws = throws_of(replace(rules, spicy=None) if rules.spicy else rules)
    far = round(FAR * _steps(throws)) * throws.unit
    return min(rules.target, max(far, throws.unit))


def too_large(rules: Rules) -> bool:
    """Whether the work is past its bound, or one row of values would be."""
    throws = throws_of(replace(rules, spicy=None) if rules.spicy else rules)
    return work(rules) > MOST_WORK or _steps(throws) > MOST_STEPS


def _steps(throws: Throws) -> float:
    """How many values a row has, about: up to where banking is better than any roll."""
    steps = 1.0
    for outcomes in throws.outcomes:
        busts = sum(o.rolls for o in outcomes if not o.keeps)
        if busts:
            worth = sum(o.rolls * o.best for o in outcomes) / busts
            steps = max(steps, worth / throws.unit)
    return steps * (1 if throws.rules.bank_on_hot_dice else HELD)


def _repeated(throws: Throws) -> float:
    """
    Times that a step is worked out until it settles, about: dice that come back, with nothing put
    at risk meanwhile, are worth what they were. Only rolls that offer that are looked at again.
    """
    back = [0.0] * len(throws.throws)
    """Chance that all dice are rolled again by what is wholly protected."""
    looked_at = again = 0
    for at in sorted(range(len(back)), key=lambda at: len(throws.throws[at].dice)):
        for outcome in throws.outcomes[at]:
            looked_at += len(outcome.keeps)
            onto = [keep.throw for keep in outcome.keeps if keep.points == keep.protected]
            if onto:
                again += len(outcome.keeps)
                best = max(1.0 if to == throws.full else back[to] for to in onto)
                back[at] += best * outcome.rolls / throws.throws[at].rolls
    home = back[throws.full]
    if not again:
        return 1.0
    rounds = 1.0 if home <= 0 else MOST_ROUNDS if home >= 1 else log(SETTLED) / log(home)
    return 1 + min(MOST_ROUNDS, rounds) * again / looked_at


def _drawn(rules: Rules, beside_sets: float) -> tuple[float, float]:
    """Rolls up to order of all throws, and the parts of these; `beside_sets`: throws for one."""
    faces = rules.spicy.faces if rules.spicy else ()
    kinds = [faces.count(face) for face in set(faces)]
    drawn = parts = 0.0
    for throw in product(*(range(most + 1) for most in kinds)):
        rolls = prod(comb(n + SIDES - 1, n) for n in throw)
        few = beside_sets if sum(throw) <= rules.dice - 3 else 1
        drawn += rolls * few
        parts += rolls * few * (1 << sum(throw))
    return drawn, parts
