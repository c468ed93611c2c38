"""
What each position of a turn is worth to the seat to move, its rivals counted in.

`outlook_of` works one out in some milliseconds and keeps it: the same position is asked about again
within the turn, and in other games.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.bots.aim import Aim, Worth, aim_of
from engine.bots.race import Race
from engine.bots.reserve import Kept
from engine.bots.sketch import Sketch, affordable
from engine.bots.stakes import Field, Stakes, stakes_of
from engine.choices import Sets
from engine.units import Mask, Points

STEPS = 64
"""A turn is followed in about so many steps; to an exact target in up to `EXACT_STEPS`."""
EXACT_STEPS = 120
BEYOND = 2
"""Mean turns past the point where all is won to which a turn is followed."""
FAR = 8
"""Mean turns to which it is followed at most."""
MOST_WILD_ROLLS = 2
"""More of them are played as so many."""
MOST_LOOKS = 400_000
"""At what rolls offer; some 30 ms. More than the shipped rule sets ask for."""


class Position(NamedTuple):
    """Where the seat to move stood when its turn began."""

    missing: Points
    """To the target."""
    on_board: bool
    kept: Kept
    field: Field


class Outlook:
    """The chance to win from each position of one turn; get it from `outlook_of`."""

    def __init__(self, finest: Sketch, race: Race, position: Position) -> None:
        self._position = position
        self._stakes: Stakes = stakes_of(race, position.field)
        rules = self._rules = finest.rules
        unit, exact, mean = finest.unit, rules.exact != "off", race.mean
        missing = position.missing
        fine = exact and missing <= EXACT_STEPS * unit
        span = self._span(missing, exact, mean)
        steps_of = unit if fine else unit * max(1, -(-round(span) // (unit * STEPS)))
        kept = position.kept
        spends = min(kept.wild_rolls, MOST_WILD_ROLLS)
        self._sketch: Sketch = affordable(finest, steps_of, span, MOST_LOOKS, spends)
        self.unit = self._sketch.unit
        steps = max(1, -(-round(span) // self.unit))
        layers = steps // self._sketch.protects + 1 if self._sketch.protects else 1
        self._layer = self._sketch.protects * self.unit
        opening = 0 if position.on_board else -(-rules.opening // self.unit)
        room = -(-missing // self.unit)
        banked = [self._stakes.of(missing - at * self.unit, True) for at in range(steps + 1)]
        if exact and room <= steps:
            banked[room] = self._stakes.of(0, True)
        self.lost = tuple(self.of_lost(layer * self._layer) for layer in range(layers))
        worth = Worth(tuple(banked), self.lost, opening, room)
        prices = [self._of_points_more(points) for points in (kept.next_price, kept.price)]
        self._aim: Aim = aim_of(self._sketch, worth, prices[MOST_WILD_ROLLS - spends :])
        self._aim.shrink()

    def _span(self, missing: Points, exact: bool, mean: float) -> float:
        """Points to which the turn is followed."""
        best = self._position.field.best
        if exact:
            return min(missing, FAR * mean)
        if best is not None and not self._position.field.rivals:
            return max(missing - best, 0) + self._stakes.unit  # all is won there
        goal = missing if best is None else missing - min(best, 0)
        return min(goal + BEYOND * mean, FAR * mean)

    def of_bank(self, score: Points) -> float:
        """The chance to win after banking so much; past an exact target it is lost."""
        missing = self._position.missing - score
        if missing < 0 and self._rules.exact != "off":
            return self.of_lost(0)
        return self._stakes.of(missing, True)

    def of_lost(self, protected: Points) -> float:
        """The same after a turn that credits no more than what was protected."""
        missing = self._position.missing - protected
        if missing < 0 and self._rules.exact != "off":
            missing, protected = self._position.missing, 0
        opens = 0 < protected >= self._rules.opening
        return self._stakes.of(missing, self._position.on_board or opens)

    def of_rolling(self, dice: Mask, score: Points, protected: Points, sets: Sets) -> float:
        """
        The same when these dice are rolled, none of them wild; less the price of Wild Rolls spent
        later in the turn.
        """
        risk, layer = self._at(score, protected)
        throw = self._sketch.throw(dice, sets)
        if throw == self._sketch.full:
            return self._aim.of_plain_roll(risk, layer)
        return self._aim.of_rolling(throw, risk, layer)

    def of_wild_roll(self, score: Points, protected: Points) -> float:
        """The same when a Wild Roll is spent now, its price taken off too."""
        return self._aim.of_wild_roll(*self._at(score, protected))

    def _at(self, score: Points, protected: Points) -> tuple[int, int]:
        if not self._layer:
            return round((score - protected) / self.unit), 0
        layer = protected // self._layer
        return round((score - layer * self._layer) / self.unit), layer

    def _of_points_more(self, points: float) -> float:
        """What the seat would gain by so many points, at the end of a turn that brought nothing."""
        missing, on_board = self._position.missing, self._position.on_board
        more = self._stakes.of(max(missing - round(points), 1), on_board)
        return max(0.0, more - self._stakes.of(missing, on_board))


@lru_cache(maxsize=2048)
def outlook_of(finest: Sketch, race: Race, position: Position) -> Outlook:
    """The outlook of a turn that begins there."""
    return Outlook(finest, race, position)
