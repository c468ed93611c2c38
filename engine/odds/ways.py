"""What a player may make of one roll: bank, or lock a selection and roll on."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from engine.odds.throws import Outcome, Outcomes, Throws, best_of_each
from engine.units import Points

On = tuple[int, Points, Points]
"""A way to go on: (throw that follows, points put at risk, points protected)."""


class Way(NamedTuple):
    """What rolls that offer the same can be made of, where more points are never worse."""

    rolls: int
    bank: Points | None
    """What banking adds; None: nothing scores, or the rules let nobody stop here."""
    on: tuple[On, ...]


def ways_of(throws: Throws, outcomes: Outcomes) -> tuple[Way, ...]:
    """The ways of a throw; of an instant win none, for it credits no points."""
    counted: Counter[tuple[Points | None, tuple[On, ...]]] = Counter()
    for outcome in outcomes:
        keeps = () if outcome.instant_win else outcome.keeps
        best = keeps if throws.thrifty else best_of_each(keeps)
        on = tuple((k.throw, k.points - k.protected, k.protected) for k in best)
        counted[None if outcome.instant_win else banked(throws, outcome), on] += outcome.rolls
    return tuple(Way(rolls, bank, on) for (bank, on), rolls in counted.most_common())


def banked(throws: Throws, outcome: Outcome) -> Points | None:
    """
    What a bank adds that reaches no target; None where there is none.

    Source: docs/rule-sets.md, "Decisions where options meet", 2.
    """
    keeps, full = outcome.keeps, throws.full
    if throws.rules.bank_on_hot_dice:
        return max((keep.points for keep in keeps), default=None)
    if throws.rules.bank_takes == "selected":
        return max((keep.points for keep in keeps if keep.throw != full), default=None)
    most = max((keep.points for keep in keeps), default=None)
    hot = any(keep.points == most and keep.throw == full for keep in keeps)
    return None if hot else most  # of equal selections a bank takes the one with most dice
