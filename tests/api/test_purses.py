"""Purses over HTTP: bought, counted, spent in games, won by reaching worlds."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.api.conftest import Launch, MakeGuest
from tests.api.live import OPERATOR, Guest, Live
from tests.api.table import GAME, Json, Table, join, modelled, refused, started, types
from tests.plain_rules import purse_rules

NOBODY = "00000000-0000-7000-8000-000000000000"


def none_of_its_own(purse: bool = True) -> Json:
    """Wild Rolls from purses alone, of a world whose first win earns none."""
    return purse_rules(purse=purse, earn=False, world="moon")


async def opened(host: Guest, *guests: Guest, purse: bool = True, **body: Any) -> Table:
    """A running game by these rules. A host alone plays both seats."""
    rules = {"custom": none_of_its_own(purse)}
    if not guests:
        body["pass_and_play"] = True
    seats = [{"kind": "human"}] * 2
    answer = await host.post("/v1/games", {"rules": rules, "seats": seats, **body})
    table = Table(modelled(GAME, answer, 201), [host])
    await join(table, *guests)
    await table.do("start", by=host)
    return table


async def credited(live: Live, player: Guest, amount: int, reference: str = "") -> httpx.Response:
    body = {"reference": reference or f"pay:{player.id}", "amount": amount}
    return await live.operate("POST", f"players/{player.id}/wild-rolls", json=body)


async def purse(player: Guest) -> int:
    held: int = (await player.get("/v1/players/me")).json()["purse"]
    return held


def purses(table: Table) -> list[int | None]:
    return [seat["purse"] for seat in table.game["seats"]]


# In games


async def test_a_purse_is_counted_at_the_start_and_spent_after_the_game_s_own(
    live: Live, ana: Guest, bo: Guest
) -> None:
    await credited(live, ana, 2)
    table = await opened(ana, bo)
    assert types(table.events)[-2:] == ["game_started", "purse_counted"]
    assert purses(table) == [2, 0]
    assert "wild-roll" in table.game["legal"]["commands"]
    assert types(await table.do("wild-roll")) == ["purse_spent", "dice_rolled"]
    assert purses(table) == [1, 0]
    assert await purse(ana) == 1
    await table.bank()
    assert "wild-roll" not in table.game["legal"]["commands"]
    await table.refused("no_wild_rolls", "wild-roll")
    for version in range(1, table.game["version"] + 1):
        then = modelled(GAME, await ana.get(f"{table.path}/states/{version}"))
        assert [seat["purse"] for seat in then["seats"]] in ([0, 0], [2, 0], [1, 0])


async def test_the_game_s_own_are_spent_first(live: Live, ana: Guest, bo: Guest) -> None:
    await credited(live, ana, 1)
    table = await started(ana, bo, preset="jester")
    assert types(await table.do("wild-roll")) == ["dice_rolled"]
    assert (table.game["seats"][0]["wild_rolls"], purses(table)[0]) == (2, 1)
    assert await purse(ana) == 1


async def test_a_table_may_leave_purses_out(live: Live, ana: Guest, bo: Guest) -> None:
    await credited(live, ana, 2)
    table = await opened(ana, bo, purse=False)
    assert purses(table) == [None, None]
    assert types(table.events)[-1] == "game_started"
    await table.refused("no_wild_rolls", "wild-roll")
    jester = await started(ana, bo, preset="jester", options={"purse": False})
    assert purses(jester) == [None, None]


async def test_what_changed_elsewhere_is_told_with_the_next_command(
    live: Live, ana: Guest, bo: Guest
) -> None:
    table = await opened(ana, bo)
    await credited(live, ana, 3)
    assert types(await table.roll()) == ["purse_counted", "dice_rolled"]
    assert table.events[0]["purse"] == 3
    other = await opened(ana, bo)
    await other.do("wild-roll")
    await table.bank()
    assert (purses(table), types(table.events)[0]) == ([2, 0], "purse_counted")


async def test_one_player_at_all_seats_has_one_purse(live: Live, ana: Guest) -> None:
    await credited(live, ana, 2)
    table = await opened(ana)
    assert purses(table) == [2, 2]
    await table.do("wild-roll")
    assert purses(table) == [1, 1]
    await table.bank()
    await table.do("wild-roll")
    assert purses(table) == [0, 0]
    assert await purse(ana) == 0


async def test_a_purse_spent_in_many_games_at_once(live: Live, ana: Guest) -> None:
    """Never below zero, never spent twice, whatever each game knew of it."""
    tables = [await opened(ana) for _ in range(8)]
    await credited(live, ana, 3)
    for table in tables:
        await table.roll()
        await table.bank()  # by now each knows of three
        assert purses(table) == [3, 3]
    answers = await asyncio.gather(*(table.ask("wild-roll") for table in tables))
    spent = [answer for answer in answers if answer.status_code == 200]
    for answer in answers:
        if answer.status_code != 200:
            refused(answer, 409, "no_wild_rolls")
    assert len(spent) == 3
    assert sorted(a.json()["game"]["seats"][0]["purse"] for a in spent) == [0, 1, 2]
    assert await purse(ana) == 0
    for table, answer in zip(tables, answers, strict=True):
        if answer.status_code != 200:
            await table.roll()
            assert purses(table) == [0, 0]


async def test_a_repeated_spend_is_one(live: Live, ana: Guest) -> None:
    await credited(live, ana, 2)
    table = await opened(ana)
    first, *again = await asyncio.gather(
        *(table.ask("wild-roll", idempotency_key="once") for _ in range(4))
    )
    assert {answer.content for answer in again} == {first.content}
    assert await purse(ana) == 1


async def test_a_voided_game_gives_back(live: Live, ana: Guest, bo: Guest) -> None:
    await credited(live, ana, 2)
    table = await opened(ana, bo)
    await table.do("wild-roll")
    await live.operate("POST", f"games/{table.id}/void")
    assert await purse(ana) == 2
    await live.operate("POST", f"games/{table.id}/void")
    assert await purse(ana) == 2


# Worlds


async def test_a_won_game_of_jester_reaches_its_world_until_it_is_voided(
    live: Live, ana: Guest, bo: Guest
) -> None:
    table = await started(ana, bo, preset="jester")
    while table.game["status"] == "playing":
        await step(table)
    won = table.players[0] if table.game["result"]["winners"] == [0] else table.players[1]
    lost = bo if won is ana else ana
    assert table.game["result"]["reason"] == "target"
    me = (await won.get("/v1/players/me")).json()
    assert (me["purse"], me["worlds"]) == (1, ["pocket"])
    assert (await lost.get(f"/v1/players/{won.id}")).json()["worlds"] == ["pocket"]
    assert (await lost.get("/v1/players/me")).json()["worlds"] == []
    await live.operate("POST", f"games/{table.id}/void")
    me = (await won.get("/v1/players/me")).json()
    assert (me["purse"], me["worlds"]) == (0, [])


async def step(table: Table) -> None:
    """A command that leads to the end of a game of jester before long."""
    legal, turn = table.game["legal"], table.turn
    selected = any(die["selected"] for die in turn["dice"])
    if turn["phase"] == "to_select" and not selected:
        best = max(legal["selections"], key=lambda s: s["points"])
        asked = {k: best[k] for k in ("dice", "wild_face") if k in best}
        await table.do("select", asked)
    elif "bank" in legal["commands"] and (
        turn["score"] >= 300 or legal["bank"]["total"] == table.game["rules"]["target"]
    ):
        await table.do("bank")
    else:
        await table.do("roll")


async def test_a_copy_of_a_preset_is_the_same_rules_and_reaches_no_world(ana: Guest) -> None:
    """Who reaches what is settled in `engine.worlds`: a game says whether it is a preset's."""
    shipped = (await ana.get("/v1/rules/jester")).json()["rules"]
    assert shipped["wild_rolls"]["world"] == "pocket"
    game = modelled(GAME, await ana.post("/v1/games", {"rules": {"custom": shipped}}), 201)
    assert (game["rules"], game["preset"]) == (shipped, None)


