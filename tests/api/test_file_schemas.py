"""The JSON Schemas of rule sets and exports take what there is, and refuse what there is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from app.api.file_schemas import NAMES, file_schema
from engine.events import EVENT_NAMES
from engine.presets import preset_from_text
from engine.rules_text import rules_to_data
from tests.engine.random_rules import random_rules
from tests.releases.logs import old_logs

COMMITTED = Path(__file__).parents[2] / "openapi" / "schemas"
RULES = Draft202012Validator(file_schema("rule-set"), validate_formats=True)
EXPORT = file_schema("export")
LINES = Draft202012Validator(EXPORT, validate_formats=True)
EVENTS = Draft202012Validator(
    {"$ref": "#/$defs/EventView", "$defs": EXPORT["$defs"]}, validate_formats=True
)


def presets() -> Iterator[dict[str, Any]]:
    for file in files("engine").joinpath("presets").iterdir():
        yield dict(rules_to_data(preset_from_text(file.read_text("utf-8")).rules({})))


@pytest.mark.parametrize("name", NAMES)
async def test_a_schema_is_committed_served_and_named(name: str, client: AsyncClient) -> None:
    answer = await client.get(f"/schemas/{name}.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/schema+json"
    schema = answer.json()
    assert schema == json.loads((COMMITTED / f"{name}.json").read_text("utf-8"))
    assert schema["$id"] == f"urn:hotdice:{name}:1"
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert Draft202012Validator({"$ref": schema["$schema"]}).is_valid(schema)


async def test_a_list_says_where_the_schemas_are(client: AsyncClient) -> None:
    listed = (await client.get("/schemas")).json()
    assert set(listed) == set(NAMES)
    for name, where in listed.items():
        assert (await client.get(where)).json()["$id"] == f"urn:hotdice:{name}:1"


async def test_there_is_no_other_schema(client: AsyncClient) -> None:
    for file in ("game.json", "export", "rule-set.yaml"):
        assert (await client.get(f"/schemas/{file}")).status_code == 404


async def test_the_list_of_presets_brings_the_same_schema(client: AsyncClient) -> None:
    page = (await client.get("/v1/rules")).json()
    assert page["rule_set_schema"] == file_schema("rule-set")


def test_every_preset_is_a_rule_set() -> None:
    found = list(presets())
    assert len(found) == 3
    for rules in found:
        assert RULES.is_valid(rules)


@given(st.integers(0, 100_000))
def test_every_sound_rule_set_is_one(seed: int) -> None:
    assert RULES.is_valid(rules_to_data(random_rules(seed)))


def without(name: str) -> Callable[[Any], Any]:
    return lambda data: {key: value for key, value in data.items() if key != name}


def having(**members: Any) -> Callable[[Any], Any]:
    return lambda data: {**data, **members}


@pytest.mark.parametrize(
    "change",
    [
        *map(without, ("format", "name", "target", "combinations", "final_round")),
        *(having(target=value) for value in (0, -1, "4000", 4000.5, None, 10_000_001)),
        having(more=1),
        having(format=2),
        having(name="Farkle!"),
        having(final_round="two_turns"),
        having(combinations=[]),
        having(combinations=[{"id": "a", "kind": "quintet", "points": 1}]),
        having(combinations=[{"id": "a", "kind": "single", "face": 7, "points": 1}]),
        having(dice={"count": 7}),
        having(dice={"count": 6, "sides": 8}),
    ],
)
def test_a_spoilt_rule_set_is_none(change: Callable[[Any], Any]) -> None:
    for rules in presets():
        assert not RULES.is_valid(change(rules))


def test_every_line_of_every_old_export_is_valid() -> None:
    seen = set()
    for log in old_logs():
        for number, text in enumerate(log.path.read_text("utf-8").splitlines()):
            line = json.loads(text)
            assert LINES.is_valid(line), (log, line)
            assert ("bytes" in line) == (number > 0)
            if "bytes" in line:
                event = json.loads(line["bytes"])
                assert EVENTS.is_valid(event), (log, event)
                seen.add(event["type"])
    assert seen == set(EVENT_NAMES.values())


HEADER = {"protocol": "pf1", "game_id": "019b76da-a800-7000-8000-000000000001", "format": 1}
SERIES = {"series_id": HEADER["game_id"], "format": 1}
LINE = {"version": 1, "bytes": "{}", "hash": "ab" * 32}


@pytest.mark.parametrize(
    ("line", "change"),
    [
        *((HEADER, without(name)) for name in HEADER),
        *((SERIES, without(name)) for name in SERIES),
        *((LINE, without(name)) for name in LINE),
        (HEADER, having(protocol="pf2")),
        (HEADER, having(format=2)),
        (HEADER, having(format=True)),
        (HEADER, having(more=1)),
        (HEADER, having(**SERIES)),
        (SERIES, having(format=2)),
        (SERIES, having(series_id="x")),
        (LINE, having(version=0)),
        (LINE, having(version="1")),
        (LINE, having(bytes={})),
        (LINE, having(hash="AB" * 32)),
        (LINE, having(hash="ab" * 31)),
        (LINE, having(more=1)),
    ],
)
def test_a_spoilt_line_is_none(line: Any, change: Callable[[Any], Any]) -> None:
    assert LINES.is_valid(line)
    assert not LINES.is_valid(change(line))


ROLLED = {
    "at": 1767225600000,
    "dice": [1, 5],
    "epoch": 0,
    "fair": None,
    "positions": [0, 1],
    "roll": 0,
    "scripted": False,
    "seat": 0,
    "sides": 6,
    "type": "dice_rolled",
    "wild": False,
}


@pytest.mark.parametrize(
    "change",
    [
        *(without(name) for name in ROLLED),
        having(type="dice_thrown"),
        having(dice=[0]),
        having(dice=[7]),
        having(dice=["1"]),
        having(dice=[1] * 7),
        having(seat=8),
        having(seat=None),
        having(roll=-1),
        having(scripted=0),
        having(fair=[1] * 13),
        having(at="2026-01-01T00:00:00Z"),
    ],
)
def test_a_spoilt_event_is_none(change: Callable[[Any], Any]) -> None:
    assert EVENTS.is_valid(ROLLED)
    assert not EVENTS.is_valid(change(ROLLED))


def test_an_event_may_have_gained_a_member() -> None:
    assert EVENTS.is_valid({**ROLLED, "mood": "lucky"})
