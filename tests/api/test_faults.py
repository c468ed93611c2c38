"""What a fault of a body says: where, which kind, and what would be right; never what was sent."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from app.api.faults import body_parts
from app.api.known import known_fields
from app.api.schemas.commands import READER, AnyCommand
from app.api.schemas.entropy import Contribute
from app.api.schemas.requests import ChangeSeat, CreateGame, MaySelect
from app.api.schemas.series import CreateSeries
from app.api.strict import NoFields
from tests.api.live import Guest
from tests.api.table import refused

PRESET = {"rules": {"preset": "farkle"}}
COMMANDS = (
    "Must be 'roll', 'select', 'bank', 'take-over', 'wild-roll', 'resign', 'end', 'skip-next' "
    "or 'start'."
)
OPEN = "rules, seats, visibility, dice, clocks, pass_and_play, bots, advice, cheats"


def told(model: Any, sent: object) -> list[tuple[str | None, str, str]]:
    """Pointer, code and sentence of each fault."""
    read = READER.validate_python if model is AnyCommand else model.model_validate
    with pytest.raises(ValidationError) as wrong:
        read(sent)
    faults = wrong.value.errors(include_url=False, include_input=False)
    return [(part.pointer, part.code, part.detail) for part in body_parts(faults, sent, model)]


@pytest.mark.parametrize(
    ("model", "sent", "pointer", "known"),
    [
        (CreateGame, {**PRESET, "canary": 1}, "", OPEN),
        (CreateGame, {"rules": {"preset": "farkle", "canary": 1}}, "/rules", "preset, options"),
        (CreateGame, {"rules": {"custom": {}, "canary": 1}}, "/rules", "custom"),
        (CreateGame, {**PRESET, "seats": [{"kind": "human", "canary": 1}]}, "/seats/0", "kind"),
        (
            CreateGame,
            {**PRESET, "seats": [{"kind": "human"}, {"kind": "bot", "canary": 1}]},
            "/seats/1",
            "kind, character",
        ),
        (
            CreateGame,
            {**PRESET, "dice": {"kind": "seeded", "seed": "x", "canary": 1}},
            "/dice",
            "kind, seed",
        ),
        (CreateGame, {**PRESET, "clocks": {"canary": 1}}, "/clocks", "turn_s, game_s"),
        (ChangeSeat, {"kind": "bot", "canary": 1}, "", "kind, character"),
        (MaySelect, {"select": {"dice": [0], "canary": 1}}, "/select", "dice, wild_face"),
        (NoFields, {"canary": 1}, "", "none"),
        (Contribute, {"commit": "0" * 64, "canary": 1}, "", "commit"),
        (
            CreateSeries,
            {**PRESET, "games": 1, "participants": [{"kind": "me"}, {"kind": "bot", "canary": 1}]},
            "/participants/1",
            "kind, character",
        ),
        (
            AnyCommand,
            {"id": 1, "command": "select", "dice": [0], "canary": 1},
            "",
            "id, idempotency_key, if_match, answer, dice, wild_face, command",
        ),
        (
            AnyCommand,
            {"id": 1, "command": "roll", "select": {"dice": [0], "canary": 1}},
            "/select",
            "dice, wild_face",
        ),
    ],
)
def test_an_unknown_field_comes_with_those_that_are_known(
    model: Any, sent: object, pointer: str, known: str
) -> None:
    detail = f"Only these fields are known here: {known}."
    assert told(model, sent) == [(pointer, "unknown_field", detail)]


@pytest.mark.parametrize(
    ("model", "sent", "pointer", "code", "detail"),
    [
        (
            *(CreateGame, {**PRESET, "seats": [{"kind": "canary"}]}, "/seats/0/kind"),
            *("not_allowed", "Must be 'human', 'bot' or 'closed'."),
        ),
        (
            *(CreateGame, {**PRESET, "dice": {}}, "/dice/kind"),
            *("missing", "This is required: it says which kind this is."),
        ),
        (
            *(AnyCommand, {"id": 1, "command": "canary"}, "/command", "not_allowed"),
            COMMANDS,
        ),
        (
            *(CreateGame, {**PRESET, "visibility": "canary"}, "/visibility"),
            *("not_allowed", "Must be 'public', 'unlisted' or 'private'."),
        ),
        (CreateGame, {**PRESET, "seats": {}}, "/seats", "wrong_type", "Must be a list."),
        (CreateGame, {**PRESET, "seats": ["x"]}, "/seats/0", "wrong_type", "Must be an object."),
        (CreateGame, {**PRESET, "clocks": []}, "/clocks", "wrong_type", "Must be an object."),
        (
            *(CreateGame, {**PRESET, "pass_and_play": 1}, "/pass_and_play"),
            *("wrong_type", "Must be true or false."),
        ),
        (
            *(MaySelect, {"select": {"dice": ["0"]}}, "/select/dice/0"),
            *("wrong_type", "Must be a whole number."),
        ),
    ],
)
def test_a_fault_says_what_would_be_right(
    model: Any, sent: object, pointer: str, code: str, detail: str
) -> None:
    assert told(model, sent) == [(pointer, code, detail)]


def test_where_no_object_of_ours_stands_no_field_is_known() -> None:
    assert known_fields(CreateGame, ("rules", "by_nobody")) == ()
    assert known_fields(CreateGame, ("visibility",)) == ()
    assert known_fields(CreateGame, ("nowhere", 0)) == ()


async def test_rule_sets_say_it_in_the_same_words(ana: Guest) -> None:
    asked = {"rules": {"preset": "jester", "options": {"canary": 1}}}
    [fault] = (await ana.post("/v1/games", asked)).json()["errors"]
    assert fault == {
        "pointer": "/rules/options",
        "code": "unknown_field",
        "detail": "Only these fields are known here: purse, tier.",
    }


@pytest.mark.parametrize("name", ["zz", "Zz!", "x" * 40])
async def test_an_unknown_preset_is_one_wherever_it_stands(
    client: httpx.AsyncClient, name: str
) -> None:
    shown = await client.get(f"/v1/rules/{name}")
    assert (shown.status_code, shown.json()["code"]) == (404, "preset_not_found")
    assert shown.json()["presets"] == ["farkle", "house", "jester"]
    for path in ("/v1/games", "/v1/leaderboard"):
        listed = await client.get(path, params={"preset": name})
        assert listed.status_code == 422
        assert [fault["parameter"] for fault in listed.json()["errors"]] == ["preset"]


async def test_a_parameter_of_an_address_is_given_once(client: httpx.AsyncClient) -> None:
    """Of every operation that has any, whoever asks: others in between might read another one."""
    tried = 0
    for path, operations in (await client.get("/openapi.json")).json()["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                if parameter.get("in") != "query":
                    continue
                name = parameter["name"]
                address = re.sub(r"\{[a-z_]+\}", "019a0000-0000-7000-8000-000000000000", path)
                answer = await client.request(method, f"{address}?{name}=1&x=2&{name}=1")
                problem = refused(answer, 422, "invalid_request")
                assert problem["errors"] == [
                    {
                        "parameter": name,
                        "code": "repeated",
                        "detail": "Is given more than once.",
                    }
                ]
                tried += 1
    assert tried > 20