# Purchases


async def test_packs_are_shown_and_credited(launch: Launch) -> None:
    packs = Settings(wild_roll_packs="small:5, large:25").wild_roll_packs  # type: ignore[arg-type]
    async with launch(operator_token=(OPERATOR,), wild_roll_packs=packs) as live:
        ana = await live.guest()
        shown = (await ana.get("/v1")).json()["wild_roll_packs"]
        assert shown == [
            {"name": "small", "wild_rolls": 5},
            {"name": "large", "wild_rolls": 25},
        ]
        path = f"players/{ana.id}/wild-rolls"
        body = {"reference": "pi_3Nabc", "pack": "large"}
        first = await live.operate("POST", path, json=body)
        assert first.status_code == 200
        answer = first.json()
        assert {k: answer[k] for k in ("player_id", "reference", "pack")} == {
            "player_id": ana.id,
            **body,
        }
        assert (answer["wild_rolls"], answer["purse"]) == (25, 25)
        again = await live.operate("POST", path, json=body)
        assert again.content == first.content
        for other in ({"pack": "small"}, {"amount": 25}):
            answer = await live.operate("POST", path, json={"reference": "pi_3Nabc", **other})
            refused(answer, 422, "reference_reused")
        answer = await live.operate("POST", path, json={"reference": "x", "pack": "huge"})
        problem = refused(answer, 422, "invalid_request")
        assert problem["errors"] == [
            {"pointer": "/pack", "code": "not_allowed", "detail": "Must be one of: small, large."}
        ]
        assert (await ana.get("/v1/players/me")).json()["purse"] == 25
        calls = (await live.operate("GET", "journal")).json()["items"]
        assert {(call["action"], call["subject"]) for call in calls} == {("credit", ana.id)}


