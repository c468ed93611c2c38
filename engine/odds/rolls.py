"""What one roll does, exactly: how often it busts, what it is worth, whether all dice count."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from engine.choices import Sets
from engine.odds.throws import Outcomes, Throws, rolls_of, throws_of
from engine.rules import Rules
from engine.units import Dice, Points


class RollOdds(NamedTuple):
    """Counts over all rolls of some dice, which are all alike likely."""

    dice: Dice
    """The dice rolled, as positions; where several are alike, the lowest."""
    sets: Sets
    """Locked sets beside them that they could still upgrade."""
    wild: bool
    """A Wild Roll: the last die is the Jester and takes any face, so that only the others roll."""
    rolls: int
    busts: int
    points: Points
    """The best score of each roll, summed up."""
    clear: int
    """Rolls of which every die can be kept, in one selection: hot dice."""
    instant_wins: int

    @property
    def bust(self) -> Fraction:
        """Chance that nothing may be selected."""
        return Fraction(self.busts, self.rolls)

    @property
    def mean(self) -> Fraction:
        """Mean of the best score, a bust counted as 0."""
        return Fraction(self.points, self.rolls)

    @property
    def hot(self) -> Fraction:
        """Chance that every die rolled can be kept."""
        return Fraction(self.clear, self.rolls)


def roll_odds(rules: Rules) -> tuple[RollOdds, ...]:
    """
    One row for each throw there can be, exact limits left aside.

    First those beside no locked set, by number of dice (with spicy dice every combination of
    different ones has its row), then those beside sets, then a Wild Roll where it is played.
    """
    throws = throws_of(rules)
    rows = [
        _counted(throws, throw.dice, throw.sets, throws.outcomes[index])
        for index, throw in enumerate(throws.throws)
    ]
    if throws.wild:
        dice = throws.throws[throws.full].dice
        rows.append(_counted(throws, dice, (), throws.wild, wild=True))
    return tuple(rows)


def _counted(
    throws: Throws, dice: Dice, sets: Sets, outcomes: Outcomes, wild: bool = False
) -> RollOdds:
    return RollOdds(
        dice,
        sets,
        wild,
        rolls_of(len(dice) - wild),
        sum(o.rolls for o in outcomes if not o.keeps and not o.instant_win),
        sum(o.rolls * o.best for o in outcomes),
        sum(o.rolls for o in outcomes if any(k.throw == throws.full for k in o.keeps)),
        sum(o.rolls for o in outcomes if o.instant_win),
    )
