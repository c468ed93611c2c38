"""Accounts of programs: seen by everybody, and nobody's opponent where people are counted."""

from __future__ import annotations

import asyncio
from typing import Any

from app.players import FORGOTTEN
from tests.api.conftest import MakeGuest
from tests.api.live import Guest
from tests.api.table import GAME, GAMES, create, join, modelled, refused, started
from tests.api.test_purses import step


async def profile(who: Guest) -> dict[str, Any]:
    found: dict[str, Any] = (await who.get(f"/v1/players/{who.id}")).json()
    return found


async def counted(of: Guest, games: int) -> dict[str, Any]:
    """A profile, once everything that has ended was counted."""
    async with asyncio.timeout(20):
        while True:
            found = await profile(of)
            if found["games"] >= games:
                return found
            await asyncio.sleep(0.02)


async def test_an_account_says_what_it_is_for_good(guest: MakeGuest, ana: Guest) -> None:
    robo = await guest("Robo", bot=True)
    for who, is_bot in ((robo, True), (ana, False)):
        assert (await who.get("/v1/players/me")).json()["bot"] is is_bot
        assert (await profile(who))["bot"] is is_bot
    answer = await robo.request("PATCH", "/v1/players/me", json={"bot": False})
    assert [e["pointer"] for e in refused(answer, 422, "invalid_request")["errors"]] == [""]


async def test_everybody_sees_which_seats_programs_hold(
    guest: MakeGuest, ana: Guest, bo: Guest
) -> None:
    robo = await guest("Robo", bot=True)
    seats = [{"kind": "human"}, {"kind": "human"}, {"kind": "bot"}, {"kind": "human"}]
    table = await create(ana, "house", seats=seats, visibility="public")
    await join(table, robo)
    expected = [False, True, True, False]

    async def seen() -> list[bool]:
        game = modelled(GAME, await bo.get(table.path))
        return [seat["bot"] for seat in game["seats"]]

    assert await seen() == expected
    rows = modelled(GAMES, await bo.get("/v1/games?limit=200"))["items"]
    [row] = [row for row in rows if row["id"] == table.id]
    assert [seat["bot"] for seat in row["seats"]] == expected
    await join(table, bo)
    await table.do("start", by=ana)
    assert await seen() == expected
    state = modelled(GAME, await bo.get(f"{table.path}/states/3"))
    assert [seat["bot"] for seat in state["seats"]] == expected
    assert (await robo.request("DELETE", "/v1/players/me")).status_code == 204
    game = modelled(GAME, await bo.get(table.path))
    assert (game["seats"][1]["name"], game["seats"][1]["bot"]) == (FORGOTTEN, True)


async def test_a_game_against_a_bot_account_counts_for_nobody(
    guest: MakeGuest, ana: Guest, bo: Guest
) -> None:
    robo = await guest("Robo", bot=True)
    alone = await started(ana, robo)
    await alone.do("resign", by=robo)
    seats = [{"kind": "human"}] * 3
    people = await started(ana, bo, robo, seats=seats)
    await people.do("end", by=ana)
    found = await counted(ana, 1)
    assert found["games"] == 1, "the one with two people"
    past = (await ana.get(f"/v1/players/{ana.id}/games")).json()["items"]
    assert [row["game"]["id"] for row in past] == [people.id]
    assert (await counted(bo, 1))["games"] == 1
    assert (await profile(robo))["games"] == 0
    assert (await robo.get(f"/v1/players/{robo.id}/games")).json()["items"] == []


async def test_beating_a_bot_account_reaches_no_world(guest: MakeGuest) -> None:
    """Whoever wins."""
    ana, robo = await guest("Ana"), await guest("Robo", bot=True)
    table = await started(ana, robo, preset="jester")
    while table.game["status"] == "playing":
        await step(table)
    assert table.game["result"]["reason"] == "target"
    for who in (ana, robo):
        me = (await who.get("/v1/players/me")).json()
        assert (me["purse"], me["worlds"]) == (0, [])
