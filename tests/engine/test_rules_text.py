"""Rule sets as data: back and forth, and every fault named by its pointer."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import MalformedRules, Rules, rules_from_data, rules_to_data
from tests.engine.random_rules import random_rules
from tests.engine.spec import preset
from tests.referee.rulebook import RuleSet, farkle, house, jester

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


@pytest.mark.parametrize("seed", range(150))
def test_rules_survive_data_and_json(seed: int) -> None:
    rules = random_rules(seed)
    data = rules_to_data(rules)
    assert rules_from_data(data) == rules
    assert rules_from_data(json.loads(json.dumps(data))) == rules
    assert hash(rules_from_data(data)) == hash(rules)
    assert rules_to_data(rules_from_data(data)) == data


def test_equal_rule_sets_are_one_object_however_they_were_read() -> None:
    of_a_preset = preset("farkle").rules()
    in_other_order = dict(reversed(rules_to_data(of_a_preset).items()))
    assert rules_from_data(in_other_order) is of_a_preset
    assert copy.copy(of_a_preset) is of_a_preset  # as another process would get it
    other = rules_from_data({**in_other_order, "target": of_a_preset.target + 50})
    assert other is not of_a_preset
    assert other != of_a_preset


def test_every_field_is_written_out() -> None:
    data = rules_to_data(rules_from_data(jester()))
    assert set(data) == set(jester())
    assert data["wild_rolls"] == {
        "allotment": 3,
        "purse": True,
        "earn": True,
        "world": "pocket",
    }
    combinations = data["combinations"]
    assert isinstance(combinations, list)
    one = {"id": "single_1", "kind": "single", "points": 100, "face": 1}
    assert combinations[0] == {**one, "protected": False, "flat": False}
    full = {"id": "full_house", "kind": "full_house", "bonus": 500}
    full_pairs = {"pairs": {"1": 200, "5": 100}}
    assert combinations[-1] == {**full, **full_pairs, "protected": False, "flat": True}


def test_what_may_be_left_out_has_the_documented_default() -> None:
    data = with_one({"id": "pairs", "kind": "pairs", "count": 3, "points": 5})
    data.pop("spicy")
    data.pop("wild_rolls")
    rules = rules_from_data(data)
    assert rules.spicy is None
    assert rules.wild_rolls is None
    written = rules_to_data(rules)["combinations"]
    assert isinstance(written, list)
    assert written[2]["four_and_two"] is written[2]["protected"] is written[2]["flat"] is False


@pytest.mark.parametrize("field", sorted(set(BASE) - {"spicy", "wild_rolls"}))
def test_every_other_field_is_needed(field: str) -> None:
    without = {name: value for name, value in BASE.items() if name != field}
    found = faults(without)
    assert (f"/{field}", "missing") in found
    assert faults({**BASE, field: None}) == found


def test_an_exact_target_must_be_a_sum_the_scores_can_reach() -> None:
    assert faults({**jester(), "target": 5025}) == [("/target", "out_of_reach")]
    assert rules_from_data({**jester(), "target": 5050}).target == 5050
    assert rules_from_data({**jester(), "target": 5025, "exact": "off"}).target == 5025
    assert faults({**house(exact=True), "target": 10_005}) == [("/target", "out_of_reach")]
    pairs = {"id": "x", "kind": "full_house", "bonus": 500, "pairs": {"2": 5}}
    rules_from_data(with_one(pairs, exact="bust", target=10_005))


def test_no_combination_is_worth_more_than_a_refusing_target() -> None:
    found = faults({**house(exact=True), "target": 2000})
    assert found == [("/combinations/14", "above_target"), ("/combinations/19", "above_target")]
    house_of = {"id": "x", "kind": "full_house", "bonus": 500, "pairs": {"1": 100}}
    full = {"exact": "refuse", "opening": 0}
    assert faults(with_one(house_of, **full, target=1500)) == [("/combinations/2", "above_target")]
    rules_from_data(with_one(house_of, **full, target=1600))


def test_a_larger_set_is_never_worth_less_where_sets_are_upgraded() -> None:
    four = {"id": "four", "kind": "set", "face": 1, "count": 4, "points": 900}
    expected = [("/combinations/2", "below_smaller_set")]
    assert faults(with_one(four, set_upgrade=True)) == expected
    rules_from_data(with_one({**four, "points": 1000}, set_upgrade=True))
    rules_from_data(with_one(four))


def test_a_full_house_needs_a_set_of_three() -> None:
    alone = [TWO[0], {"id": "x", "kind": "full_house", "bonus": 500}]
    assert faults({**BASE, "combinations": alone}) == [("/combinations/1", "no_set_of_three")]


def test_several_contradictions_are_all_named() -> None:
    data = {**BASE, "opening": 20_000, "seats": {"min": 8, "max": 1}, "exact": "bust"}
    assert faults({**data, "target": 10_001}) == [
        ("/seats/min", "above_maximum"),
        ("/opening", "above_target"),
        ("/target", "out_of_reach"),
    ]


def test_a_rule_set_without_any_points_is_malformed() -> None:
    nothing = {"id": "x", "kind": "full_house", "bonus": 0}
    data = {**BASE, "exact": "bust", "combinations": [nothing]}
    assert ("/combinations/0", "no_set_of_three") in faults(data)


ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.sampled_from(["off", "bust", "single", "set", "full_house", "x", "\ud800", "\x00"])
    | st.text(max_size=5)
)
KEYS = st.sampled_from([*BASE, "min", "count", "faces", "kind", "id", "pairs", "1"]) | st.text(
    max_size=3
)
JSON = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)
)


def rules_or_malformed(data: object) -> MalformedRules | Rules:
    try:
        return rules_from_data(data)
    except MalformedRules as wrong:
        return wrong


@settings(max_examples=150, deadline=None, derandomize=True)
@given(JSON)
def test_nothing_json_can_hold_raises_anything_else(data: object) -> None:
    found = rules_or_malformed(data)
    assert isinstance(found, Rules) or found.faults


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.sampled_from([farkle(), house(), jester()]), st.data())
def test_a_rule_set_damaged_anywhere_is_read_or_malformed(base: RuleSet, draw: Any) -> None:
    damaged: Any = copy.deepcopy(base)
    holder, key = damaged, draw.draw(st.sampled_from(sorted(base)))
    while isinstance(holder[key], list | dict) and holder[key] and draw.draw(st.booleans()):
        holder = holder[key]
        keys = range(len(holder)) if isinstance(holder, list) else sorted(holder)
        key = draw.draw(st.sampled_from(keys))
    holder[key] = draw.draw(JSON)
    found = rules_or_malformed(damaged)
    assert isinstance(found, Rules) or found.faults


MARK = "zq7"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.sampled_from(sorted(BASE)), st.text(max_size=4), st.booleans())
def test_no_fault_repeats_what_was_sent(field: str, rest: str, as_key: bool) -> None:
    sent = MARK + rest + MARK
    value: object = {sent: sent} if as_key else [sent, {"id": sent, "kind": sent}]
    for data in ({**BASE, field: value}, {**BASE, field: sent}, {**BASE, sent: value}, sent):
        found = rules_or_malformed(data)
        if isinstance(found, MalformedRules):
            assert MARK not in str(found)
            assert all(MARK not in part for fault in found.faults for part in fault)


def test_numbers_that_are_no_numbers_are_malformed() -> None:
    for number in (math.nan, math.inf, -math.inf):
        assert faults({**BASE, "target": number}) == [("/target", "not_an_integer")]
