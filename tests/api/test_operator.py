"""What who runs the server may do, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.routing import APIRoute

from app.main import routes
from app.settings import Settings
from tests.api.conftest import Launch
from tests.api.live import OPERATOR, Guest, Live
from tests.api.table import GAME, PLAYED, Table, create, join, modelled, refused, started, types

NOBODY = "00000000-0000-7000-8000-000000000000"
CALLS = [
    (
        method,
        route.path_format.removeprefix("/v1/operator/").format(game_id=NOBODY, player_id=NOBODY),
    )
    for route in routes()
    if isinstance(route, APIRoute) and route.path_format.startswith("/v1/operator/")
    for method in route.methods or ()
]
"""Every call of an operator, on what is not there."""


async def repaired(live: Live, table: Table, what: str, **options: Any) -> list[str]:
    """Types of the events of a void or a close."""
    answer = await live.operate("POST", f"games/{table.id}/{what}", **options)
    done = modelled(PLAYED, answer)
    table.game = done["game"]
    assert answer.headers["etag"] == f'"{table.game["version"]}"'
    return types(done["events"])


# Who may


def test_there_are_calls() -> None:
    assert ("POST", f"games/{NOBODY}/void") in CALLS


@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_only_an_operators_token_opens_them(
    live: Live, ana: Guest, launch: Launch, method: str, path: str
) -> None:
    for token in (None, ana.token, OPERATOR[:-1], OPERATOR + "x", "\xe9" * 40):
        headers = {} if token is None else {"Authorization": f"Bearer {token}".encode("latin-1")}
        async with live.client() as client:
            answer = await client.request(method, f"/v1/operator/{path}", headers=headers)  # type: ignore[arg-type]
        refused(answer, 401, "unauthenticated")
    async with launch() as other:
        answer = await other.operate(method, path)
        assert refused(answer, 422, "not_available")["feature"] == "operator"


async def test_an_operators_token_is_no_players(live: Live) -> None:
    async with live.client(OPERATOR) as client:
        refused(await client.get("/v1/players/me"), 401, "unauthenticated")


async def test_several_tokens_count_while_one_replaces_another(launch: Launch) -> None:
    old, new = "old-" * 8, "new-" * 8
    async with launch(operator_token=(old, new)) as live:
        for token in (old, new):
            async with live.client(token) as client:
                answer = await client.post(f"/v1/operator/players/{NOBODY}/unban")
                refused(answer, 404, "player_not_found")
        async with live.client(new) as client:
            calls = (await client.get("/v1/operator/journal")).json()["items"]
            assert (await client.get("/v1")).json()["features"]["operator"] is True
    assert [call["action"] for call in calls] == ["unban", "unban"]
    assert len({call["token"] for call in calls}) == 2


@pytest.mark.parametrize("tokens", ["short", "x" * 31, f"{'x' * 40},short", "x" * 257, "ü" * 40])
def test_a_token_that_can_be_guessed_is_refused(tokens: str) -> None:
    with pytest.raises(ValueError, match="visible ASCII") as refusal:
        Settings(operator_token=tokens)  # type: ignore[arg-type]
    assert "short" not in str(refusal.value)
    assert "xxx" not in str(refusal.value)


def test_a_token_does_not_show() -> None:
    assert OPERATOR not in repr(Settings(operator_token=(OPERATOR,)))


# Void and close


async def test_a_running_game_is_voided(live: Live, ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, visibility="private")
    await table.roll()
    found = await repaired(live, table, "void", json={"note": "dice under suspicion"})
    assert found == ["game_finished", "fairness_revealed"]
    assert (table.game["status"], table.game["result"]["reason"]) == ("finished", "voided")
    assert table.game["result"]["winners"] == []
    version = table.game["version"]
    assert await repaired(live, table, "void") == []
    assert await repaired(live, table, "close") == []
    assert table.game["version"] == version
    await table.refused("game_over", "roll", by=ana)
    assert "suspicion" not in (await ana.get(f"{table.path}/events")).text


async def test_a_lobby_is_voided_or_closed(live: Live, ana: Guest) -> None:
    for what, reason in (("void", "voided"), ("close", "ended_early")):
        table = await create(ana)
        assert await repaired(live, table, what) == ["game_finished", "fairness_revealed"]
        assert table.game["result"]["reason"] == reason


async def test_a_result_is_taken_back(live: Live, ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.do("resign", by=bo)
    assert table.game["result"]["winners"] == [0]
    assert await repaired(live, table, "void") == ["result_voided"]
    assert table.game["result"]["winners"] == []
    assert table.game["result"]["reason"] == "voided"
    assert len([e for e in await table.log() if e["type"] == "fairness_revealed"]) == 1
    again = modelled(GAME, await table.ask("rematch", by=bo), 201)
    assert again["status"] == "lobby"


async def test_a_running_game_is_closed_as_its_host_could(
    live: Live, ana: Guest, bo: Guest
) -> None:
    table = await started(ana, bo, options={"opening": 0}, rolls=[[1, 2, 3, 3, 4, 6]])
    await table.roll()
    await table.bank()
    await repaired(live, table, "close")
    assert table.game["result"]["reason"] == "ended_early"
    assert table.game["result"]["winners"] == [0]


async def test_keys_and_versions_work_as_everywhere(live: Live, ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    path = f"games/{table.id}/void"
    stale = await live.operate("POST", path, headers={"If-Match": '"1"'})
    assert refused(stale, 412, "version_conflict")["current_version"] == table.game["version"]
    key = {"Idempotency-Key": table.id, "Prefer": "return=minimal"}
    first = await live.operate("POST", path, headers=key)
    assert set(first.json()) == {"version", "events"}
    again = await live.operate("POST", path, headers=key)
    assert again.content == first.content
    other = await live.operate("POST", path, headers=key, json={"note": "another"})
    refused(other, 422, "idempotency_key_reused")


async def test_what_is_not_there(live: Live) -> None:
    for path, code in (
        (f"games/{NOBODY}/void", "game_not_found"),
        ("games/x/close", "game_not_found"),
        (f"players/{NOBODY}/ban", "player_not_found"),
        ("players/x/unban", "player_not_found"),
    ):
        refused(await live.operate("POST", path), 404, code)
    refused(await live.operate("POST", "games"), 404, "route_not_found")


# Bans


async def test_a_banned_player_is_out(live: Live, ana: Guest, bo: Guest) -> None:
    running = await started(ana, bo)
    lobby = await create(ana)
    await join(lobby, bo)
    answer = await live.operate("POST", f"players/{ana.id}/ban", json={"note": "cheats"})
    banned = answer.json()
    assert (answer.status_code, banned["player_id"]) == (200, ana.id)
    for call in (ana.get("/v1/players/me"), ana.post("/v1/games"), ana.post("/v1/tickets")):
        refused(await call, 401, "unauthenticated")
    result = modelled(GAME, await bo.get(running.path))["result"]
    assert (result["reason"], result["winners"]) == ("walkover", [1])
    assert modelled(GAME, await bo.get(lobby.path))["host"] == bo.id
    again = await live.operate("POST", f"players/{ana.id}/ban")
    assert again.json() == banned

    freed = await live.operate("POST", f"players/{ana.id}/unban")
    assert freed.json() == {"player_id": ana.id, "banned_at": None}
    assert (await ana.get("/v1/players/me")).json()["name"] == "Ana"


async def test_a_repeated_key_does_not_ban_again(live: Live, ana: Guest) -> None:
    key = {"Idempotency-Key": ana.id}
    first = await live.operate("POST", f"players/{ana.id}/ban", headers=key)
    await live.operate("POST", f"players/{ana.id}/unban")
    again = await live.operate("POST", f"players/{ana.id}/ban", headers=key)
    assert again.content == first.content
    assert (await ana.get("/v1/players/me")).status_code == 200
    other = await live.operate("POST", f"players/{ana.id}/unban", headers=key)
    refused(other, 422, "idempotency_key_reused")
    assert (await ana.get("/v1/players/me")).status_code == 200


async def test_a_ticket_bought_before_a_ban_opens_nothing(live: Live, ana: Guest) -> None:
    ticket = (await ana.post("/v1/tickets")).json()["ticket"]
    parts = live.app.state.parts
    await parts.accounts.ban(ana.id, parts.clock.now())
    assert await parts.tickets.redeem(ticket) is None


# The journal


async def test_every_call_is_written_down_page_by_page(launch: Launch) -> None:
    async with launch(operator_token=(OPERATOR,)) as live:
        ana = await live.guest()
        table = await create(ana)
        await live.operate("POST", f"games/{table.id}/close", json={"note": "stuck"})
        await live.operate("POST", f"games/{NOBODY}/void")
        await live.operate("POST", f"games/{NOBODY}/void", json={"note": ""})
        await live.operate("POST", f"players/{NOBODY}/unban")
        first = (await live.operate("GET", "journal", params={"limit": 2})).json()
        rest = (await live.operate("GET", "journal", params={"before": first["next"]})).json()
        refused(await live.operate("GET", "journal?before=x"), 422, "invalid_request")
    calls = first["items"] + rest["items"]
    assert [(call["action"], call["subject"], call["note"]) for call in calls] == [
        ("unban", NOBODY, None),
        ("void", NOBODY, None),
        ("close", table.id, "stuck"),
    ]
    assert rest["next"] is None
    assert OPERATOR not in str(calls)


async def test_a_malformed_call_is_refused_before_it_is_written_down(
    launch: Launch,
) -> None:
    async with launch(operator_token=(OPERATOR,)) as live:
        for body in ({"note": 7}, {"why": "x"}, {"note": "x" * 201}, {"note": "a\x00"}):
            answer = await live.operate("POST", f"games/{NOBODY}/void", json=body)
            refused(answer, 422, "invalid_request")
        for header in ({"Idempotency-Key": "a b"}, {"If-Match": "7"}):
            answer = await live.operate("POST", f"games/{NOBODY}/void", headers=header)
            refused(answer, 422, "invalid_request")
        assert (await live.operate("GET", "journal")).json()["items"] == []
