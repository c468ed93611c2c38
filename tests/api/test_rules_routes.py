"""Rule sets over HTTP: shown, validated, and what rolls score by them."""

from __future__ import annotations

import copy
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter

from app.api.schemas.rules import PresetPage, PresetView, Score, ValidRules
from tests.api.table import Json, modelled, refused

PRESETS: TypeAdapter[Any] = TypeAdapter(PresetPage)
PRESET: TypeAdapter[Any] = TypeAdapter(PresetView)
VALID: TypeAdapter[Any] = TypeAdapter(ValidRules)
SCORE: TypeAdapter[Any] = TypeAdapter(Score)

FARKLE: Json = {"preset": "farkle"}
JESTER: Json = {"preset": "jester"}


async def score(client: httpx.AsyncClient, rules: Json, roll: list[Any], **more: Any) -> Json:
    answer = await client.post("/v1/rules/score", json={"rules": rules, "roll": roll, **more})
    return modelled(SCORE, answer)


async def test_the_presets(client: httpx.AsyncClient) -> None:
    page = modelled(PRESETS, await client.get("/v1/rules"))
    assert [preset["name"] for preset in page["items"]] == ["farkle", "house", "jester"]
    schema = page["rule_set_schema"]
    Draft202012Validator.check_schema(schema)
    for preset in page["items"]:
        assert modelled(PRESET, await client.get(f"/v1/rules/{preset['name']}")) == preset
        Draft202012Validator(schema).validate(preset["rules"])
    problem = refused(await client.get("/v1/rules/chess"), 404, "preset_not_found")
    assert problem["presets"] == ["farkle", "house", "jester"]


async def test_the_options_are_told(client: httpx.AsyncClient) -> None:
    page = (await client.get("/v1/rules")).json()
    options = {p["name"]: {o["name"] for o in p["options"]} for p in page["items"]}
    assert options == {
        "farkle": {
            *("target", "opening", "final_round", "spicy", "spicy_faces", "high_stakes"),
            "four_and_two_is_three_pairs",
        },
        "house": {"target", "opening", "exact", "bank_on_hot_dice", "values"},
        "jester": {"tier", "purse"},
    }


@pytest.mark.parametrize(
    ("preset", "options", "target"),
    [
        ("farkle", {}, 10000),
        ("farkle", {"spicy": True}, 25000),
        ("farkle", {"spicy": True, "target": 5000}, 5000),
        ("house", {"target": 5000}, 5000),
        ("jester", {"tier": "fortune"}, 15000),
    ],
)
async def test_options_lead_to_rules(
    client: httpx.AsyncClient, preset: str, options: Json, target: int
) -> None:
    rules = {"preset": preset, "options": options}
    answer = await client.post("/v1/rules/validate", json={"rules": rules})
    valid = modelled(VALID, answer)
    assert (valid["valid"], valid["rules"]["target"]) == (True, target)
    custom = {"rules": {"custom": valid["rules"]}}
    assert modelled(VALID, await client.post("/v1/rules/validate", json=custom)) == valid


async def test_every_fault_is_told_at_once(client: httpx.AsyncClient) -> None:
    rules = (await client.get("/v1/rules/jester")).json()["rules"]
    wrong = copy.deepcopy(rules)
    wrong["target"] = 5025
    wrong["opening"] = -1
    wrong["combinations"][0]["points"] = "many"
    wrong["combinations"][1]["tempo"] = 1
    wrong["unknown"] = None
    answer = await client.post("/v1/rules/validate", json={"rules": {"custom": wrong}})
    problem = refused(answer, 422, "malformed_rules")
    assert sorted(e["pointer"] for e in problem["errors"]) == [
        "/rules/custom",
        "/rules/custom/combinations/0/points",
        "/rules/custom/combinations/1",
        "/rules/custom/opening",
    ]
    assert "many" not in answer.text
    assert "tempo" not in answer.text


