"""The shipped presets are the games as written, whatever their options say."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

from engine import MalformedRules, Rules, rules_from_data, rules_to_data
from engine.state import Place
from tests.engine.spec import PRESETS, preset, rules
from tests.referee.rulebook import RuleSet, farkle, house, jester

NAMES = sorted(path.stem for path in PRESETS.glob("*.toml"))


def same(found: Rules, expected: RuleSet) -> None:
    """Equal once the defaults of a combination are filled in."""
    assert found == rules_from_data(expected)


def faults(name: str, **options: object) -> list[tuple[str, str]]:
    with pytest.raises(MalformedRules) as wrong:
        rules(name, **options)
    return [(fault.pointer, fault.code) for fault in wrong.value.faults]


def test_these_presets_are_shipped() -> None:
    assert NAMES == ["farkle", "house", "jester"]
    assert [preset(name).name for name in NAMES] == NAMES


@pytest.mark.parametrize("on", list(itertools.product([False, True], repeat=4)))
def test_farkle_with_every_combination_of_its_switches(on: tuple[bool, ...]) -> None:
    names = ("spicy", "high_stakes", "final_round", "four_and_two_is_three_pairs")
    options: dict[str, Any] = dict(zip(names, on, strict=True))
    same(rules("farkle", **options), farkle(**options))
    same(rules("farkle", **options, target=7000), farkle(**options, target=7000))


def test_farkle_with_its_numbers() -> None:
    same(rules("farkle"), farkle())
    same(rules("farkle", target=1, opening=0), farkle(target=1, opening=0))
    faces = [6, 6, 6, 1, 2, 3]
    same(rules("farkle", spicy=True, spicy_faces=faces), farkle(spicy=True, spicy_faces=faces))


def test_spicy_raises_the_target_unless_one_is_given() -> None:
    assert rules("farkle").target == 10_000
    assert rules("farkle", spicy=True).target == 25_000
    assert rules("farkle", target=3000, spicy=True).target == 3000


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"exact": True},
        {"bank_on_hot_dice": False},
        {"target": 2000, "opening": 5},
        {"target": 4000, "exact": True, "bank_on_hot_dice": False, "opening": 0},
    ],
)
def test_house_with_its_switches_and_numbers(options: dict[str, Any]) -> None:
    same(rules("house", **options), house(**options))


def test_house_with_all_22_values_the_host_s() -> None:
    own = itertools.count(5, 5)
    values: dict[str, Any] = {"single_1": next(own), "single_5": next(own)}
    for name in ("three", "four", "five"):
        values[name] = {str(face): next(own) for face in range(1, 7)}
    values |= {"low_straight": next(own), "high_straight": next(own)}
    assert values["high_straight"] == 110
    same(rules("house", values=values), house(values=values))


def test_a_house_value_alone_leaves_the_others_as_they_are() -> None:
    some: list[dict[str, Any]] = [
        {"three": {"1": 1005}},
        {"five": {"6": 5}, "single_5": 55},
        {"low_straight": 2000},
    ]
    for values in some:
        same(rules("house", values=values), house(values=values))


@pytest.mark.parametrize("tier", ["pocket", "jackpot", "fortune", "tycoon"])
@pytest.mark.parametrize("purse", [True, False])
def test_jester_in_every_tier(tier: str, purse: bool) -> None:
    same(rules("jester", tier=tier, purse=purse), jester(tier=tier, purse=purse))


def test_jester_defaults_to_pocket_with_a_purse() -> None:
    same(rules("jester"), jester())
    same(rules("jester", tier=None, purse=None), jester())


@pytest.mark.parametrize(
    "options",
    [{"target": None}, {"values": None}, {"values": {"single_1": None, "three": {"1": None}}}],
)
def test_an_option_that_is_null_is_left_out_at_any_depth(options: dict[str, Any]) -> None:
    same(rules("house", **options), house())


def test_tables_are_laid_as_the_games_say() -> None:
    human, bot = Place("human"), Place("bot", "cautious")
    assert preset("farkle").default_places == (human, human)
    assert preset("house").default_places == (human, bot)
    assert preset("jester").default_places == (human, human)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("house", {"values": {"three": {"1": 7}}}, [("/values/three/1", "not_a_multiple")]),
        ("house", {"values": {"single_5": 0}}, [("/values/single_5", "out_of_range")]),
        ("house", {"values": {"four": {"7": 5}}}, [("/values/four", "unknown_field")]),
        ("house", {"values": {"six": {}}}, [("/values", "unknown_field")]),
        ("house", {"values": {"three": 5}}, [("/values/three", "not_an_object")]),
        ("house", {"values": {"five": {"2": True}}}, [("/values/five/2", "not_an_integer")]),
        ("house", {"values": []}, [("/values", "not_an_object")]),
        ("house", {"target": 1001}, [("/target", "not_a_multiple")]),
        ("house", {"opening": 7}, [("/opening", "not_a_multiple")]),
        ("house", {"opening": 20_000}, [("/opening", "above_target")]),
        ("house", {"target": 400}, [("/opening", "above_target")]),
        ("house", {"exact": "refuse"}, [("/exact", "not_a_boolean")]),
        (
            "house",
            {"exact": True, "target": 2000},
            [("/values/five/1", "above_target"), ("/values/five/6", "above_target")],
        ),
        ("house", {"exact": True, "target": 10_005}, [("/target", "out_of_reach")]),
        ("farkle", {"target": 0}, [("/target", "out_of_range")]),
        ("farkle", {"target": "10000"}, [("/target", "not_an_integer")]),
        ("farkle", {"spicy": 1}, [("/spicy", "not_a_boolean")]),
        ("farkle", {"spicy_faces": [1, 2, 3, 4, 5, 6]}, [("/spicy_faces", "not_applicable")]),
        (
            "farkle",
            {"spicy": False, "spicy_faces": [1, 1, 1, 1, 1, 1]},
            [("/spicy_faces", "not_applicable")],
        ),
        ("farkle", {"spicy": True, "spicy_faces": [1]}, [("/spicy_faces", "wrong_length")]),
        (
            "farkle",
            {"spicy": True, "spicy_faces": [1, 2, 3, 7, 5, 0]},
            [("/spicy_faces/3", "out_of_range"), ("/spicy_faces/5", "out_of_range")],
        ),
        ("farkle", {"tier": "pocket"}, [("", "unknown_field")]),
        ("jester", {"target": 5000}, [("", "unknown_field")]),
        ("jester", {"tier": "royal"}, [("/tier", "unknown_value")]),
        ("jester", {"tier": ["pocket"]}, [("/tier", "unknown_value")]),
    ],
)
def test_a_faulty_option_is_named(
    name: str, options: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert faults(name, **options) == expected


def test_all_faulty_options_are_named_at_once() -> None:
    values = {"three": {"1": 7, "2": -5}, "single_1": "x"}
    found = faults("house", target=3, colour=1, exact=2, values=values)
    assert set(found) == {
        ("", "unknown_field"),
        ("/exact", "not_a_boolean"),
        ("/target", "out_of_range"),
        ("/values/single_1", "not_an_integer"),
        ("/values/three/1", "not_a_multiple"),
        ("/values/three/2", "out_of_range"),
    }


def test_no_option_leaks_from_one_table_into_the_next() -> None:
    faces = [6, 6, 6, 6, 6, 6]
    rules("farkle", spicy=True, spicy_faces=faces, target=1000, four_and_two_is_three_pairs=True)
    faces[0] = 1
    same(rules("farkle", spicy=True), farkle(spicy=True))
    same(rules("farkle"), farkle())
    values = {"three": {"1": 5}}
    mine = rules("house", values=values)
    values["three"]["1"] = 10
    same(mine, house(values={"three": {"1": 5}}))
    same(rules("house"), house())
    options = preset("house").options
    told = next(option.default for option in options if option.name == "values")
    assert isinstance(told, dict)
    assert told["three"]["1"] == 1000


@pytest.mark.parametrize("name", NAMES)
def test_an_option_given_as_its_default_changes_nothing(name: str) -> None:
    for option in preset(name).options:
        if option.needs is None:
            assert rules(name, **{option.name: option.default}) == rules(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_reads_back_as_itself(name: str) -> None:
    assert rules_from_data(rules_to_data(rules(name))) == rules(name)


NUMBER: Callable[[str], re.Match[str] | None] = re.compile(r"[=\[,{ ][1-9]\d*").search


def numbers_without_source(name: str) -> list[str]:
    """Lines of the rule set with a number and no comment, on the line or above in its list."""
    text = (PRESETS / f"{name}.toml").read_text("utf-8")
    commented, bare = False, []
    for line in text.split("\n[rules]\n")[1].splitlines():
        code, _, comment = line.strip().partition("#")
        if not code:
            commented = bool(comment)
        elif not code.startswith("{"):
            commented = False
        if code and NUMBER(code) and not comment and not commented and "format" not in code:
            bare.append(line)
    return bare


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_says_first_where_its_numbers_come_from(name: str) -> None:
    head = (PRESETS / f"{name}.toml").read_text("utf-8").split("\n\n")[0]
    assert all(line.startswith("#") for line in head.splitlines())
    assert "numbers" in head


@pytest.mark.parametrize(
    "name",
    [
        "farkle",
        "house",
        "jester",
    ],
)
def test_beside_every_number_of_a_preset_stands_where_it_comes_from(name: str) -> None:
    assert numbers_without_source(name) == []
