"""Tables opened: what they are at first, and what is refused."""

from __future__ import annotations

import pytest

from app.service.codes import SYMBOLS
from tests.api.live import Guest
from tests.api.table import GAME, Json, create, modelled, types


async def test_a_new_table(ana: Guest) -> None:
    table = await create(ana)
    game = table.game
    assert (game["status"], game["preset"], game["host"]) == ("lobby", "farkle", ana.id)
    assert game["visibility"] == "unlisted"
    assert len(game["join_code"]) == 8
    assert set(game["join_code"]) <= set(SYMBOLS)
    assert len(SYMBOLS) == len(set(SYMBOLS) - set("ILOU")) == 32
    assert game["seats"][0] == {
        "seat": 0,
        "kind": "human",
        "name": "Ana",
        "player_id": ana.id,
        "bot": False,
        "character": None,
        "score": 0,
        "on_board": False,
        "wild_rolls": None,
        "purse": None,
        "active": True,
        "stand_in": None,
    }
    assert game["seats"][1]["player_id"] is game["seats"][1]["name"] is None
    assert game["turn"] is game["legal"] is game["result"] is game["game_deadline"] is None
    assert types(await table.log()) == ["game_created", "player_joined"]


async def test_the_creator_takes_the_first_human_seat(ana: Guest) -> None:
    seats = [{"kind": "closed"}, {"kind": "human"}, {"kind": "human"}]
    table = await create(ana, seats=seats)
    assert [s["player_id"] for s in table.game["seats"]] == [None, ana.id, None]
    assert [s["active"] for s in table.game["seats"]] == [False, True, True]


async def test_advice_is_on_where_nothing_else_is_said(ana: Guest) -> None:
    assert (await create(ana)).game["settings"]["advice"] is True
    table = await create(ana, advice=False)
    assert table.game["settings"]["advice"] is False
    changed = await ana.request("PATCH", table.path, json={"advice": True})
    assert modelled(GAME, changed)["settings"]["advice"] is True


@pytest.mark.parametrize("character", ["cautious", "gambler", "strategist"])
async def test_every_character_may_sit_in_a_lobby(ana: Guest, character: str) -> None:
    asked = {"kind": "bot", "character": character}
    table = await create(ana, seats=[{"kind": "human"}, asked])
    assert table.game["seats"][1]["character"] == character
    other = await create(ana)
    seat = await ana.request("PATCH", f"{other.path}/seats/1", json=asked)
    assert modelled(GAME, seat)["seats"][1]["character"] == character


async def test_what_is_off_may_be_left_off(ana: Guest) -> None:
    body: Json = {"bots": {}, "clocks": None, "advice": False, "cheats": None}
    table = await create(ana, **body)
    assert table.game["settings"]["advice"] is False


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"rules": {"preset": "chess"}}, ["/rules/preset"]),
        ({"rules": {"preset": "farkle", "tempo": 1}}, ["/rules"]),
        ({"rules": {"preset": "farkle", "options": 3}}, ["/rules/options"]),
        ({"rules": {}}, ["/rules/preset"]),
        (
            {"rules": {"preset": "farkle", "options": {"target": 0, "opening": "x"}}},
            ["/rules/options/target", "/rules/options/opening"],
        ),
        (
            {"rules": {"preset": "house", "options": {"values": {"three": {"1": 7}}}}},
            ["/rules/options/values/three/1"],
        ),
        ({"rules": {"preset": "house"}, "seats": [{"kind": "human"}]}, ["/seats"]),
        ({"dice": {"kind": "scripted", "rolls": [[1, 1, 1], [1] * 6, []]}}, ["/dice/rolls/2"]),
        ({"cheats": {"loaded": [0, 3]}}, ["/cheats/loaded/1"]),
        ({"cheats": {"head_start": {"1": 10000}}}, ["/cheats/head_start/1"]),
        ({"cheats": {"light": {"9": "lucky"}}}, ["/cheats/light"]),
        ({"cheats": {"loaded": [1, 1]}}, ["/cheats/loaded"]),
        ({"seats": [{"kind": "robot"}]}, ["/seats/0/kind"]),
        ({"seats": [{}]}, ["/seats/0/kind"]),
        ({"seats": [{"kind": "human", "character": "cautious"}]}, ["/seats/0"]),
        ({"tempo": 3}, [""]),
        ({"visibility": "secret"}, ["/visibility"]),
        ({"rules": {"custom": {"format": 1}}}, None),
    ],
)
async def test_faults_are_told_by_pointer(
    ana: Guest, body: Json, pointers: list[str] | None
) -> None:
    answer = await ana.post("/v1/games", {"rules": {"preset": "farkle"}, **body})
    assert answer.status_code == 422, answer.text
    found = [e["pointer"] for e in answer.json()["errors"]]
    if pointers is None:
        assert len(found) > 10
        assert all(pointer.startswith("/rules/custom") for pointer in found)
    else:
        assert found == pointers