@pytest.mark.parametrize("rules", [None, 3, [], {}, {"custom": 3}, {"custom": []}, {"custom": {}}])
async def test_nonsense_is_no_rule_set(client: httpx.AsyncClient, rules: Any) -> None:
    answer = await client.post("/v1/rules/validate", json={"rules": rules})
    assert answer.status_code == 422
    assert answer.json()["errors"]


async def test_a_plain_roll(client: httpx.AsyncClient) -> None:
    one = {"kind": "single", "dice": [0], "points": 100}
    five = {"kind": "single", "dice": [1], "points": 50}
    assert await score(client, FARKLE, [1, 5, 2, 3, 4, 4]) == {
        "bust": False,
        "best": {"dice": [0, 1], "points": 150, "combinations": [one, five]},
        "selections": [
            {"dice": [0], "points": 100, "combinations": [one]},
            {"dice": [0, 1], "points": 150, "combinations": [one, five]},
            {"dice": [1], "points": 50, "combinations": [five]},
        ],
    }


@pytest.mark.parametrize(
    ("rules", "roll", "more", "dice", "points"),
    [
        (FARKLE, [1, 1, 1, 1, 5, 5], {}, [0, 1, 2, 3, 4, 5], 1100),
        (FARKLE, [5, 5, 5, 5, 1, 1], {}, [0, 1, 2, 3, 4, 5], 1200),
        (FARKLE, [4, 4, 4, 4, 4, 1], {}, [0, 1, 2, 3, 4, 5], 2100),
        (FARKLE, [1, 2, 3, 4, 5, 6], {}, [0, 1, 2, 3, 4, 5], 1500),
        (FARKLE, [2, 2, 3, 3, 5, 5], {}, [0, 1, 2, 3, 4, 5], 1500),
        (FARKLE, [2, 2, 2, 3, 3, 3], {}, [0, 1, 2, 3, 4, 5], 2500),
        (FARKLE, [2, 2, 2, 2, 4, 4], {}, [0, 1, 2, 3], 1000),
        (SPICY := {"preset": "farkle", "options": {"spicy": True}}, [4, 4, 4], {}, [0, 1, 2], 400),
        (SPICY, [4, 4, 4], {"positions": [0, 2, 3]}, [0, 2, 3], 800),
        (SPICY, [5], {"positions": [4]}, [4], 100),
        (SPICY, [1, 1, 1, 1], {}, [0, 1, 2, 3], 2000),
        (JESTER, [2, 2, 2, 2, 5], {}, [0, 1, 2, 3, 4], 1750),
        (JESTER, [1, 1, 1, 1, 1], {}, [0, 1, 2, 3, 4], 3500),
        (JESTER, [2, 2, 2, 3, 3], {}, [0, 1, 2, 3, 4], 700),
        (JESTER, [1, 1, 1, 5, 5], {}, [0, 1, 2, 3, 4], 1600),
        (JESTER, [1, 2, 3, 4, 5], {}, [0, 1, 2, 3, 4], 500),
        (JESTER, [2, 3], {"positions": [3, 4], "sets": {"2": 3}}, [3], 1000),
        (JESTER, [1], {"positions": [4], "sets": {"1": 4}}, [4], 1000),
    ],
)
async def test_the_best_selection(
    client: httpx.AsyncClient,
    rules: Json,
    roll: list[int],
    more: Json,
    dice: list[int],
    points: int,
) -> None:
    best = (await score(client, rules, roll, **more))["best"]
    assert (best["dice"], best["points"]) == (dice, points)
    assert sum(part["points"] for part in best["combinations"]) == points
    kinds = {part["kind"] for part in best["combinations"]}
    parts = [part["dice"] for part in best["combinations"] if part["kind"] != "all_dice_bonus"]
    assert sorted(die for part in parts for die in part) == dice
    assert ("set_upgrade" in kinds) == ("sets" in more)


