"""The lobby: settings, seats, codes, who comes and goes, who is host."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.service.codes import SYMBOLS
from tests.api.conftest import MakeGuest
from tests.api.live import Guest
from tests.api.table import GAME, Json, Table, create, join, modelled, refused, types


async def settings(table: Table, by: Guest | None = None, **changes: Any) -> Json:
    """What PATCH answers to the host."""
    answer = await (by or table.host).request("PATCH", table.path, json=changes)
    table.game = modelled(GAME, answer)
    return table.game


async def seat(table: Table, number: int, **body: Any) -> Json:
    answer = await table.host.request("PATCH", f"{table.path}/seats/{number}", json=body)
    table.game = modelled(GAME, answer)
    return table.game


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
        "character": None,
        "score": 0,
        "on_board": False,
        "wild_rolls": None,
        "purse": None,
        "active": True,
    }
    assert game["seats"][1]["player_id"] is game["seats"][1]["name"] is None
    assert game["turn"] is game["legal"] is game["result"] is game["game_deadline"] is None
    assert types(await table.log()) == ["game_created", "player_joined"]


async def test_the_creator_takes_the_first_human_seat(ana: Guest) -> None:
    seats = [{"kind": "closed"}, {"kind": "human"}, {"kind": "human"}]
    table = await create(ana, seats=seats)
    assert [s["player_id"] for s in table.game["seats"]] == [None, ana.id, None]
    assert [s["active"] for s in table.game["seats"]] == [False, True, True]


async def test_a_seat_by_code_alone(ana: Guest, bo: Guest) -> None:
    table = await create(ana, visibility="private")
    code = table.game["join_code"]
    typed = f"{code[:4]}-{code[4:]}".lower().replace("0", "o").replace("1", "l")
    answer = await bo.post("/v1/join", {"join_code": typed})
    game = modelled(GAME, answer)
    assert (game["id"], game["seats"][1]["player_id"]) == (table.id, bo.id)
    assert game["join_code"] == code


async def test_a_seat_of_ones_choice(ana: Guest, bo: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}] * 3)
    code = table.game["join_code"]
    answer = await bo.post("/v1/join", {"join_code": code, "seat": 2})
    assert modelled(GAME, answer)["seats"][2]["player_id"] == bo.id


@pytest.mark.parametrize("code", ["AAAAAAAA", "x", "ÄÖÜäöüßß", "0123456789", "A B-C D E"])
async def test_a_wrong_code_opens_nothing(ana: Guest, bo: Guest, code: str) -> None:
    table = await create(ana)
    await table.refused("join_code_wrong", "join", {"join_code": code}, status=404, by=bo)
    refused(await bo.post("/v1/join", {"join_code": code}), 404, "join_code_wrong")


async def test_a_code_dies_at_the_start(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana)
    code = table.game["join_code"]
    await join(table, bo)
    await table.do("start")
    assert "join_code" not in table.game
    refused(await cy.post("/v1/join", {"join_code": code}), 404, "join_code_wrong")
    await table.refused("already_started", "join", {"join_code": code}, by=cy)


async def test_a_public_table_takes_no_code(ana: Guest, bo: Guest) -> None:
    table = await create(ana, visibility="public")
    await table.do("join", by=bo)
    assert table.game["seats"][1]["name"] == "Bo"


async def test_a_name_is_that_of_the_seating(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    await join(table, bo)
    await bo.request("PATCH", "/v1/players/me", json={"name": "Bob"})
    await table.do("start")
    assert table.game["seats"][1]["name"] == "Bo"


async def test_the_host_changes_settings(ana: Guest) -> None:
    table = await create(ana)
    game = await settings(table, visibility="public", dice={"kind": "seeded", "seed": "x"})
    assert game["visibility"] == "public"
    assert game["settings"]["dice"] == {"kind": "seeded", "seed": "x"}
    game = await settings(table, rules={"preset": "jester", "options": {"tier": "tycoon"}})
    assert (game["preset"], game["rules"]["target"]) == ("jester", 20000)
    assert game["seats"][0]["wild_rolls"] == 10
    assert game["visibility"] == "public"
    game = await settings(table, cheats={"head_start": {"1": 501}})
    assert game["cheats"] is True
    assert game["settings"]["cheats"]["head_start"] == {"1": 500}
    assert [s["score"] for s in game["seats"]] == [0, 500]
    game = await settings(table, cheats=None, dice=None)
    assert (game["cheats"], game["settings"]["dice"]) == (False, {"kind": "fair"})
    assert types(await table.log())[2:] == ["settings_changed"] * 4


async def test_settings_that_do_not_fit_are_refused(ana: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}])
    answer = await ana.request("PATCH", table.path, json={"rules": {"preset": "house"}})
    problem = refused(answer, 422, "malformed_rules")
    assert [e["pointer"] for e in problem["errors"]] == ["/seats"]


async def test_nothing_changed_is_no_event(ana: Guest) -> None:
    table = await create(ana)
    game = await settings(table, visibility="unlisted")
    assert game["version"] == 2


async def test_the_host_lays_the_seats(ana: Guest, bo: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}] * 3)
    await join(table, bo)
    game = await seat(table, 2, kind="closed")
    assert [s["kind"] for s in game["seats"]] == ["human", "human", "closed"]
    await table.do("start")
    assert [s["active"] for s in table.game["seats"]] == [True, True, False]


async def test_the_host_removes_a_player(ana: Guest, bo: Guest) -> None:
    table = await create(ana, visibility="private")
    await join(table, bo)
    game = await seat(table, 1, kind="human")
    assert game["seats"][1]["player_id"] is game["seats"][1]["name"] is None
    assert (await table.log())[-1]["kicked"] is True
    refused(await bo.get(table.path), 404, "game_not_found")


async def test_only_the_host_is_host(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana)
    await join(table, bo)
    for who in (bo, cy):
        answer = await who.request("PATCH", table.path, json={"visibility": "public"})
        refused(answer, 403, "not_host")
        answer = await who.request("PATCH", f"{table.path}/seats/0", json={"kind": "human"})
        refused(answer, 403, "not_host")
        await table.refused("not_host", "start", status=403, by=who)
        await table.refused("not_host", "end", status=403, by=who)
        await table.refused("not_host", "skip-next", {"seat": 0}, status=403, by=who)


async def test_a_host_that_leaves_is_followed(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}] * 3)
    await join(table, bo, cy)
    await table.do("leave", by=ana)
    assert table.game["host"] == bo.id
    assert "join_code" not in table.game
    assert types(await table.log())[-2:] == ["player_left", "host_changed"]
    table.players = [bo, cy]
    await table.do("leave", by=cy)
    assert table.game["host"] == bo.id
    await table.do("leave", by=bo)
    assert table.game["status"] == "finished"
    assert table.game["result"]["winners"] == []
    assert types(await table.log())[-3:] == ["player_left", "game_finished", "fairness_revealed"]


async def test_who_left_may_come_back(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    code = table.game["join_code"]
    await join(table, bo)
    await table.do("leave", by=bo)
    assert table.game["seats"][1]["name"] is None
    await table.refused("not_seated", "leave", status=403, by=bo)
    await join(table, bo, code=code)
    assert table.game["seats"][1]["name"] == "Bo"


async def test_the_host_closes_the_table(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    await join(table, bo)
    assert types(await table.do("end", by=ana)) == ["game_finished", "fairness_revealed"]
    assert table.game["result"]["reason"] == "ended_early"
    assert "join_code" not in table.game


@pytest.mark.parametrize(
    "body",
    [
        {"rules": {"preset": "house"}},  # its second seat is a bot's
        {"seats": [{"kind": "human"}, {"kind": "bot"}]},
        {"bots": {"take_absent_seats": True}},
        {"bots": {"pace_ms": 100}},
        {"clocks": {"turn_s": 60}},
        {"advice": True},
    ],
)
async def test_what_is_not_built_is_refused(ana: Guest, body: Json) -> None:
    asked = {"rules": {"preset": "farkle"}, **body}
    problem = refused(await ana.post("/v1/games", asked), 422, "not_available")
    assert problem["feature"] in {"bots", "clocks", "advice"}
    if "rules" not in body and "seats" not in body:
        table = await create(ana)
        refused(await ana.request("PATCH", table.path, json=body), 422, "not_available")


async def test_a_seat_takes_no_bot_yet(ana: Guest) -> None:
    table = await create(ana)
    answer = await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "bot"})
    refused(answer, 422, "not_available")


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
        ({"seats": [{"kind": "robot"}]}, ["/seats/0"]),
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


async def test_too_many_guesses_are_stopped_for_one_player_only(launch: Any, ana: Guest) -> None:
    async with launch(rate_limits=True, limit_codes_token=3, limit_codes_address=4) as live:
        host, guesser, friend = [await live.guest(name) for name in ("Ana", "Guess", "Bo")]
        table = await create(host, visibility="private")
        for _ in range(3):
            answer = await guesser.post("/v1/join", {"join_code": "AAAAAAAA"})
            refused(answer, 404, "join_code_wrong")
        right = {"join_code": table.game["join_code"]}
        answer = await guesser.post("/v1/join", right)
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["retry-after"]) > 0
        refused(await guesser.post(f"{table.path}/join", right), 429, "rate_limited")
        assert modelled(GAME, await friend.post("/v1/join", right))["seats"][1]["name"] == "Bo"


async def test_guesses_at_one_table_are_counted_too(launch: Any) -> None:
    async with launch(rate_limits=True, limit_codes_token=2) as live:
        host, guesser = await live.guest("Ana"), await live.guest("Guess")
        hidden = await create(host, visibility="private")
        nowhere = f"{hidden.path[:-4]}0000/join"
        for path in (f"{hidden.path}/join", nowhere):
            refused(await guesser.post(path, {"join_code": "AAAAAAAA"}), 404, "game_not_found")
        for path in (f"{hidden.path}/join", nowhere):
            refused(await guesser.post(path, {"join_code": "AAAAAAAA"}), 429, "rate_limited")


async def test_many_racers_for_the_last_seat(ana: Guest, guest: MakeGuest) -> None:
    table = await create(ana, visibility="public")
    racers = [await guest(f"R{i}") for i in range(8)]
    answers = await asyncio.gather(*(r.post(f"{table.path}/join") for r in racers))
    assert sorted(a.status_code for a in answers) == [200] + [409] * 7
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"table_full"}
