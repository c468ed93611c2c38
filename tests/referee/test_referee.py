"""The referee scores as the rules say: their examples, known counts, and faults seen elsewhere."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial
from typing import Any

import pytest

from tests.golden.load import SCORING, BustCase, ScoringCase, bust_cases, scoring_cases
from tests.referee.combos import Die
from tests.referee.family import family, scorer, three_pairs
from tests.referee.rulebook import RuleSet, a_set, farkle, house, jester, single
from tests.referee.scoring import Scored, Selection, best, score, selections

SHIPPED = {"farkle": farkle(), "spicy": farkle(spicy=True), "house": house(), "jester": jester()}
RULES = {**SHIPPED, **family()}
FOUR_AND_TWO = farkle(four_and_two_is_three_pairs=True)
SCORING_CASES = [(name, case) for name in SCORING for case in scoring_cases(name)]


def dice(faces: Sequence[int], spicy: Sequence[bool] = ()) -> list[Die]:
    marks = spicy or [False] * len(faces)
    return [Die(place, *die) for place, die in enumerate(zip(faces, marks, strict=True))]


def points(rules: RuleSet, *faces: int, **options: Any) -> int | None:
    scored = score(rules, dice(faces), **options)
    return scored.points if scored else None


def kinds(scored: Scored | None) -> list[str]:
    assert scored is not None
    return [combo.id for combo in scored.combos]


def whole(rules: RuleSet, *faces: int) -> Scored | None:
    return score(rules, dice(faces))


def best_of(rules: RuleSet, *faces: int) -> Selection | None:
    return best(selections(rules, dict(enumerate(faces))))


@pytest.mark.parametrize(
    ("name", "case"), SCORING_CASES, ids=lambda part: getattr(part, "line", part)
)
def test_the_golden_scores(name: str, case: ScoringCase) -> None:
    scored = score(SHIPPED[name], dice(case.faces, case.spicy), sets=case.sets)
    assert (scored.points if scored else None) == case.points


@pytest.mark.parametrize("case", bust_cases(), ids=lambda case: case.line)
def test_the_golden_bust_counts_and_means(case: BustCase) -> None:
    busts, total = 0, 0
    for faces in combinations_with_replacement(range(1, 7), case.dice):
        orders = factorial(case.dice)
        for count in Counter(faces).values():
            orders //= factorial(count)
        roll = dict(enumerate(faces))
        chosen = best(selections(RULES[case.rules], roll, sets=case.sets))
        if chosen is None:
            busts += orders
        else:
            total += orders * chosen.points
    assert busts == case.busts
    assert case.mean is None or Fraction(total, 6**case.dice) == case.mean


def test_four_and_two_are_three_pairs_only_where_the_rules_say_so() -> None:
    assert points(farkle(), 2, 2, 2, 2, 4, 4) is None
    assert points(FOUR_AND_TWO, 2, 2, 2, 2, 4, 4) == 1500
    assert points(FOUR_AND_TWO, 6, 6, 6, 6, 6, 6) == 3000
    doubled = RULES["doubling_4_2"]
    assert points(doubled, 4, 3, 3, 3, 4, 3) == 750
    assert points(doubled, 3, 5, 5, 5, 5, 3) == 750
    strict = best_of(RULES["doubling"], 4, 3, 3, 3, 4, 3)
    assert strict is not None
    assert (strict.dice, strict.points) == ((1, 2, 3, 5), 600)


def test_the_dearer_of_two_readings_counts() -> None:
    linear = scorer("linear", [a_set(4, 1, 2000), three_pairs(750, four_and_two=True)])
    assert points(linear, 1, 1, 1, 1, 5, 5) == 2100
    assert points(RULES["cardgames"], 1, 1, 1, 1) == 1100
    assert points(RULES["cardgames"], 3, 3, 4, 4, 4, 4) == 1500
    assert points(RULES["basic"], 1, 2, 2, 2, 2) is None
    for faces, right in (((1, 1, 2, 2, 2), 400), ((1, 2, 2, 2, 2), 300)):
        chosen = best_of(RULES["basic"], *faces)
        assert chosen is not None
        assert chosen.points == right


def test_a_full_house_takes_no_further_die() -> None:
    six = farkle()
    six["combinations"].append({"id": "full_house", "kind": "full_house", "bonus": 250})
    assert points(six, 2, 2, 2, 3, 3) == 450
    assert points(six, 2, 2, 2, 3, 3, 4) is None


def test_a_full_house_needs_a_set_of_three_of_its_face() -> None:
    rules = jester()
    rules["combinations"] = [c for c in rules["combinations"] if c["id"] != "three_2"]
    assert points(rules, 2, 2, 2, 3, 3) is None
    assert points(rules, 3, 3, 3, 2, 2) == 800


def test_selections_are_of_the_dice_that_lie_there() -> None:
    found = selections(farkle(), dict(enumerate((2, 6, 6, 6, 4, 3))))
    assert [(choice.dice, choice.points) for choice in found] == [((1, 2, 3), 600)]
    assert best_of(farkle(), 2, 2, 3, 3, 4, 6) is None


def test_every_scoring_part_of_a_roll_is_a_selection() -> None:
    found = selections(farkle(), dict(enumerate((1, 5, 2, 3, 4, 4))))
    assert [(choice.dice, choice.points) for choice in found] == [
        ((0,), 100),
        ((0, 1), 150),
        ((1,), 50),
    ]


def test_the_best_split_may_take_all_dice() -> None:
    chosen = best_of(FOUR_AND_TWO, 3, 3, 4, 4, 4, 4)
    assert chosen is not None
    assert (chosen.dice, chosen.points) == ((0, 1, 2, 3, 4, 5), 1500)


def test_of_equal_selections_most_dice_then_lowest_positions_then_lowest_wild_face() -> None:
    few, many = Selection((0,), None, 100, 0, ()), Selection((3, 4), None, 100, 0, ())
    low, other = Selection((0, 4), None, 100, 0, ()), Selection((1, 2), None, 100, 0, ())
    two, six = Selection((0, 4), 2, 100, 0, ()), Selection((0, 4), 6, 100, 0, ())
    assert best([few, many]) == many
    assert best([other, low]) == low
    assert best([six, two]) == two
    assert best([]) is None


def test_of_equal_splits_the_most_protected_then_the_fewest_then_the_first_in_order() -> None:
    pair = a_set(2, 1, 200)
    base = {**farkle(), "combinations": [single(1, 100), {**pair, "protected": True}]}
    assert kinds(whole(base, 1, 1)) == ["pair_1"]
    base["combinations"] = [{**single(1, 100), "protected": True}, pair]
    assert kinds(whole(base, 1, 1)) == ["single_1", "single_1"]
    base["combinations"] = [single(1, 100), pair]
    assert kinds(whole(base, 1, 1)) == ["pair_1"]
    assert kinds(whole(jester(), 2, 5, 2, 5, 2)) == ["full_house"]
    three = a_set(3, 2, 700)
    again = {"id": "run", "kind": "straight", "faces": [1, 3, 4], "points": 100}
    twice = {**again, "id": "same_run"}
    base["combinations"] = [three, twice, again]
    assert kinds(whole(base, 4, 3, 1)) == ["same_run"]


def test_forced_sets_are_never_divided() -> None:
    cheap = house(values={"three": {"1": 200}, "four": {"5": 50}})
    assert points(cheap, 1, 1, 1) == 200
    assert points(cheap, 1, 1) == 200
    assert points(cheap, 5, 5, 5, 5) == 50
    assert points({**cheap, "split": "best"}, 1, 1, 1) == 300
    no_five = house()
    no_five["combinations"] = [c for c in no_five["combinations"] if c["id"] != "five_1"]
    assert points(no_five, 1, 1, 1, 1, 1) is None
    assert points(no_five, 1, 1, 1, 1) == 2000


def test_protected_points_are_those_of_ones_and_straights() -> None:
    for faces, protected in (
        ((1, 1, 1), 1000),
        ((1, 1, 1, 5), 1000),
        ((1, 1, 1, 1), 2000),
        ((1, 2, 3, 4, 5), 1000),
        ((2, 3, 4, 5, 6), 1000),
        ((6, 6, 6), 0),
        ((1, 5), 0),
    ):
        scored = whole(house(), *faces)
        assert scored is not None
        assert scored.protected == protected


def test_the_bonus_needs_five_dice_rolled_together_and_all_kept() -> None:
    assert points(jester(), 2, 2, 2, 2, 5, rolled=5) == 1750
    assert points(jester(), 2, 2, 2, 2, rolled=5) == 1200
    assert points(jester(), 1, 1, 1, 5, rolled=4) == 1050
    assert points(jester(), 1, 1, 1, 5, 5) == 1600


def test_a_set_that_cannot_grow_lets_its_face_score_as_ever() -> None:
    rules = {**farkle(), "set_upgrade": True}
    rules["combinations"] = [c for c in rules["combinations"] if c["id"] != "four_1"]
    assert points(rules, 1, sets={1: 3}) == 100
    assert points(rules, 1, 1, sets={1: 3}) == 1700
    assert points(rules, 2, sets={2: 3}) == 800
    assert points(farkle(), 2, sets={2: 3}) is None


def test_spicy_dice_double_an_upgrade_but_not_the_bonus() -> None:
    faces = {"faces": [2, 2, 2, 2, 2], "instant_win": False}
    rules = {**jester(), "spicy": faces}
    roll: dict[int, int | None] = {3: 2, 4: 6}
    assert [choice.points for choice in selections(rules, roll, sets={2: 3})] == [2000]
    scored = score(rules, [Die(place, 5, place == 0) for place in range(5)])
    assert scored is not None
    assert scored.points == 2500 * 2 + 500


def test_the_jester_stands_for_every_face_in_turn() -> None:
    roll: dict[int, int | None] = {0: 2, 1: 2, 2: 3, 3: 6, 4: None}
    found = selections(jester(), roll)
    assert [(s.dice, s.wild_face, s.points) for s in found] == [
        ((0, 1, 4), 2, 200),
        ((4,), 1, 100),
        ((4,), 5, 50),
    ]


@pytest.mark.parametrize("ordinary", list(combinations_with_replacement(range(1, 7), 4)))
def test_in_jester_a_wild_roll_never_busts(ordinary: tuple[int, ...]) -> None:
    assert selections(jester(), {**dict(enumerate(ordinary)), 4: None})


def test_an_exact_target_limits_what_may_be_selected() -> None:
    exact = house(target=1000, exact=True)
    found = selections(exact, {0: 1, 1: 5}, total=900, turn_score=50)
    assert [(choice.dice, choice.points) for choice in found] == [((1,), 50)]
    assert len(selections(exact, {0: 1, 1: 5}, total=900, turn_score=50, limited=False)) == 3
    assert len(selections(jester(), {0: 1, 1: 5}, total=5000)) == 3
