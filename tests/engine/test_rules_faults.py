"""Every kind of fault in a rule set, by its pointer."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine import MalformedRules, rules_from_data
from engine.rules_text import MOST_COMBINATIONS
from tests.referee.rulebook import RuleSet, farkle

BASE = farkle()
TWO = [
    {"id": "one", "kind": "single", "face": 1, "points": 100},
    {"id": "three", "kind": "set", "face": 1, "count": 3, "points": 1000},
]


def faults(data: object) -> list[tuple[str, str]]:
    with pytest.raises(MalformedRules) as wrong:
        rules_from_data(data)
    return [(fault.pointer, fault.code) for fault in wrong.value.faults]


def with_one(combination: dict[str, Any], **changes: Any) -> RuleSet:
    """Two plain combinations, and this one as /combinations/2."""
    return {**BASE, "combinations": [*TWO, combination], **changes}


def put(data: RuleSet, path: str, value: object) -> RuleSet:
    changed = copy.deepcopy(data)
    *way, last = path.split("/")
    holder: Any = changed
    for key in way:
        holder = holder[int(key)] if isinstance(holder, list) else holder[key]
    holder[last] = value
    return changed


FIELD_FAULTS: list[tuple[str, object, str, str]] = [
    ("format", 2, "/format", "out_of_range"),
    ("format", True, "/format", "not_an_integer"),
    ("name", "Farkle", "/name", "bad_label"),
    ("dice/sides", 6, "/dice", "unknown_field"),
    ("seats/min", 0, "/seats/min", "out_of_range"),
    ("seats/max", 9, "/seats/max", "out_of_range"),
    ("seats/max", "8", "/seats/max", "not_an_integer"),
    ("target", 0, "/target", "out_of_range"),
    ("target", 10_000_001, "/target", "out_of_range"),
    ("target", 1e4, "/target", "not_an_integer"),
    ("exact", "on", "/exact", "unknown_value"),
    ("opening", -1, "/opening", "out_of_range"),
    ("final_round", True, "/final_round", "unknown_value"),
    ("winner", "lowest", "/winner", "unknown_value"),
    ("split", "", "/split", "unknown_value"),
    ("set_upgrade", 0, "/set_upgrade", "not_a_boolean"),
    ("bank_takes", [], "/bank_takes", "unknown_value"),
    ("bank_on_hot_dice", "no", "/bank_on_hot_dice", "not_a_boolean"),
    ("all_dice_bonus", 1_000_001, "/all_dice_bonus", "out_of_range"),
    ("take_over", 1, "/take_over", "not_a_boolean"),
    ("spicy", [], "/spicy", "not_an_object"),
    ("spicy", {}, "/spicy/faces", "missing"),
    ("spicy", {"faces": [1, 2, 3, 4, 5, 9]}, "/spicy/faces/5", "out_of_range"),
    ("spicy", {"faces": [1] * 6, "instant_win": 1}, "/spicy/instant_win", "not_a_boolean"),
    ("spicy", {"faces": [1] * 6, "more": 1}, "/spicy", "unknown_field"),
    ("spicy", {"faces": [1] * 5}, "/spicy/faces", "wrong_length"),
    ("wild_rolls", {"allotment": 100}, "/wild_rolls/allotment", "out_of_range"),
    ("wild_rolls", {"allotment": 0, "purse": 1}, "/wild_rolls/purse", "not_a_boolean"),
    ("wild_rolls", {"allotment": 0, "world": "Ö"}, "/wild_rolls/world", "bad_label"),
    ("wild_rolls", {"allotment": 0, "x": 1}, "/wild_rolls", "unknown_field"),
    ("combinations", [], "/combinations", "wrong_length"),
    ("combinations", {}, "/combinations", "not_a_list"),
    ("combinations", [None], "/combinations/0", "not_an_object"),
    ("combinations", [*TWO] * MOST_COMBINATIONS, "/combinations", "wrong_length"),
    ("extra", 1, "", "unknown_field"),
    ("_hash", 1, "", "unknown_field"),
    ("seats", {"min": 3, "max": 2}, "/seats/min", "above_maximum"),
    ("opening", 10_001, "/opening", "above_target"),
]


@pytest.mark.parametrize(("path", "value", "pointer", "code"), FIELD_FAULTS)
def test_a_faulty_field_is_named(path: str, value: object, pointer: str, code: str) -> None:
    assert faults(put(BASE, path, value)) == [(pointer, code)]


COMBINATION_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"id": "X", "kind": "single", "face": 5, "points": 5}, "/id", "bad_label"),
    ({"id": "a-b", "kind": "single", "face": 5, "points": 5}, "/id", "bad_label"),
    ({"kind": "single", "face": 5, "points": 5}, "/id", "missing"),
    ({"id": "x", "kind": "set", "face": 7, "count": 4, "points": 5}, "/face", "out_of_range"),
    ({"id": "x", "kind": "single", "face": 5, "points": 0}, "/points", "out_of_range"),
    ({"id": "x", "kind": "single", "face": 5, "points": 1_000_001}, "/points", "out_of_range"),
    ({"id": "x", "kind": "single", "face": 5, "count": 1, "points": 5}, "", "unknown_field"),
    ({"id": "x", "kind": "single", "face": 1, "points": 5}, "", "duplicate"),
    ({"id": "one", "kind": "single", "face": 5, "points": 5}, "", "duplicate"),
    ({"id": "x", "kind": "set", "face": 1, "count": 3, "points": 5}, "", "duplicate"),
    ({"id": "x", "kind": "set", "face": 1, "count": 1, "points": 5}, "/count", "out_of_range"),
    ({"id": "x", "kind": "set", "face": 1, "count": 7, "points": 5}, "/count", "out_of_range"),
    ({"id": "x", "kind": "straight", "faces": [1, 2], "points": 5}, "/faces", "wrong_length"),
    ({"id": "x", "kind": "straight", "faces": [1, 3, 2], "points": 5}, "/faces", "not_ascending"),
    ({"id": "x", "kind": "straight", "faces": [1, 1, 2], "points": 5}, "/faces", "not_ascending"),
    ({"id": "x", "kind": "pairs", "count": 4, "points": 5}, "/count", "out_of_range"),
    (
        {"id": "x", "kind": "pairs", "count": 3, "points": 5, "four_and_two": 1},
        "/four_and_two",
        "not_a_boolean",
    ),
    ({"id": "x", "kind": "triplets", "count": 3, "points": 5}, "/count", "out_of_range"),
    ({"id": "x", "kind": "full_house", "points": 5, "bonus": 5}, "", "unknown_field"),
    ({"id": "x", "kind": "full_house", "bonus": -5}, "/bonus", "out_of_range"),
    ({"id": "x", "kind": "full_house", "bonus": 5, "pairs": {"7": 1}}, "/pairs", "unknown_field"),
    (
        {"id": "x", "kind": "full_house", "bonus": 5, "pairs": {"1": "a"}},
        "/pairs/1",
        "not_an_integer",
    ),
    ({"id": "x", "kind": "single", "face": 5, "points": 5, "flat": 1}, "/flat", "not_a_boolean"),
    (
        {"id": "x", "kind": "single", "face": 5, "points": 5, "protected": "y"},
        "/protected",
        "not_a_boolean",
    ),
]


@pytest.mark.parametrize(("combination", "below", "code"), COMBINATION_FAULTS)
def test_a_faulty_combination_is_named(combination: dict[str, Any], below: str, code: str) -> None:
    assert faults(with_one(combination)) == [(f"/combinations/2{below}", code)]


@pytest.mark.parametrize(
    ("combination", "dice"),
    [
        ({"id": "x", "kind": "set", "face": 2, "count": 5, "points": 5}, 4),
        ({"id": "x", "kind": "straight", "faces": [2, 3, 4, 5, 6], "points": 5}, 4),
        ({"id": "x", "kind": "pairs", "count": 3, "points": 5}, 5),
        ({"id": "x", "kind": "triplets", "count": 2, "points": 5}, 5),
        ({"id": "x", "kind": "full_house", "bonus": 5}, 4),
    ],
)
def test_no_combination_needs_more_dice_than_the_table_has(
    combination: dict[str, Any], dice: int
) -> None:
    assert faults(with_one(combination, dice={"count": dice})) == [
        ("/combinations/2", "too_many_dice")
    ]
    rules_from_data(with_one(combination, dice={"count": dice + 1}))


def test_several_faults_are_all_named() -> None:
    data = put(put(put(BASE, "target", -1), "seats/max", 99), "combinations/3/points", "x")
    data = put(put(data, "combinations/5/count", 1), "extra", {})
    data.pop("winner")
    assert set(faults(data)) == {
        ("/target", "out_of_range"),
        ("/seats/max", "out_of_range"),
        ("/combinations/3/points", "not_an_integer"),
        ("/combinations/5/count", "out_of_range"),
        ("/winner", "missing"),
        ("", "unknown_field"),
    }


def test_a_faulty_dice_count_is_one_fault_not_many() -> None:
    assert faults(put(BASE, "dice/count", 7)) == [("/dice/count", "out_of_range")]
    assert faults({**BASE, "dice": None}) == [("/dice", "missing")]


def test_an_unknown_kind_is_named() -> None:
    for kind in ("run", "set_upgrade", None, 5):
        found = [pointer for pointer, _ in faults(with_one({"id": "x", "kind": kind}))]
        assert "/combinations/2/kind" in found


@pytest.mark.parametrize(
    ("combination", "below", "code"),
    [
        ({"id": "x", "kind": "run", "points": 5}, "/kind", "unknown_value"),
        ({"id": "x", "kind": "single", "face": 7, "points": 5}, "/face", "out_of_range"),
    ],
)
def test_a_faulty_combination_is_not_accused_of_more(
    combination: dict[str, Any], below: str, code: str
) -> None:
    """Nothing is compared with what could not be read: neither is the same as combination 0."""
    assert faults(with_one(combination)) == [(f"/combinations/2{below}", code)]


@pytest.mark.parametrize(
    "shape",
    [
        {"kind": "full_house", "bonus": 5},
        {"kind": "straight", "faces": [2, 4, 6]},
        {"kind": "pairs", "count": 2},
        {"kind": "pairs", "count": 3, "four_and_two": True},
        {"kind": "triplets", "count": 2},
    ],
)
def test_the_same_dice_are_one_combination_of_a_kind(shape: dict[str, Any]) -> None:
    """Sixty times the same three pairs took a third of a second for each roll."""
    worth = {} if "bonus" in shape else {"points": 5}
    dearer = {"bonus": 10} if "bonus" in shape else {"points": 10}
    twice = [{"id": "a", **shape, **worth}, {"id": "b", **shape, **dearer}]
    found = faults({**BASE, "combinations": [*TWO, *twice]})
    assert found == [("/combinations/3", "duplicate")]


def test_combinations_of_one_kind_may_stand_side_by_side() -> None:
    pairs = [{"id": f"p{n}", "kind": "pairs", "count": n, "points": 5} for n in (2, 3)]
    runs = [
        {"id": f"s{first}", "kind": "straight", "faces": [first, first + 1, first + 2], "points": 5}
        for first in (1, 2, 3)
    ]
    rules = rules_from_data({**BASE, "combinations": [*TWO, *pairs, *runs]})
    assert [c.id for c in rules.combinations] == ["one", "three", "p2", "p3", "s1", "s2", "s3"]
