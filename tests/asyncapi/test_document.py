"""The committed document: the one that is served, true to the code, and one with the calls'."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from app.api.asyncapi import document as made_of
from app.live.endings import CLOSES, WORDS_OF
from tests.api.live import running
from tests.asyncapi.checked import Frames, Json, Undocumented, committed
from tests.live_streams.corpus import commands, messages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def document() -> Json:
    return committed()


def accepts(document: Json, channel: str, said: Any) -> bool:
    """Whether a client may say that over this stream."""
    found = document["components"]
    taken = [
        message
        for operation in document["operations"].values()
        if operation["action"] == "receive" and operation["channel"]["$ref"].endswith(channel)
        for message in operation["messages"]
    ]
    refs = [found["messages"][m["$ref"].rpartition("/")[2]]["payload"]["$ref"] for m in taken]
    schema = {"oneOf": [{"$ref": ref} for ref in refs], "components": found}
    return jsonschema_rs.Draft202012Validator(schema).is_valid(said)


async def test_the_committed_document_is_the_served_one(tmp_path: Path) -> None:
    async with (
        running(f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}") as live,
        live.client() as client,
    ):
        answer = await client.get("/asyncapi.yaml", headers={"Host": "[::1]:8000"})
        assert answer.headers["content-type"] == "application/yaml"
        text = (ROOT / "openapi/asyncapi.yaml").read_text("utf-8")  # make spec
        assert answer.text.partition("\nchannels:")[2] == text.partition("\nchannels:")[2]
        assert 'host: "[::1]:8000"\n    protocol: ws\n' in answer.text
        served = (await client.get("/asyncapi.json", headers={"Host": "d.example:81"})).json()
        assert served["servers"] == {  # the one that it was asked under
            "websocket": {"host": "d.example:81", "protocol": "ws"},
            "http": {"host": "d.example:81", "protocol": "http"},
        }
        assert served | {"servers": None} == committed() | {"servers": None}


def test_the_document_names_the_server_it_is_of() -> None:
    """By a setting; the committed one has a variable."""
    calls = json.loads((ROOT / "openapi/openapi.json").read_text("utf-8"))
    assert made_of(calls, "https://d.example/dice")["servers"] == {
        "websocket": {"host": "d.example", "protocol": "wss", "pathname": "/dice"},
        "http": {"host": "d.example", "protocol": "https", "pathname": "/dice"},
    }
    for server in committed()["servers"].values():
        assert server["host"] == "{host}"
        assert server["variables"]["host"]["default"] == "127.0.0.1:8000"


def plain(schema: Any) -> Any:
    """Without what AsyncAPI has no word for, and OpenAPI does: how unions are told apart."""
    if isinstance(schema, list):
        return [plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {k: plain(v) for k, v in schema.items() if k != "discriminator" or isinstance(v, str)}
    match made:
        case {"allOf": [{"$ref": str()} as only], **rest}:
            return {**only, **rest}
    return made


def test_what_calls_and_streams_share_is_one_schema(document: Json) -> None:
    calls = json.loads((ROOT / "openapi/openapi.json").read_text("utf-8"))["components"]["schemas"]
    streams = document["components"]["schemas"]
    shared = calls.keys() & streams.keys()
    assert {"GameView", "SummaryView", "Played", "NotYourTurnProblem"} <= shared
    for name in shared:
        assert plain(streams[name]) == plain(calls[name]), name


def test_examples_are_what_they_show(document: Json) -> None:
    found = document["components"]
    shown = 0
    for message in found["messages"].values():
        schema = {**message["payload"], "components": found}
        for example in message.get("examples", ()):
            jsonschema_rs.Draft202012Validator(schema).validate(example["payload"])
            shown += 1
    assert shown >= 25


def test_close_codes_are_those_of_the_code_and_of_the_docs(document: Json) -> None:
    told = {close["code"]: tuple(close.get("words", ())) for close in document["x-close-codes"]}
    assert told == {code: WORDS_OF.get(code, ()) for code in CLOSES}
    page = (ROOT / "docs/streams.md").read_text("utf-8").partition("### Close codes")[2]
    rows = re.findall(r"^\| (\d{4}) \| (.+?) \|", page, re.MULTILINE)
    written = {int(code): set(re.findall(r"`(\w+)`", words)) for code, words in rows}
    assert written == {code: set(words) for code, words in told.items()}
    words = document["components"]["schemas"]["StreamWord"]["enum"]
    assert set(words) == {word for said in told.values() for word in said}


def test_every_stream_of_the_server_is_there(document: Json) -> None:
    access = (ROOT / "docs/access.md").read_text("utf-8").partition("## Streams")[2]
    streams = set(re.findall(r"^\| `(/v1/\S+/stream)` \|", access, re.MULTILINE))
    events = {"/v1/games/{game_id}/events"}
    assert {c["address"] for c in document["channels"].values()} == streams | events


@pytest.mark.parametrize("channel", ["game", "player", "lobby"])
def test_a_client_may_say_what_the_server_takes(document: Json, channel: str) -> None:
    def said(case: Any) -> Any:
        size = case.sent[1] & 127
        start = {126: 8, 127: 14}.get(size, 6)
        key = case.sent[start - 4 : start]
        raw = bytes(byte ^ key[at % 4] for at, byte in enumerate(case.sent[start:]))
        return json.loads(raw)

    assert all(accepts(document, channel, said(case)) for case in messages.PINGS)
    assert all(accepts(document, channel, said(case)) for case in messages.TOKENS)
    for case in messages.UNKNOWN:
        if not case.name.endswith(("4 000 digits", "whole half an id")):  # no JSON Schema sees that
            assert not accepts(document, channel, said(case)), case.name


def test_a_client_may_command_what_the_server_takes(document: Json) -> None:
    for case in commands.WRONG:
        if "die twice" not in case.name:  # no JSON Schema says that of this list
            assert not accepts(document, "game", json.loads(case.text)), case.name
    for number in commands.IDS:
        said = f'{{"id": {number}, "command": "select", "dice": [0], "if_match": 3}}'
        assert accepts(document, "game", json.loads(said))
        assert not accepts(document, "player", json.loads(said))


PRESENCE: Json = {"type": "presence", "seats": [0, 1], "now": "2026-11-30T12:00:00.000Z"}
GAME = "/v1/games/0197b1de-0000-7000-8000-00000000000a/stream"


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "present"},
        {"seats": [8]},
        {"seats": ["0"]},
        {"seats": None},
        {"now": 1},
        {"more": 1},
        {"type": None},
    ],
)
def test_a_wrong_frame_is_caught(document: Json, wrong: Json) -> None:
    frames = Frames(document)
    frames.check(PRESENCE, GAME + "?after=1")
    with pytest.raises(Undocumented):
        frames.check(PRESENCE | wrong, GAME)
    with pytest.raises(Undocumented):
        frames.check({k: v for k, v in PRESENCE.items() if k != "seats"}, GAME)
    with pytest.raises(Undocumented):
        frames.check(PRESENCE, "/v1/lobby/stream")
    assert frames.seen == {("game", "presence"): 1}


def test_a_wrong_game_in_a_frame_is_caught(document: Json) -> None:
    """Deep inside of what calls and streams share, too."""
    sitting = {"game_id": "x", "version": 1, "status": "playing", "to_move": 1, "seats": [1]}
    told = {"type": "games", "games": [sitting], "now": "2026-11-30T12:00:00.000Z"}
    frames = Frames(document)
    frames.check(told, "/v1/players/me/stream")
    for wrong in ({"status": "over"}, {"more": 1}, {"version": 0}, {"seats": [9]}):
        with pytest.raises(Undocumented):
            frames.check({**told, "games": [sitting | wrong]}, "/v1/players/me/stream")


def test_the_document_is_text_for_people() -> None:
    text = (ROOT / "openapi/asyncapi.yaml").read_text("utf-8")
    assert not re.search(r"[&*]id\d", text), "no aliases"
    assert "description: |-\n" in text, "paragraphs stay paragraphs"
