"""
Every throw of a turn, and everything each may lead to, counted: what all odds are made of.

A *throw* is what is about to be rolled: which dice, beside which locked sets. Dice with the same
spicy face are alike, so that a throw is a number of dice of each kind: without spicy faces simply
how many. What one roll offers depends on nothing else (scoring knows no more of a turn), so rolls
that offer the same are counted together, in whole numbers: nothing here is rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, gcd, prod
from typing import NamedTuple

from engine.choices import Choice, Sets
from engine.patterns import FACES, UNIT
from engine.rules import FullHouse, Rules, SetOf
from engine.scoring import Scoring
from engine.units import SIDES, Dice, Face, Mask, Points, dice_of

Kinds = int
"""How many dice of each kind, `WIDTH` bits a kind."""

WIDTH = 3
HAND = 8 * SIDES
"""Bits of a hand. What stands above them tells which dice it is made of, as `Kinds`."""
MOST_HANDS = 1 << 17


class Throw(NamedTuple):
    """Dice about to be rolled."""

    dice: Dice
    """Their positions; where several are alike, the lowest of them."""
    sets: Sets
    """Locked sets that these dice could still upgrade."""

    @property
    def rolls(self) -> int:
        """How many rolls there are, all of them alike likely."""
        return rolls_of(len(self.dice))


class Keep(NamedTuple):
    """A selection, as far as it matters for what comes."""

    throw: int
    """Index of the throw that follows. That of all dice follows only when every die is locked."""
    points: Points
    protected: Points
    """The part of the points that a bust does not take."""


class Outcome(NamedTuple):
    """Rolls that offer the same selections."""

    rolls: int
    """How many."""
    keeps: tuple[Keep, ...]
    """
    None: a bust. Where no exact target may ask for less, only the best of those that lead to the
    same throw: each left out is worth no more, and protects no more, than one that is here.
    """
    instant_win: bool = False

    @property
    def best(self) -> Points:
        """Points of the best selection; 0 for a bust."""
        return max((keep.points for keep in self.keeps), default=0)


Outcomes = tuple[Outcome, ...]
_Found = tuple[int, frozenset[int], bool]
"""(how many rolls, codes of what they offer, whether they win on the spot)."""
_Draw = tuple[int, frozenset[int], frozenset[int], bool]
"""(how many rolls, their parts, codes of what those offer, whether every die is spicy)."""


class _Known(dict[int, int]):
    """By part of a roll (a hand, and above it the dice it is made of) its code."""

    def __init__(self, code: Callable[[int], int]) -> None:
        super().__init__()
        self._code = code

    def __missing__(self, part: int) -> int:
        code = self[part] = self._code(part)
        return code


class Throws:
    """
    The throws of a rule set.

    Attributes:
        throws: first those beside no locked set, by number of dice.
        outcomes: of each throw.
        full: index of the throw of all dice of the table.
        wild: outcomes of all dice with the last as the Jester; empty where it is not played.
        unit: every score is a multiple of it.
        thrifty: whether what an exact target may ask for was left out of the outcomes.
    """

    def __init__(self, rules: Rules, every: bool = False) -> None:
        """
        Args:
            every: keep every selection, also where others are worth more.
        """
        self.rules = rules
        self.unit = unit_of(rules)
        self.thrifty = rules.exact == "off" and not every
        spicy = rules.spicy.faces if rules.spicy else (0,) * rules.dice
        self._faces = tuple(sorted(set(spicy)))
        self._kind = tuple(self._faces.index(face) for face in spicy)
        self._scoring = Scoring(rules, MOST_HANDS)
        self._sizes = {(c.face, c.count) for c in rules.combinations if isinstance(c, SetOf)}
        self._known: dict[tuple[Mask, Sets], int] = {}
        self._index: dict[tuple[Kinds, Sets], int] = {}
        self._queue: list[tuple[Kinds, Sets]] = []
        self._keeps = [Keep(0, 0, 0)]
        self._codes: dict[Keep, int] = {}
        self._begin()
        self.full = self._of(self._kinds(rules.all_dice), ())
        found = [self._merged(self._rolls(kinds, sets)) for kinds, sets in _growing(self._queue)]
        self.outcomes: tuple[Outcomes, ...] = tuple(found)
        self.wild: Outcomes = self._merged(self._wild_rolls()) if rules.wild_rolls else ()
        self.throws = tuple(Throw(self._places(kinds), sets) for kinds, sets in self._queue)

    def index(self, dice: Mask, sets: Sets = ()) -> int:
        """The throw of these dice beside these locked sets; no dice left means all of them."""
        known = self._known.get((dice, sets))
        if known is None:
            known = self._of(self._kinds(dice), sets) if dice else self.full
            self._known[dice, sets] = known
        return known

    def without_outcomes(self) -> Throws:
        """The same throws to be indexed by, but not what they lead to: little to keep or send."""
        light = copy(self)
        light.outcomes, light.wild = (), ()
        light._scoring = Scoring(self.rules, 1)
        return light

    def _begin(self) -> None:
        """The throws beside no locked set: a take-over may begin with any of them."""
        each = [range(self._kind.count(kind) + 1) for kind in range(len(self._faces))]
        for counts in sorted(product(*each), key=lambda counts: (sum(counts), counts)):
            if any(counts):
                self._of(sum(n << WIDTH * kind for kind, n in enumerate(counts)), ())

    def _of(self, kinds: Kinds, sets: Sets) -> int:
        """Index of a throw, which is one more when it was not met before."""
        if sets:
            dice = len(self._places(kinds))
            grows = range(1, dice + 1)
            sets = tuple(s for s in sets if any((s[0], s[1] + n) in self._sizes for n in grows))
        index = self._index.setdefault((kinds, sets), len(self._queue))
        if index == len(self._queue):
            self._queue.append((kinds, sets))
        return index

    def _kinds(self, mask: Mask) -> Kinds:
        return sum(1 << WIDTH * self._kind[p] for p in dice_of(mask))

    def _places(self, kinds: Kinds) -> Dice:
        """The lowest positions that hold these dice."""
        found = []
        for place, kind in enumerate(self._kind):
            if self._kind[:place].count(kind) < kinds >> WIDTH * kind & 7:
                found.append(place)
        return tuple(found)

    def _merged(self, rolls: Iterable[_Found]) -> Outcomes:
        """Rolls that offer the same, together; the likeliest first."""
        counted: Counter[tuple[frozenset[int], bool]] = Counter()
        for times, codes, wins in rolls:
            counted[codes, wins] += times
        slim: Counter[tuple[tuple[Keep, ...], bool]] = Counter()
        for (codes, wins), times in counted.items():
            keeps = [self._keeps[code] for code in codes if code]
            slim[best_of_each(keeps) if self.thrifty else tuple(sorted(keeps)), wins] += times
        return tuple(Outcome(times, keeps, wins) for (keeps, wins), times in slim.most_common())

    def _rolls(self, kinds: Kinds, sets: Sets) -> Iterator[_Found]:
        """Every roll up to order, with how often it comes and what it offers."""
        full = self._index[kinds, sets] == self.full
        wins = self.rules.spicy is not None and self.rules.spicy.instant_win and full
        known = _Known(lambda part: self._code(part, kinds, sets, full))
        for times, _, codes, all_spicy in self._draws(kinds, known):
            yield times, codes, wins and all_spicy

    def _wild_rolls(self) -> Iterator[_Found]:
        """Every roll of all dice but the last, which is the Jester: it takes any one face."""
        kinds, last = self._kinds(self.rules.all_dice), self._kind[-1]
        jester = 1 << HAND + WIDTH * last
        faces = [jester + UNIT[face][face == self._faces[last]] for face in FACES]
        known = _Known(lambda part: self._code(part, kinds, (), True))
        for times, parts, codes, _ in self._draws(kinds - (1 << WIDTH * last), known):
            with_jester = {known[part + face] for part in parts for face in faces}
            yield times, codes | with_jester, False

    def _draws(self, kinds: Kinds, known: _Known) -> Iterator[_Draw]:
        """Every roll up to order; what its first dice offer is worked out once for all others."""
        each = [
            _drawn(kinds >> WIDTH * kind & 7, face, kind) for kind, face in enumerate(self._faces)
        ]
        code = known.__getitem__

        def further(
            kind: int, times: int, parts: frozenset[int], codes: frozenset[int], spicy: bool
        ) -> Iterator[_Draw]:
            for often, dice, all_spicy in each[kind]:
                more, offered = parts, codes
                for die in dice:
                    new = {part + die for part in more} - more
                    more, offered = more | new, offered | set(map(code, new))
                if kind == len(each) - 1:
                    yield times * often, more, offered, spicy and all_spicy
                else:
                    yield from further(kind + 1, times * often, more, offered, spicy and all_spicy)

        return further(0, 1, frozenset([0]), frozenset(), True)

    def _code(self, part: int, kinds: Kinds, sets: Sets, full: bool) -> int:
        """The code of what selecting this part of a roll leads to; 0 where it does not score."""
        hand, taken = part & (1 << HAND) - 1, part >> HAND
        score = self._scoring.score(hand, full and taken == kinds, sets)
        if score is None:
            return 0
        left = kinds - taken
        choice = Choice((), 0, score.points, score.protected, 0, score)
        throw = self._of(left, self._scoring.sets_after(sets, choice)) if left else self.full
        keep = Keep(throw, score.points, score.protected)
        code = self._codes.setdefault(keep, len(self._keeps))
        if code == len(self._keeps):
            self._keeps.append(keep)
        return code


def best_of_each(keeps: Iterable[Keep]) -> tuple[Keep, ...]:
    """Of the selections that lead to the same throw those that no other of them outdoes."""
    best: list[Keep] = []
    for keep in sorted(keeps, key=lambda keep: (keep.throw, -keep.points, -keep.protected)):
        before = best[-1] if best else None
        if before is None or before.throw != keep.throw or keep.protected > before.protected:
            best.append(keep)
    return tuple(best)


def _growing(queue: list[tuple[Kinds, Sets]]) -> Iterator[tuple[Kinds, Sets]]:
    """A queue's members, those included that join it meanwhile."""
    done = 0
    while done < len(queue):
        yield queue[done]
        done += 1


