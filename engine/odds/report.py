"""
Everything the odds tell of a rule set, in one piece: what the analysis and the command line show.

It is made step by step, so that who waits can be told how far it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.choices import Sets
from engine.odds.duel import OutOfScope, duel_of
from engine.odds.fewer import mean_of_few_rolls, mean_without_hot_dice
from engine.odds.opening import opening_odds
from engine.odds.reach import reach_odds
from engine.odds.rolls import RollOdds, roll_odds
from engine.odds.story import TurnStory, story_of
from engine.odds.throws import throws_of
from engine.odds.turn import Endless, TooLong, TurnOdds, turn_odds
from engine.odds.work import reach_of
from engine.rules import Rules
from engine.units import Dice, Points

MOST_VALUES = 48
"""Points at risk for which a throw's values are told."""
MOST_REACHES = 40
FEW_ROLLS = 6
QUICK = 5_000
"""Selections up to which turns with less allowed are worked out too."""


class ThrowValues(NamedTuple):
    """Rolling on against banking, for one throw."""

    dice: Dice
    sets: Sets
    bank_from: Points | None
    """Banking is as good from so many points at risk on; None: never."""
    values: tuple[tuple[Points, float], ...]
    """(points at risk, mean of what the turn credits when these dice are rolled)."""


class TurnReport(NamedTuple):
    """A turn under best play for points, no target near, without Wild Rolls."""

    mean: float
    off_board: float
    """The same for a seat off the board."""
    story: TurnStory
    by_rolls: tuple[float, ...]
    """Means with at most 1, 2, … rolls; none where that is too much work."""
    without_hot_dice: float | None
    """Mean where the turn ends with every die locked; None where that is too much work."""
    with_wild_roll: float | None
    """Mean where one Wild Roll may be spent; None where they are not played."""
    throws: tuple[ThrowValues, ...]


class Report(NamedTuple):
    rolls: tuple[RollOdds, ...]
    turn: TurnReport | None
    """None: best play never banks, for some rolls cannot bust and follow each other for ever."""
    reaches: tuple[tuple[Points, float], ...]
    """(points, chance that one turn, without Wild Rolls, makes them; exactly, where the target is
    exact)."""
    first_seat: float | None
    """Chance to win of the first of two seats that both play for it; None: out of scope."""


def report(rules: Rules) -> Iterator[float | Report]:
    """
    How far the work is, from 0 to 1, again and again; last the report.

    Raises: TooLong, where the values of a turn need too many steps (see also `engine.odds.work`).
    """
    rolls = roll_odds(rules)
    yield 0.2
    turn = None
    try:
        odds = turn_odds(rules)
        yield 0.4
        story = story_of(rules)
        yield 0.7
        turn = _turn(rules, odds, story)
    except Endless:
        pass
    yield 0.8
    reaches = _reaches(rules)
    yield 0.9
    try:
        first = duel_of(rules).first
    except OutOfScope:
        first = None
    yield Report(rolls, turn, reaches, first)


def _turn(rules: Rules, odds: TurnOdds, story: TurnStory) -> TurnReport:
    throws = throws_of(rules)
    quick = sum(len(o.keeps) for outcomes in throws.outcomes for o in outcomes) <= QUICK
    return TurnReport(
        odds.fresh,
        opening_odds(rules, rules.opening).fresh,
        story,
        tuple(mean_of_few_rolls(rules, most) for most in range(1, FEW_ROLLS + 1)) if quick else (),
        mean_without_hot_dice(rules) if quick else None,
        turn_odds(rules, 1).fresh if rules.wild_rolls else None,
        tuple(_values(odds, throw) for throw in range(len(throws.throws))),
    )


def _values(odds: TurnOdds, throw: int) -> ThrowValues:
    bank_from = odds.bank_from[throw]
    steps = (odds.ends if bank_from is None else bank_from) // odds.unit + 2
    each = -(-steps // MOST_VALUES)
    risks = [at * odds.unit for at in range(0, steps + each, each)]
    dice, sets = odds.throws.throws[throw]
    values = tuple((risk, odds.value(throw, risk)) for risk in risks)
    return ThrowValues(dice, sets, bank_from, values)


def _reaches(rules: Rules) -> tuple[tuple[Points, float], ...]:
    """From one step to the target, or as far as may be; more closely where chances are high."""
    odds = reach_odds(rules)
    unit, target = odds.unit, reach_of(rules) // odds.unit
    steps = sorted({round(target * (n / MOST_REACHES) ** 2) for n in range(1, MOST_REACHES + 1)})
    most = steps[-1] if steps else 0
    odds.grow(most * unit)
    return tuple((step * unit, odds.of(odds.throws.full, step * unit)) for step in steps if step)


__all__ = ["Report", "ThrowValues", "TooLong", "TurnReport", "report"]