async def test_a_bust(client: httpx.AsyncClient) -> None:
    bust: Json = {"bust": True, "best": None, "selections": []}
    assert await score(client, FARKLE, [2, 3, 4, 6, 6, 2]) == bust
    assert await score(client, FARKLE, [2]) == bust


async def test_the_jester_in_a_roll(client: httpx.AsyncClient) -> None:
    told = await score(client, JESTER, [1, 1, 2, 3, None], wild=4)
    best = told["best"]
    assert (best["dice"], best["points"], best["wild_face"]) == ([0, 1, 4], 1000, 1)
    assert {"dice": [0], "points": 100, "combinations": best_of([0])} in told["selections"]
    assert all(("wild_face" in s) == (4 in s["dice"]) for s in told["selections"])


def best_of(dice: list[int]) -> list[Json]:
    return [{"kind": "single", "dice": dice, "points": 100}]


async def test_exact_play_limits_a_selection(client: httpx.AsyncClient) -> None:
    rules = {"preset": "house", "options": {"exact": True}}
    told = await score(client, rules, [1, 1, 5, 2, 3], total=9000, turn_score=900)
    assert [s["points"] for s in told["selections"]] == [100, 100, 50]
    told = await score(client, rules, [1, 2, 3, 4, 6], total=9950)
    assert told == {"bust": True, "best": None, "selections": []}
    told = await score(client, {"preset": "house"}, [1, 2, 3, 4, 6], total=9950)
    assert told["best"]["points"] == 100


@pytest.mark.parametrize(
    ("rules", "body", "pointers"),
    [
        (FARKLE, {"roll": []}, ["/roll"]),
        (FARKLE, {"roll": [1, 7]}, ["/roll/1"]),
        (FARKLE, {"roll": [1, None]}, ["/roll/1"]),
        (FARKLE, {"roll": [1, 1.0]}, ["/roll/1"]),
        (JESTER, {"roll": [1] * 6}, ["/roll"]),
        (FARKLE, {"roll": [1, 5], "positions": [1]}, ["/positions"]),
        (FARKLE, {"roll": [1, 5], "positions": [1, 1]}, ["/positions"]),
        (JESTER, {"roll": [1, 5], "positions": [0, 5]}, ["/positions/1"]),
        (FARKLE, {"roll": [1, None], "wild": 1}, ["/wild"]),
        (JESTER, {"roll": [1, 1, 1, 1, None], "wild": 3}, ["/wild", "/roll/3", "/roll/4"]),
        (JESTER, {"roll": [1, 1, 1, 1, 1], "wild": 4}, ["/roll/4"]),
        (JESTER, {"roll": [1, None], "positions": [0, 4], "wild": 4}, ["/wild"]),
        (FARKLE, {"roll": [1], "sets": {"2": 3}}, ["/sets"]),
        (JESTER, {"roll": [1, 1, 1], "sets": {"2": 3}}, ["/sets"]),
        (JESTER, {"roll": [1], "sets": {"7": 3}}, ["/sets"]),
        (JESTER, {"roll": [1], "sets": {"2": 6}}, ["/sets/2", "/sets"]),
        (FARKLE, {"roll": [1], "total": -1}, ["/total"]),
        (FARKLE, {"roll": [1], "turn_score": 10**12}, ["/turn_score"]),
        (FARKLE, {"roll": [1], "luck": True}, [""]),
        ({"preset": "farkle", "options": {"luck": 1}}, {"roll": [1]}, ["/rules/options"]),
    ],
)
async def test_faults_are_told_by_pointer(
    client: httpx.AsyncClient, rules: Json, body: Json, pointers: list[str]
) -> None:
    answer = await client.post("/v1/rules/score", json={"rules": rules, **body})
    assert answer.status_code == 422, answer.text
    assert [e["pointer"] for e in answer.json()["errors"]] == pointers


async def test_positions_in_any_order(client: httpx.AsyncClient) -> None:
    told = await score(client, FARKLE, [5, 1], positions=[3, 0])
    assert told["best"]["dice"] == [0, 3]
