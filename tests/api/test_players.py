"""Guests: made, renamed, their tokens turned over, forgotten."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime

import httpx
import pytest

from tests.api.conftest import Launch, MakeGuest
from tests.api.live import Guest, Live, running
from tests.api.table import Json


async def test_a_guest_gets_a_token_once(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", json={"name": "Ana"})
    made = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/players/{made['id']}"
    assert made["id"][14] == "7"
    assert datetime.fromisoformat(made["created_at"]).tzinfo is not None
    profile = (await client.get(answer.headers["location"])).json()
    assert profile.items() >= {k: made[k] for k in ("id", "name", "created_at")}.items()


async def test_a_player_sees_itself(ana: Guest) -> None:
    me = (await ana.get("/v1/players/me")).json()
    assert (me["id"], me["name"]) == (ana.id, "Ana")
    assert "token" not in me


async def test_a_rename_is_seen_by_everybody(ana: Guest, client: httpx.AsyncClient) -> None:
    answer = await ana.request("PATCH", "/v1/players/me", json={"name": "Ána B"})
    assert answer.status_code == 200
    assert answer.json()["name"] == "Ána B"
    assert (await client.get(f"/v1/players/{ana.id}")).json()["name"] == "Ána B"
    assert (await ana.get("/v1/players/me")).json()["name"] == "Ána B"


async def test_a_repeated_rename_gets_the_first_answer(ana: Guest) -> None:
    async def rename(name: str, key: str) -> httpx.Response:
        headers = {"Idempotency-Key": key}
        return await ana.request("PATCH", "/v1/players/me", json={"name": name}, headers=headers)

    first = await rename("First", "one")
    await rename("Second", "two")
    again = await rename("First", "one")
    assert again.content == first.content
    assert (await ana.get("/v1/players/me")).json()["name"] == "Second"
    other = await rename("Third", "one")
    assert other.status_code == 422
    assert other.json()["code"] == "idempotency_key_reused"


async def test_a_change_of_nothing_is_refused_as_the_document_says(
    ana: Guest, client: httpx.AsyncClient
) -> None:
    answer = await ana.request("PATCH", "/v1/players/me", json={})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "missing"
    document = (await client.get("/openapi.json")).json()
    assert document["components"]["schemas"]["PlayerChange"]["minProperties"] == 1


async def test_keys_are_each_players_own(ana: Guest, bo: Guest) -> None:
    for who, name in ((ana, "One"), (bo, "Two")):
        answer = await who.request(
            "PATCH", "/v1/players/me", json={"name": name}, headers={"Idempotency-Key": "same"}
        )
        assert answer.json()["name"] == name


async def test_an_old_token_works_until_the_new_one_is_used(live: Live, ana: Guest) -> None:
    new = (await ana.post("/v1/players/me/token")).json()["token"]
    assert (await ana.get("/v1/players/me")).status_code == 200
    async with live.client(new) as client:
        assert (await client.get("/v1/players/me")).status_code == 200
    live.app.state.parts.doorkeeper.forget(ana.id)  # a second later, that is
    assert (await ana.get("/v1/players/me")).status_code == 401


async def test_a_forgotten_player_is_gone(ana: Guest, client: httpx.AsyncClient) -> None:
    answer = await ana.request("DELETE", "/v1/players/me")
    assert (answer.status_code, answer.content) == (204, b"")
    assert (await ana.get("/v1/players/me")).status_code == 401
    gone = await client.get(f"/v1/players/{ana.id}")
    assert (gone.status_code, gone.json()["name"]) == (200, "deleted player")


async def test_a_process_that_knew_a_player_learns_that_it_is_gone(live: Live, ana: Guest) -> None:
    """It remembers tokens for a second; what changes something looks."""
    async with running(live.settings.database_url) as other, other.client(ana.token) as client:
        assert (await client.get("/v1/players/me")).status_code == 200
        assert (await ana.request("DELETE", "/v1/players/me")).status_code == 204
        calls: tuple[tuple[str, str, Json], ...] = (
            ("PATCH", "/v1/players/me", {"name": "Zoe"}),
            ("POST", "/v1/players/me/token", {}),
            ("POST", "/v1/games", {"rules": {"preset": "farkle"}}),
        )
        for method, path, body in calls:
            answer = await client.request(method, path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("player_id", ["nobody", "01A", "00000000-0000-7000-8000-000000000000"])
async def test_who_is_unknown_is_not_found(client: httpx.AsyncClient, player_id: str) -> None:
    answer = await client.get(f"/v1/players/{player_id}")
    assert (answer.status_code, answer.json()["code"]) == (404, "player_not_found")


@pytest.mark.parametrize("path", ["/v1/players/%00", "/v1%2fplayers/me", "/v1/players%2Fme"])
async def test_a_path_with_escapes_is_no_path(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "route_not_found")


GOOD = [
    "A",
    "Zoë",
    "Nguyễn Văn",
    "Ἀχιλλεύς",
    "아나",
    "李小龍",
    "O'Neil",
    "x-1_2.3",
    "ç" * 24,
    "นที",
    "ज़ें",
]


@pytest.mark.parametrize("name", GOOD)
async def test_names_of_the_world_are_names(guest: MakeGuest, name: str) -> None:
    assert (await guest(name)).name == name


async def test_names_are_composed(guest: MakeGuest) -> None:
    assert (await guest("Zoe\u0308")).name == "Zoë"


BAD = [
    "", " ", " A", "A ", "A  B", "A\n", "A\x00", "A\x1b[2J", "A\u202eB", "A\u200dB", "A\u200bB",
    "\ufeffA", "\u0301", "A \u0301", "😀", "<b>", "A\u2028B", "A" * 25, "A" * 97, "\ue000", "a/b",
    "\u00a0A", "a\u0323\u0301\u0302", "A" + "\u0300" * 5, "ก" + "\u0e38" * 5,
]  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_names_that_vanish_or_deceive_are_refused(
    client: httpx.AsyncClient, name: str
) -> None:
    answer = await client.post("/v1/players", json={"name": name})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert [e["pointer"] for e in answer.json()["errors"]] == ["/name"]


async def test_only_hashes_of_tokens_are_kept(launch: Launch) -> None:
    async with launch() as own:
        guest = await own.guest()
        path = own.settings.database_url.partition(":///")[2]
        with closing(sqlite3.connect(path)) as database:
            dump = "\n".join(database.iterdump())
        assert guest.id in dump
        assert guest.token not in dump
        assert guest.token.encode().hex() not in dump.lower()