async def test_a_repeated_purchase_is_answered_when_pack_and_player_have_gone(
    launch: Launch,
) -> None:
    packs = Settings(wild_roll_packs="small:5").wild_roll_packs  # type: ignore[arg-type]
    body = {"reference": "r", "pack": "small"}
    async with launch(operator_token=(OPERATOR,), wild_roll_packs=packs) as live:
        ana = await live.guest()
        path = f"players/{ana.id}/wild-rolls"
        first = await live.operate("POST", path, json=body)
        await ana.request("DELETE", "/v1/players/me")
    async with launch(operator_token=(OPERATOR,)) as live:
        again = await live.operate("POST", path, json=body)
        assert (again.status_code, again.content) == (200, first.content)
        refused(
            await live.operate("POST", path, json={**body, "reference": "s"}),
            *(422, "invalid_request"),
        )


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/reference"),
        ({"reference": "a"}, ""),
        ({"reference": "a", "amount": 0}, "/amount"),
        ({"reference": "a", "amount": 1001}, "/amount"),
        ({"reference": "a", "amount": 1.0}, "/amount"),
        ({"reference": "a", "amount": 5, "pack": "small"}, "/amount"),
        ({"reference": "a", "pack": "small"}, "/pack"),
        ({"reference": "", "amount": 5}, "/reference"),
        ({"reference": "a b", "amount": 5}, "/reference"),
        ({"reference": "x" * 129, "amount": 5}, "/reference"),
        ({"reference": "a", "amount": 5, "more": 1}, ""),
    ],
)
async def test_what_is_no_purchase(live: Live, ana: Guest, body: Json, pointer: str) -> None:
    answer = await live.operate("POST", f"players/{ana.id}/wild-rolls", json=body)
    problem = refused(answer, 422, "invalid_request")
    assert [fault["pointer"] for fault in problem["errors"]] == [pointer]
    assert await purse(ana) == 0


async def test_only_a_player_that_is_there_can_be_given_anything(
    live: Live, guest: MakeGuest
) -> None:
    answer = await live.operate(
        "POST", f"players/{NOBODY}/wild-rolls", json={"reference": "n", "amount": 1}
    )
    refused(answer, 404, "player_not_found")
    gone = await guest()
    await gone.request("DELETE", "/v1/players/me")
    refused(await credited(live, gone, 1), 404, "player_not_found")


@pytest.mark.parametrize("packs", ["small", "small:0", "small:1001", "Small:5", "a:1,a:2", "a:x"])
def test_a_catalogue_that_cannot_be_read_stops_the_start(packs: str) -> None:
    with pytest.raises(ValueError, match="pack"):
        Settings(wild_roll_packs=packs)  # type: ignore[arg-type]
