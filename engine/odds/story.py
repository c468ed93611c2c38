"""
How turns end under best play for points: how often they bust, clear the table, and score what.

From a fresh turn forwards, every state with its chance; the choices are those of `turn_odds` (of
equal ones a bank, then the lower throw). A turn's score only grows, so each score is settled once
all lower ones are. Chances below `FORGOTTEN` are dropped, and their sum is told.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from typing import NamedTuple

from engine.odds.throws import rolls_of, throws_of
from engine.odds.turn import TurnOdds, turn_odds
from engine.odds.ways import On, Way
from engine.rules import Rules
from engine.units import Points

FORGOTTEN = 1e-15

State = tuple[int, int, Points]
"""(Wild Rolls left, throw, protected points)."""


class TurnStory(NamedTuple):
    """Chances of a fresh turn."""

    mean: float
    """Of what it credits."""
    bust: float
    """That it ends in a bust, with protected points or without."""
    hot_dice: float
    """That all dice are locked, and rolled again, at least once."""
    instant_win: float
    rolls: float
    """Mean number of rolls."""
    scores: tuple[tuple[Points, float], ...]
    """(points credited, chance), ascending; an instant win credits none."""
    dropped: float
    """The sum of all chances too small to be followed up."""

    def at_least(self, points: Points) -> float:
        """The chance that the turn credits so many."""
        return sum(chance for credited, chance in self.scores if credited >= points)


def story_of(rules: Rules, wild_rolls: int = 0) -> TurnStory:
    """
    What becomes of a fresh turn.

    Args:
        wild_rolls: how many it may spend, and does where a Wild Roll is worth more.
    Raises: Endless, TooLong.
    """
    telling = _Telling(rules, wild_rolls if rules.wild_rolls else 0)
    telling.tell()
    return telling.story()


class _Telling:
    """A story while it is told. Chances come in pairs: table not cleared so far, cleared."""

    def __init__(self, rules: Rules, wild_rolls: int) -> None:
        self._odds = [turn_odds(rules, left) for left in range(wild_rolls + 1)]
        self._throws = throws_of(rules)
        self._wild_rolls = wild_rolls
        self._pending: dict[Points, dict[State, list[float]]] = {}
        self._due: list[Points] = []
        self._ends: defaultdict[Points, float] = defaultdict(float)
        self._hot = self._bust = self._won = self._rolls = self._dropped = 0.0
        self._wins = sum(
            outcome.rolls
            for outcome in self._throws.outcomes[self._throws.full]
            if outcome.instant_win
        )

    def tell(self) -> None:
        self._to(0, (self._wild_rolls, self._throws.full, 0), 1.0, 0.0)
        while self._due:
            score = heappop(self._due)
            for state, (cold, hot) in self._pending.pop(score).items():
                if cold + hot < FORGOTTEN:
                    self._dropped += cold + hot
                else:
                    self._roll(score, state, cold, hot)

    def story(self) -> TurnStory:
        scores = tuple(sorted(self._ends.items()))
        return TurnStory(
            sum(points * chance for points, chance in scores),
            self._bust,
            self._hot,
            self._won,
            self._rolls,
            scores,
            self._dropped,
        )

    def _to(self, score: Points, state: State, cold: float, hot: float) -> None:
        states = self._pending.get(score)
        if states is None:
            states = self._pending[score] = {}
            heappush(self._due, score)
        both = states.setdefault(state, [0.0, 0.0])
        both[0] += cold
        both[1] += hot

    def _roll(self, score: Points, state: State, cold: float, hot: float) -> None:
        left, throw, protected = state
        odds, risk, full = self._odds[left], score - protected, self._throws.full
        wild = left > 0 and throw == full
        wild = wild and odds.value_of_wild_roll(risk) >= odds.value(throw, risk)
        rolls = rolls_of(self._throws.rules.dice - 1) if wild else self._throws.throws[throw].rolls
        after = self._odds[left - 1] if wild else odds
        self._rolls += cold + hot
        for way in odds.wild_ways if wild else odds.ways[throw]:
            share = way.rolls / rolls
            if way.bank is None and not way.on:
                wins = self._wins / rolls if throw == full and not wild else 0.0
                self._won += (cold + hot) * wins
                self._bust += (cold + hot) * (share - wins)
                self._ends[protected] += (cold + hot) * (share - wins)
                self._ends[0] += (cold + hot) * wins
                continue
            onto = _best(way, after, risk)
            if onto is None:
                self._ends[score + (way.bank or 0)] += (cold + hot) * share
                continue
            follows, more, kept = onto
            new = cold if follows == full else 0.0
            self._hot += new * share
            self._to(
                score + more + kept,
                (after.wild_rolls, follows, protected + kept),
                (cold - new) * share,
                (hot + new) * share,
            )


def _best(way: Way, after: TurnOdds, risk: Points) -> On | None:
    """The way to go on that is worth most; None: to bank is as good."""
    best: float = float("-inf") if way.bank is None else risk + way.bank
    found: On | None = None
    for on in way.on:
        value = after.value(on[0], risk + on[1]) + on[2]
        if value > best:
            best, found = value, on
    return found
