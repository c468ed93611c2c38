"""Tokens lent to scripts: what they open, who sees them, how they end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.api.conftest import Launch
from tests.api.live import Guest, Live
from tests.api.table import Json, create, join, refused

PATH = "/v1/players/me/tokens"


async def lent(guest: Guest, *scopes: str, **how: Any) -> tuple[Guest, Json]:
    """A script with a token of these scopes, and what was told of it."""
    answer = await guest.post(PATH, {"scopes": scopes, **how})
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return Guest(guest.id, guest.name, made.pop("token"), guest.live), made


async def test_a_script_plays_with_no_more_than_it_needs(ana: Guest, bo: Guest) -> None:
    script, made = await lent(ana, "play", "read", name="my bot")
    assert (made["name"], made["scopes"]) == ("my bot", ["read", "play"])
    table = await create(bo, visibility="private")
    await join(table, script)
    await table.do("start", by=bo)
    assert (await script.get(table.path)).status_code == 200
    await table.do("roll", by=bo)
    for body in ({"name": "Eve"}, {"notices": True}):
        answer = await script.request("PATCH", "/v1/players/me", json=body)
        assert refused(answer, 403, "scope_missing")["needed"] == "account"
    answer = await script.post("/v1/games", {"rules": {"preset": "farkle"}})
    assert refused(answer, 403, "scope_missing")["needed"] == "create"
    challenge = answer.headers["www-authenticate"]
    assert challenge == 'Bearer realm="hotdice", error="insufficient_scope", scope="create"'


async def test_a_script_can_take_nothing_from_its_owner(ana: Guest) -> None:
    script, made = await lent(ana, "read", "play", "create")
    for method, path, body in (
        ("POST", PATH, {"scopes": ["read"]}),
        ("GET", PATH, None),
        ("DELETE", f"{PATH}/{made['id']}", None),
        ("POST", "/v1/players/me/token", None),
        ("DELETE", "/v1/players/me", None),
    ):
        answer = await script.request(method, path, json=body)
        assert refused(answer, 403, "scope_missing")["needed"] == "account"
    assert (await ana.get("/v1/players/me")).status_code == 200


async def test_a_player_sees_its_tokens_and_no_secret(ana: Guest, bo: Guest) -> None:
    script, first = await lent(ana, "read")
    _, second = await lent(ana, "create", name="tables")
    answer = await ana.get(PATH)
    assert answer.json() == {"items": [second, first], "next": None}
    assert script.token not in answer.text
    assert (await bo.get(PATH)).json()["items"] == []
    me = (await script.get("/v1/players/me")).json()
    assert me["access"] == {"scopes": ["read"], "expires_at": first["expires_at"]}
    mine = (await ana.get("/v1/players/me")).json()["access"]
    assert mine["scopes"] == ["read", "play", "create", "account"]


async def test_a_revoked_token_opens_nothing_at_once(ana: Guest, bo: Guest) -> None:
    script, made = await lent(ana, "read")
    other, _ = await lent(ana, "read")
    assert (await script.get("/v1/players/me")).status_code == 200
    path = f"{PATH}/{made['id']}"
    refused(await bo.request("DELETE", path), 404, "token_not_found")
    headers = {"Idempotency-Key": "once"}
    for _ in range(2):
        answer = await ana.request("DELETE", path, headers=headers)
        assert (answer.status_code, answer.content) == (204, b"")
    refused(await ana.request("DELETE", path), 404, "token_not_found")
    refused(await ana.request("DELETE", f"{PATH}/x"), 404, "token_not_found")
    refused(await script.get("/v1/players/me"), 401, "unauthenticated")
    for guest in (ana, other):
        assert (await guest.get("/v1/players/me")).status_code == 200


async def test_a_rotation_leaves_the_scripts_their_tokens(live: Live, ana: Guest) -> None:
    script, _ = await lent(ana, "read")
    new = (await ana.post("/v1/players/me/token")).json()["token"]
    async with live.client(new) as client:
        assert (await client.get("/v1/players/me")).status_code == 200
    refused(await ana.get("/v1/players/me"), 401, "unauthenticated")
    assert (await script.get("/v1/players/me")).status_code == 200


async def test_who_is_forgotten_or_banned_has_no_scripts(live: Live, ana: Guest, bo: Guest) -> None:
    anas, _ = await lent(ana, "read")
    bos, _ = await lent(bo, "read")
    assert (await ana.request("DELETE", "/v1/players/me")).status_code == 204
    assert (await live.operate("POST", f"players/{bo.id}/ban")).status_code == 200
    for script in (anas, bos):
        refused(await script.get("/v1/players/me"), 401, "unauthenticated")


async def test_tokens_are_so_many_and_no_more(launch: Launch) -> None:
    async with launch(tokens_per_player=3) as live:
        ana, bo = await live.guest(), await live.guest("Bo")
        answers = await asyncio.gather(*(ana.post(PATH, {"scopes": ["read"]}) for _ in range(6)))
        assert sorted(a.status_code for a in answers) == [201] * 3 + [409] * 3
        last = next(a for a in answers if a.status_code == 409)
        assert refused(last, 409, "too_many_tokens")["limit"] == 3
        await lent(bo, "read")
        [first, *_] = (await ana.get(PATH)).json()["items"]
        assert (await ana.request("DELETE", f"{PATH}/{first['id']}")).status_code == 204
        await lent(ana, "read")


BAD: list[tuple[Json, str]] = [
    ({}, "/scopes"),
    ({"scopes": []}, "/scopes"),
    ({"scopes": ["account"]}, "/scopes/0"),
    ({"scopes": ["everything"]}, "/scopes/0"),
    ({"scopes": ["read", "read"]}, "/scopes"),
    ({"scopes": "read"}, "/scopes"),
    ({"scopes": ["read"], "name": ""}, "/name"),
    ({"scopes": ["read"], "name": "a\x00"}, "/name"),
    ({"scopes": ["read"], "name": "x" * 61}, "/name"),
    ({"scopes": ["read"], "expires_in_s": 59}, "/expires_in_s"),
    ({"scopes": ["read"], "expires_in_s": 1.5}, "/expires_in_s"),
    ({"scopes": ["read"], "player_id": "me"}, ""),
]


@pytest.mark.parametrize(("body", "pointer"), BAD)
async def test_nothing_else_is_lent(ana: Guest, body: Json, pointer: str) -> None:
    problem = refused(await ana.post(PATH, body), 422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
