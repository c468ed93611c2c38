"""
What a total is worth at this table: the chance to win from it, once this turn is over.

Derived from the analysis: how many turns each seat still needs (`Race`), and in a final round the
chance that those who still have a turn make what they need. An approximation in four things: seats
are taken to play their turns whatever the others do; of those that finish within a round of each
other a fixed part wins; that a rival may open a round in which the last to reach the target wins is
left out, and so are offers that a bank leaves behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from engine.bots.race import TURNS, Race
from engine.seating import others_after
from engine.state import Playing
from engine.units import Points

ALONE = 0.9
"""A seat without rivals wins anyway: a turn later is worth so much of a turn sooner."""
SAME_ROUND = 0.5
"""Games lost of those in which a rival would finish in the same round."""
ROUND_LATER = 0.6
"""Of those in which it would finish a round later. Both fit the exact chances of two seats
(`engine.odds.duel`) within 0.04 on average; not less than half, or to wait with a game that is won
would look as good as winning it."""
FAIRLY_CLOSE = 4
"""Mean turns to the target within which totals are told apart by half a turn; closer, by less."""
LOST = 9
"""Mean turns beyond which it makes no difference how many they are."""


def rounded(missing: Points, race: Race, up: bool = False) -> Points:
    """
    What a seat lacks, rounded so that what is worked out can be used again: the further away the
    target, the less does a little matter. What an exact target asks for is not blurred near it.

    Args:
        up: to no less than it is.
    """
    mean = race.mean
    if missing <= (mean if race.rules.exact != "off" else mean / 2):
        return missing
    part = mean / 4 if missing <= mean else mean / 2 if missing <= FAIRLY_CLOSE * mean else mean
    part = max(race.unit, round(part / race.unit) * race.unit)
    parts = -(-missing // part) if up else max(round(missing / part), 1)
    return min(parts, max(round(LOST * mean / part), 1)) * part


class Rival(NamedTuple):
    missing: Points
    """To the target."""
    on_board: bool


class Field(NamedTuple):
    """The other seats, as far as they matter to the seat to move."""

    rivals: tuple[Rival, ...]
    """Who has a turn after this one; in a final round those whose last turn is to come."""
    best: Points | None
    """In a final round: what the highest of the others lacks to the target; 0 or less: it is
    there. None: no final round yet."""


def field_of(play: Playing, race: Race, seat: int) -> Field:
    """
    Who the seat to move is up against.

    Rivals' totals are rounded, so that what is worked out can be used again; in a final round they
    are exact.
    """
    rules, final = play.setup.rules, play.final_round
    others = others_after(play.seats, seat)
    if final is not None:
        later = [other for other in others if other in final.waiting]
        rivals = [_rival(play, other) for other in later]
        best = max((play.seats[other].score for other in others), default=0)
        return Field(tuple(sorted(rivals)), rules.target - best)
    rivals = []
    for other in others:
        missing, on_board = _rival(play, other)
        rivals.append(Rival(rounded(missing, race), on_board))
    return Field(tuple(sorted(rivals)), None)


def _rival(play: Playing, seat: int) -> Rival:
    state = play.seats[seat]
    return Rival(play.setup.rules.target - state.score, state.on_board)


class Stakes:
    """Chances to win against one field; get it from `stakes_of`."""

    def __init__(self, race: Race, field: Field) -> None:
        self._race = race
        self._rules = race.rules
        self._field = field
        self.unit = race.unit
        """Points that make a difference."""
        self._ahead = self._first_by_turn()

    def of(self, missing: Points, on_board: bool) -> float:
        """The chance to win when this turn leaves so much to the target, 0 to 1."""
        reached = missing == 0 if self._rules.exact != "off" else missing <= 0
        if self._field.best is not None:
            return self._at_the_end(missing, reached)
        if reached:
            return 1.0 if self._rules.final_round == "none" else self._held(missing)
        chance: float = sum(map(mul, self._race.turns(missing, on_board), self._ahead))
        return chance

    def _first_by_turn(self) -> list[float]:
        """
        What it is worth to finish with one's 0th, 1st, 2nd … further turn, as factors of the
        chances to have finished by then.
        """
        wins = [self._when_finishing_with(turn) for turn in range(TURNS + 2)]
        return [wins[turn] - wins[turn + 1] for turn in range(TURNS)] + [wins[TURNS]]

    def _when_finishing_with(self, turn: int) -> float:
        """The chance to win by finishing with that further turn; rivals move before it."""
        rivals, rules = self._field.rivals, self._rules
        if not rivals:
            return float(ALONE**turn)
        found = 1.0
        for rival in rivals:
            by = self._race.turns(rival.missing, rival.on_board)

            def within(turns: int, by: Sequence[float] = by) -> float:
                return by[min(max(turns, 0), TURNS)]

            if rules.final_round == "none":
                found *= 1 - within(turn)
            elif rules.winner == "last_to_reach":
                # Who opens the round loses it to who reaches the target in it. That a rival may
                # open it is left out: two that wait for each other would never end the game.
                found *= 1 - within(turn + 1)
            else:
                # A rival that would finish a round later has a last turn to do so in.
                same, next_one = within(turn) - within(turn - 1), within(turn + 1) - within(turn)
                found *= 1 - within(turn - 1) - SAME_ROUND * same - ROUND_LATER * next_one
        return found

    def _held(self, missing: Points) -> float:
        """The chance that nobody who has a turn left does better; ties count half."""
        rules, race, found = self._rules, self._race, 1.0
        for rival in self._field.rivals:
            if rules.winner == "last_to_reach":
                found *= 1 - race.reaches(rival.missing)
            elif rules.exact != "off":
                found *= 1 - race.reaches(rival.missing) / 2
            else:
                behind = rival.missing - missing
                beats, ties = race.reaches(behind + race.unit), race.reaches(behind)
                found *= 1 - (beats + ties) / 2
        return found

    def _at_the_end(self, missing: Points, reached: bool) -> float:
        """The seat's last turn is over."""
        if self._rules.winner == "last_to_reach":
            return self._held(missing) if reached else 0.0
        best = self._field.best or 0
        if missing > best:
            return 0.0
        return self._held(missing) / (2 if missing == best else 1)


@lru_cache(maxsize=4096)
def stakes_of(race: Race, field: Field) -> Stakes:
    """Chances in this race against that field."""
    return Stakes(race, field)
