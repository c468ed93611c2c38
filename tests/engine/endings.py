"""
What an option of a state near the end is worth, worked out from the rolls for this very state.

Nothing of `engine.bots` has a hand in it: a turn is followed roll by roll for what the totals it
may end with are worth, and that is exact. In a final round it follows from who is behind whom; in a
race of two from `engine.odds.duel`, which plays out every further turn of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from engine.choices import Sets
from engine.odds.duel import duel_of, duel_work
from engine.odds.last_turn import LastTurn
from engine.odds.throws import Throws, throws_of
from engine.odds.turn import turn_odds
from engine.rules import Rules
from engine.state import Playing, ToSelect
from engine.units import Mask

FAR = 4
"""Mean turns to the target from which on points are all that counts."""
MOST_PAIRS = 30_000_000
BEYOND = 5_000
"""Points past the target that a turn is followed to."""


class Ending:
    """
    Args:
        worth: the chance to win, by the total that the turn ends with.
    """

    def __init__(self, play: Playing, worth: Callable[[int], float]) -> None:
        rules, seat = play.setup.rules, play.seats[play.turn.seat]
        self._rules, self._worth = rules, lru_cache(maxsize=None)(worth)
        self._total, self._on_board = seat.score, seat.on_board
        self._throws = throws_of(rules) if rules.exact == "off" else _every(rules)
        self._known: dict[tuple[int, int, int], float] = {}

    def __call__(
        self, play: Playing, dice: Mask, score: int, protected: int, sets: Sets, wild: bool
    ) -> float:
        """Of rolling these dice; as `judging` asks for it."""
        assert not wild
        return self._rolling(self._throws.index(dice, sets), score, protected)

    def banked(self, score: int) -> float:
        at = self._total + score
        if self._rules.exact != "off" and at > self._rules.target:
            return self._lost(0)
        return self._worth(at)

    def _lost(self, protected: int) -> float:
        return self._worth(self._total + protected)

    def _rolling(self, throw: int, score: int, protected: int) -> float:
        key = (throw, score, protected)
        if key not in self._known:
            self._known[key] = self._mean(*key)
        return self._known[key]

    def _mean(self, throw: int, score: int, protected: int) -> float:
        rules = self._rules
        if self._total + score > rules.target + (BEYOND if rules.exact == "off" else 0):
            return self._lost(protected)  # never better than to bank
        total = 0.0
        outcomes = self._throws.outcomes[throw]
        for outcome in outcomes:
            found = []
            for keep in outcome.keeps:
                made = score + keep.points
                if rules.exact == "refuse" and self._total + made > rules.target:
                    continue
                found.append(self._rolling(keep.throw, made, protected + keep.protected))
                takes = rules.bank_takes == "selected" or keep.points == outcome.best
                if takes and self._may_bank(made, keep.throw == self._throws.full):
                    found.append(self.banked(made))
            best = max(found, default=self._lost(protected))
            total += outcome.rolls * (1.0 if outcome.instant_win else best)
        return total / sum(outcome.rolls for outcome in outcomes)

    def _may_bank(self, score: int, hot: bool) -> bool:
        rules = self._rules
        if rules.reaches(self._total + score):
            return True
        return (self._on_board or score >= rules.opening) and (rules.bank_on_hot_dice or not hot)


@lru_cache
def _every(rules: Rules) -> Throws:
    return Throws(rules, every=True)


@lru_cache
def _last_turn(rules: Rules) -> LastTurn:
    return LastTurn(_every(rules))


def is_far(play: Playing) -> bool:
    """Whether nobody is near the target: then points are what counts."""
    rules = play.setup.rules
    made = play.turn.score if isinstance(play.turn, ToSelect) else 0
    near = FAR * turn_odds(rules).fresh
    return play.final_round is None and all(
        rules.target - seat.score - made * (number == play.turn.seat) > near
        for number, seat in enumerate(play.seats)
    )


def ending_of(play: Playing) -> Ending | None:
    """None: nothing that is exact tells what totals are worth here."""
    rules = play.setup.rules
    if play.final_round is not None:
        return Ending(play, lambda total: _at_the_end(play, total))
    if play.turn.seat or len(play.seats) != 2 or not all(seat.on_board for seat in play.seats):
        return None
    mine, other = play.seats
    # Only what is missing matters: the same race to a target that is nearer.
    start = min(mine.score, other.score)
    short = replace(rules, target=rules.target - start, opening=0, wild_rolls=None)
    has_wild_rolls = rules.wild_rolls is not None and (mine.wild_rolls or other.wild_rolls)
    if has_wild_rolls or duel_work(short) > MOST_PAIRS or rules.winner == "last_to_reach":
        return None
    duel = duel_of(short)

    def worth(total: int) -> float:
        if rules.reaches(total):
            if rules.final_round == "none":
                return 1.0
            return 1 - _last_turn(rules).share((total - other.score) // duel.unit)
        return 1 - duel.chance(other.score - start, total - start)

    return Ending(play, worth)


def _at_the_end(play: Playing, total: int) -> float:
    """The share of a win when the seat to move has had its last turn; of two at most one waits."""
    rules, seat, final = play.setup.rules, play.turn.seat, play.final_round
    assert final is not None
    later = [other for other in final.waiting if other != seat]
    if rules.winner == "last_to_reach":
        assert not later
        return float(rules.reaches(total))
    best = max(s.score for at, s in enumerate(play.seats) if at not in (seat, *later))
    if total < best:
        return 0.0
    share = 1.0 if total > best else 0.5
    for other in later:
        behind = total - play.seats[other].score
        share *= 1 - _last_turn(rules).share(behind // throws_of(rules).unit)
    return share
