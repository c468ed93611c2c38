"""Seats taken: by code, by choice, in a race; and codes guessed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.api.conftest import MakeGuest
from tests.api.live import Guest
from tests.api.table import GAME, create, join, modelled, refused


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


async def test_too_many_guesses_are_stopped_for_one_player_only(launch: Any, ana: Guest) -> None:
    async with launch(rate_limits=True, limit_codes_player=3, limit_codes_address=4) as live:
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
    async with launch(rate_limits=True, limit_codes_player=2) as live:
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
