"""
Combinations spelled out as patterns: which dice, exactly, are worth what.

A *hand* is a multiset of dice, a die being a face that is spicy or not. It is kept as one integer,
four bits a symbol: the count of plain face f stands at bit 4(f−1), of spicy face f at 4(f+5). The
highest bit of each nibble stays free, so that "fits into" is one subtraction (`fits`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import NamedTuple

from engine.rules import (
    Combination,
    CombinationKind,
    FullHouse,
    Pairs,
    Rules,
    SetOf,
    Single,
    Straight,
    Triplets,
)
from engine.units import SIDES, Face, Points

Hand = int
GUARD: Hand = sum(8 << 4 * symbol for symbol in range(2 * SIDES))
FACES = range(1, SIDES + 1)

_EVERY: Hand = sum(1 << 4 * symbol for symbol in range(2 * SIDES))
_TOP = 4 * (2 * SIDES - 1)

UNIT: tuple[tuple[Hand, Hand], ...] = (
    (0, 0),
    *((1 << 4 * (f - 1), 1 << 4 * (f - 1 + SIDES)) for f in FACES),
)
"""`UNIT[face][spicy]`: the hand of one die."""


def fits(part: Hand, hand: Hand) -> bool:
    """Whether `part` is contained in `hand`."""
    return ((hand | GUARD) - part) & GUARD == GUARD


def dice_in(hand: Hand) -> int:
    """How many dice a hand has; at most `MOST_DICE`, so that no nibble runs over."""
    return hand * _EVERY >> _TOP & 15


def lowest(hand: Hand) -> int:
    """The index of the lowest symbol in a hand."""
    return ((hand & -hand).bit_length() - 1) >> 2


def counts(hand: Hand, face: Face) -> tuple[int, int]:
    """How many plain and spicy dice of a face."""
    shift = 4 * (face - 1)
    return hand >> shift & 7, hand >> shift + 4 * SIDES & 7


class Pattern(NamedTuple):
    """Dice that are one combination, and what that is worth."""

    hand: Hand
    points: Points
    protected: bool
    flat: bool
    order: int
    """Place of the combination in the rule set."""
    kind: CombinationKind
    id: str
    face: Face
    """Of a set, 0 otherwise."""
    size: int
    """Dice of a set, 0 otherwise."""


Shape = tuple[tuple[Face, int], ...]
"""(face, how many), faces ascending."""


def shapes(combination: Combination, rules: Rules) -> Iterator[tuple[Shape, Points]]:
    """What a combination may look like, spicy faces left aside, and its points."""
    points = 0 if isinstance(combination, FullHouse) else combination.points
    if isinstance(combination, Single):
        yield ((combination.face, 1),), points
    elif isinstance(combination, SetOf):
        yield ((combination.face, combination.count),), points
    elif isinstance(combination, Straight):
        yield tuple((face, 1) for face in combination.faces), points
    elif isinstance(combination, Pairs):
        for faces in combinations(FACES, combination.count):
            yield tuple((face, 2) for face in faces), points
        if combination.four_and_two and combination.count == 3:
            for four, two in permutations(FACES, 2):
                yield tuple(sorted(((four, 4), (two, 2)))), points
    elif isinstance(combination, Triplets):
        for faces in combinations(FACES, combination.count):
            yield tuple((face, 3) for face in faces), points
    else:
        pairs = dict(combination.pairs)
        for three in rules.combinations:
            if not isinstance(three, SetOf) or three.count != 3:
                continue
            for pair in FACES:
                if pair != three.face:
                    shape = tuple(sorted(((three.face, 3), (pair, 2))))
                    yield shape, three.points + combination.bonus + pairs.get(pair, 0)


def patterns_of(rules: Rules) -> tuple[Pattern, ...]:
    """
    Every pattern of a rule set, in its order.

    With spicy dice each shape comes once for every way its dice may be spicy, its points doubled
    for each that is.
    """
    found: list[Pattern] = []
    for order, combination in enumerate(rules.combinations):
        is_set = isinstance(combination, SetOf)
        for shape, points in shapes(combination, rules):
            ways = [range(count + 1) if rules.spicy else (0,) for _, count in shape]
            for spiced in product(*ways):
                hand = sum(
                    (count - s) * UNIT[face][0] + s * UNIT[face][1]
                    for (face, count), s in zip(shape, spiced, strict=True)
                )
                found.append(
                    Pattern(
                        hand,
                        points << sum(spiced),
                        combination.protected,
                        combination.flat,
                        order,
                        combination.kind,
                        combination.id,
                        combination.face if isinstance(combination, SetOf) else 0,
                        combination.count if isinstance(combination, SetOf) and is_set else 0,
                    )
                )
    return tuple(found)
