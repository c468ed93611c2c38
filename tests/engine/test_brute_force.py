"""
The compiled table beside a brute force that tries every way to divide a hand: every hand of every
shipped rule set, every locked set of jester, and every selection, not only the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

import pytest

from engine.choices import HandScore
from engine.patterns import UNIT
from engine.rules_text import rules_from_data
from engine.scoring import Scoring, scoring_of
from tests.golden.load import SCORING, BustCase, bust_cases, scoring_cases
from tests.referee import rulebook
from tests.referee.combos import Die
from tests.referee.family import family
from tests.referee.scoring import Scored, best, score, selections

RULES: dict[str, Any] = {
    "farkle": rulebook.farkle(),
    "four_and_two": rulebook.farkle(four_and_two_is_three_pairs=True),
    "house": rulebook.house(),
    "jester": rulebook.jester(),
}
GOLDEN: dict[str, Any] = {**RULES, "spicy": rulebook.farkle(spicy=True)}
ALL: dict[str, Any] = {**GOLDEN, **family()}


def table_of(data: Any) -> Scoring:
    return scoring_of(rules_from_data(data))


def hands(dice: int, spicy: bool) -> Iterator[tuple[tuple[int, bool], ...]]:
    """Every multiset of one to `dice` dice, each a face and whether it is spicy."""
    symbols = list(product(range(1, 7), (False, True) if spicy else (False,)))
    for size in range(1, dice + 1):
        yield from combinations_with_replacement(symbols, size)


def same(engine: HandScore | None, referee: Scored | None) -> bool:
    """Points, protected points and the combinations by id and worth."""
    if engine is None or referee is None:
        return engine is None and referee is None
    found = sorted((part.id, part.points) for part in engine.parts)
    wanted = sorted(
        (combo.id, combo.points) for combo in referee.combos if combo.kind != "all_dice_bonus"
    )
    return (engine.points, engine.protected, found) == (
        referee.points,
        referee.protected,
        wanted,
    )


def compare(data: Any, spicy: bool, sets: dict[int, int]) -> int:
    """Every hand that can follow these locked sets; how many there were."""
    table, count, total = table_of(data), data["dice"]["count"], 0
    left = count - sum(sets.values())
    for hand in hands(left, spicy):
        total += 1
        key = sum(UNIT[face][marked] for face, marked in hand)
        dice = [Die(index, face, marked) for index, (face, marked) in enumerate(hand)]
        for rolled in {len(hand), left}:
            together = len(hand) == count == rolled
            found = table.score(key, together, tuple(sorted(sets.items())))
            assert same(found, score(data, dice, sets=sets, rolled=rolled)), (hand, sets, rolled)
    return total


@pytest.mark.parametrize("name", RULES)
def test_every_hand_scores_as_by_brute_force(name: str) -> None:
    dice = RULES[name]["dice"]["count"]
    assert compare(RULES[name], False, {}) == {5: 461, 6: 923}[dice]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "lowest",
    [
        pytest.param(1, marks=pytest.mark.soak),
        *(pytest.param(n, marks=pytest.mark.wide) for n in (2, 3)),
        *range(4, 7),
    ],
)
def test_every_spicy_hand_scores_as_by_brute_force(lowest: int) -> None:
    """In six parts, by the lowest face, so that they may run side by side."""
    data = rulebook.farkle(spicy=True)
    table, total = table_of(data), 0
    for hand in hands(6, True):
        if hand[0][0] != lowest:
            continue
        total += 1
        key = sum(UNIT[face][marked] for face, marked in hand)
        dice = [Die(index, face, marked) for index, (face, marked) in enumerate(hand)]
        size = len(hand)
        assert same(table.score(key, size == 6), score(data, dice, rolled=size)), hand
    # 12 symbols: C(size + 11, size) hands, 18 563 in all.
    assert total == {1: 10556, 2: 5005, 3: 2079, 4: 714, 5: 182, 6: 27}[lowest]


@pytest.mark.parametrize("locked", [{face: count} for face in range(1, 7) for count in (3, 4)])
def test_every_hand_after_every_locked_set_of_jester(locked: dict[int, int]) -> None:
    assert compare(RULES["jester"], False, locked) == {3: 27, 4: 6}[next(iter(locked.values()))]


@pytest.mark.parametrize("name", SCORING)
def test_golden_scores(name: str) -> None:
    table = table_of(GOLDEN[name])
    for case in scoring_cases(name):
        hand = sum(UNIT[f][s] for f, s in zip(case.faces, case.spicy, strict=True))
        together = len(case.faces) == table.rules.dice
        found = table.score(hand, together, tuple(sorted(case.sets.items())))
        assert (found.points if found else None) == case.points, case.line


@pytest.mark.parametrize("name", RULES)
def test_every_selection_of_every_roll_is_listed(name: str) -> None:
    """All multisets of all dice, in one order; test_dice_order… covers the other orders."""
    data = RULES[name]
    table, dice = table_of(data), data["dice"]["count"]
    for faces in combinations_with_replacement(range(1, 7), dice):
        found = table.roll_table(faces, table.rules.all_dice, False, ())
        wanted = selections(data, dict(enumerate(faces)))
        listed = sorted((c.dice, c.points, c.protected) for c in found.choices)
        assert listed == sorted((s.dice, s.points, s.protected) for s in wanted), faces
        finest, expected = found.best(), best(wanted)
        assert (finest and finest.dice) == (expected and expected.dice), faces


def test_every_wild_roll_lists_every_face_of_the_jester() -> None:
    data = RULES["jester"]
    table = table_of(data)
    for faces in combinations_with_replacement(range(1, 7), 4):
        found = table.roll_table((*faces, 0), 31, True, ())
        roll: dict[int, int | None] = {**dict(enumerate(faces)), 4: None}
        wanted = selections(data, roll)
        listed = sorted((c.dice, c.wild_face, c.points) for c in found.choices)
        assert listed == sorted((s.dice, s.wild_face or 0, s.points) for s in wanted), faces
        finest, expected = found.best(), best(wanted)
        assert finest is not None
        assert expected is not None
        assert (finest.dice, finest.wild_face) == (expected.dice, expected.wild_face), faces


@pytest.mark.parametrize("faces", [(1, 5, 2, 3, 4, 4), (2, 2, 2, 5, 1, 1), (6, 5, 5, 5, 6, 6)])
def test_dice_order_changes_no_score(faces: tuple[int, ...]) -> None:
    table = table_of(RULES["farkle"])

    def scores(order: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
        shown = tuple(faces[p] for p in order)
        choices = table.roll_table(shown, 63, False, ()).choices
        return sorted((tuple(sorted(shown[p] for p in c.dice)), c.points) for c in choices)

    first = scores((0, 1, 2, 3, 4, 5))
    for order in ((5, 4, 3, 2, 1, 0), (3, 0, 5, 1, 4, 2), (1, 2, 3, 4, 5, 0)):
        assert scores(order) == first


@pytest.mark.parametrize("case", bust_cases(), ids=lambda case: case.line)
def test_bust_counts_and_means(case: BustCase) -> None:
    """Published counts, and means of the best score of one roll."""
    table = table_of(ALL[case.rules])
    locked = sum(case.sets.values())
    positions = range(locked, locked + case.dice)
    rolled = sum(1 << p for p in positions)
    busts, total = 0, 0
    for faces in combinations_with_replacement(range(1, 7), case.dice):
        ways = factorial(case.dice) // prod(factorial(faces.count(face)) for face in set(faces))
        laid = [0] * table.rules.dice
        laid[locked : locked + case.dice] = faces
        found = table.roll_table(tuple(laid), rolled, False, tuple(case.sets.items())).best()
        if found is None:
            busts += ways
        else:
            total += ways * found.points
    assert busts == case.busts
    if case.mean is not None:
        assert Fraction(total, 6**case.dice) == case.mean