@lru_cache(maxsize=256)
def _drawn(dice: int, spicy: Face, kind: int) -> tuple[tuple[int, tuple[int, ...], bool], ...]:
    """Every roll of some dice of a kind up to order: how often it comes, each die as a part."""
    die = 1 << HAND + WIDTH * kind
    return tuple(
        (
            factorial(dice) // prod(factorial(faces.count(face)) for face in FACES),
            tuple(die + UNIT[face][face == spicy] for face in faces),
            all(face == spicy for face in faces),
        )
        for faces in combinations_with_replacement(FACES, dice)
    )


def rolls_of(dice: int) -> int:
    """How many rolls some dice have."""
    return int(SIDES**dice)


def unit_of(rules: Rules) -> Points:
    """The greatest number that divides every score."""
    worth = [rules.all_dice_bonus]
    for combination in rules.combinations:
        if isinstance(combination, FullHouse):
            worth += [combination.bonus, *(points for _, points in combination.pairs)]
        else:
            worth.append(combination.points)
    return gcd(*worth) or 1


MOST_THROWS = 16
"""Rule sets whose throws are kept: up to some MiB each, with six different spicy faces."""


@lru_cache(maxsize=MOST_THROWS)
def throws_of(rules: Rules) -> Throws:
    """The throws of a rule set."""
    return Throws(rules)
