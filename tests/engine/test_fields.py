"""Untrusted data is read field by field: every fault noted, nothing repeated, nothing raised."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Fault
from engine.fields import Reader


def reader(data: object) -> tuple[Reader, list[Fault]]:
    faults: list[Fault] = []
    return Reader(data, "", faults), faults


def noted(faults: list[Fault]) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in faults]


@pytest.mark.parametrize("data", [None, [], "x", 1, 1.5, True])
def test_only_an_object_has_fields(data: object) -> None:
    found, faults = reader(data)
    assert noted(faults) == [("", "not_an_object")]
    assert found.whole("a", 1, 5) == 1
    assert found.switch("b") is False
    assert found.label("c", "xyz") == "missing"
    assert noted(faults) == [("", "not_an_object")], "a missing object misses no fields"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "missing"),
        (True, "not_an_integer"),
        (5.0, "not_an_integer"),
        (float("nan"), "not_an_integer"),
        ("5", "not_an_integer"),
        ([5], "not_an_integer"),
        (-1, "out_of_range"),
        (10**400, "out_of_range"),
        (7, "not_a_multiple"),
    ],
)
def test_an_integer_within_bounds_is_needed(value: object, code: str) -> None:
    found, faults = reader({"n": value})
    assert found.whole("n", 0, 100, step=5) == 0
    assert noted(faults) == [("/n", code)]


def test_bounds_belong_to_the_range() -> None:
    found, faults = reader({"a": 5, "b": 100})
    assert (found.whole("a", 5, 100), found.whole("b", 5, 100)) == (5, 100)
    assert not faults


def test_a_default_stands_in_for_null_and_for_nothing() -> None:
    found, faults = reader({"a": None, "s": None})
    assert found.whole("a", 0, 9, default=3) == found.whole("b", 0, 9, default=3) == 3
    assert found.switch("s", True) is found.switch("t", True) is True
    assert found.one_of("u", ("x", "y"), "y") == "y"
    assert not found.given("a")
    assert not found.given("b")
    assert not faults


@pytest.mark.parametrize("value", [0, 1, "true", [], {}, 1.0])
def test_a_switch_is_true_or_false_and_nothing_like_it(value: object) -> None:
    found, faults = reader({"s": value})
    assert found.switch("s") is False
    assert noted(faults) == [("/s", "not_a_boolean")]


class Text(str):
    """A text that is not quite one."""

    __slots__ = ()


@pytest.mark.parametrize("value", ["c", "A", "", 0, True, [], {}, Text("a")])
def test_one_of_some_words(value: object) -> None:
    found, faults = reader({"w": value})
    assert found.one_of("w", ("a", "b")) == "a"
    assert noted(faults) == [("/w", "unknown_value")]


@pytest.mark.parametrize("value", ["", "a" * 33, "A", "a b", "a\n", "ä", "\ud800", 5, ["a"]])
def test_a_label_is_short_and_of_known_letters(value: object) -> None:
    found, faults = reader({"l": value})
    assert found.label("l", "abc") == "faulty"
    assert noted(faults) == [("/l", "bad_label")]
    assert reader({"l": "a" * 32})[0].label("l", "abc") == "a" * 32


def test_lists_are_of_some_length_and_each_face_is_named() -> None:
    data: dict[str, Any] = {"f": [1, 0, 6, 7, "1", True, None], "short": [], "no": {"0": 1}}
    found, faults = reader(data)
    assert found.faces("f", 1, 7) == (1, 1, 6, 1, 1, 1, 1)
    assert noted(faults) == [
        ("/f/1", "out_of_range"),
        ("/f/3", "out_of_range"),
        ("/f/4", "not_an_integer"),
        ("/f/5", "not_an_integer"),
        ("/f/6", "not_an_integer"),
    ]
    faults.clear()
    assert found.faces("short", 1, 6) == found.faces("no", 1, 6) == found.faces("none", 1, 6) == ()
    assert noted(faults) == [
        ("/short", "wrong_length"),
        ("/no", "not_a_list"),
        ("/none", "missing"),
    ]


def test_objects_in_lists_and_in_objects_have_pointers() -> None:
    found, faults = reader({"list": [{"n": 1}, None, {"n": 9}], "part": {"n": 9}, "null": None})
    numbers = [item.whole("n", 0, 5) for item in found.items("list", 1, 3)]
    assert numbers == [1, 0, 0]
    assert found.part("part").whole("n", 0, 5) == 0
    assert found.part("null").whole("n", 0, 5) == 0
    assert found.part("gone").only("n").whole("n", 0, 5) == 0
    assert noted(faults) == [
        ("/list/1", "not_an_object"),
        ("/list/2/n", "out_of_range"),
        ("/part/n", "out_of_range"),
        ("/null", "missing"),
        ("/gone", "missing"),
    ]


def test_unknown_fields_are_noted_at_their_object_and_not_repeated() -> None:
    found, faults = reader({"known": 1, "secret~1/x": 2, "": 3})
    found.only("known", "other")
    assert noted(faults) == [("", "unknown_field")]
    assert faults[0].detail == "Only these fields are known here: known, other."


def test_the_same_fault_is_noted_once() -> None:
    found, faults = reader({"n": "x"})
    found.whole("n", 0, 5)
    found.whole("n", 0, 5)
    assert len(faults) == 1
