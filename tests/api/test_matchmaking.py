"""Strangers who want the same are brought to one table, which starts by itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from pydantic import TypeAdapter

from app.api.schemas.match import MatchView
from tests.api.conftest import MakeGuest
from tests.api.live import Guest
from tests.api.table import GAME, MINIMAL, Json, Table, create, modelled, refused, started, types
from tests.live.player import gathered

MATCH: TypeAdapter[Any] = TypeAdapter(MatchView)


def rules(target: int) -> Json:
    """Rules that no other test asks for: the server is shared, and whoever waits there is met."""
    return {"rules": {"preset": "farkle", "options": {"target": target}}}


async def find(guest: Guest, body: Json, status: int = 201, **headers: str) -> Json:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = await guest.post("/v1/matchmaking", body, headers=sent)
    match = modelled(MATCH, answer, status)
    assert answer.headers["etag"] == f'"{match["game"]["version"]}"'
    assert answer.headers["location"] == f"/v1/matchmaking/{match['id']}"
    return match


async def look(guest: Guest, match: Json) -> Json:
    return modelled(MATCH, await guest.get(f"/v1/matchmaking/{match['id']}"))


async def cancel(guest: Guest, match: Json, status: int = 200, **headers: str) -> Json:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = await guest.request("DELETE", f"/v1/matchmaking/{match['id']}", headers=sent)
    return modelled(MATCH, answer, status)


async def test_two_who_want_the_same_play(ana: Guest, bo: Guest) -> None:
    body = rules(10_010)
    waits = await find(ana, body)
    assert (waits["status"], waits["seat"], waits["game"]["status"]) == ("waiting", 0, "lobby")
    assert waits["game"]["host"] is None
    assert "join_code" not in waits["game"]
    assert await look(ana, waits) | {"game": 0} == waits | {"game": 0}

    found = await find(bo, body)
    assert (found["status"], found["seat"], found["game_id"]) == ("matched", 1, waits["game_id"])
    assert (found["game"]["status"], found["game"]["turn"]["seat"]) == ("playing", 0)
    assert (await look(ana, waits))["status"] == "matched"

    table = Table(found["game"], [ana, bo])
    log = await table.log()
    assert types(log) == [
        *("game_created", "player_joined", "player_joined"),
        *("entropy_closed", "entropy_sealed", "game_started"),
    ]
    assert log[0]["host"] is None
    await table.do("roll")
    await table.do("resign", by=bo)
    assert table.game["result"]["winners"] == [0]
    assert (await look(bo, waits))["status"] == "matched"


async def test_who_waits_already_is_told_so(ana: Guest, bo: Guest) -> None:
    body = rules(10_020)
    first = await find(ana, body, idempotency_key="a")
    again = await find(ana, body, 200)
    assert again["game"]["version"] == first["game"]["version"]
    assert await find(ana, body, idempotency_key="a") == first
    matched = await find(bo, body, idempotency_key="b")
    assert await find(bo, body, idempotency_key="b") == matched, "a retry waits nowhere else"
    other = {**body, "seats": 3}
    answer = await bo.post("/v1/matchmaking", other, headers={"Idempotency-Key": "b"})
    refused(answer, 422, "idempotency_key_reused")
    anew = await find(ana, body)
    assert anew["id"] != first["id"]
    assert anew["status"] == "waiting"


@pytest.mark.parametrize(
    "other",
    [
        {"seats": 3},
        {"rules": {"preset": "farkle", "options": {"target": 10_030, "opening": 300}}},
        {"rules": {"preset": "jester"}},
    ],
)
async def test_only_the_very_same_meet(ana: Guest, bo: Guest, cy: Guest, other: Json) -> None:
    body = rules(10_030)
    waits = await find(ana, body)
    apart = await find(bo, {**body, **other})
    assert apart["id"] != waits["id"]
    same = {"rules": {"preset": "farkle", "options": {"opening": 500, "target": 10_030}}}
    assert (await find(cy, {**same, "seats": 2}))["id"] == waits["id"], (
        "what is said is what counts"
    )
    await cancel(bo, apart)


async def test_a_custom_rule_set_meets_its_equal(ana: Guest, bo: Guest) -> None:
    preset = (await ana.get("/v1/rules/farkle")).json()["rules"]
    custom = {"rules": {"custom": {**preset, "target": 10_040, "name": "mine"}}}
    waits = await find(ana, custom)
    assert (await find(bo, custom))["id"] == waits["id"]


async def test_who_cancels_leaves_a_seat_for_others(
    ana: Guest, bo: Guest, cy: Guest, guest: MakeGuest
) -> None:
    body = {**rules(10_050), "seats": 3}
    waits = await find(ana, body)
    await find(bo, body)
    gone = await cancel(ana, waits)
    assert (gone["status"], gone["seat"], gone["game"]["status"]) == ("cancelled", None, "lobby")
    assert await cancel(ana, waits) | {"game": 0} == gone | {"game": 0}, "twice is fine"
    assert (await look(ana, waits))["status"] == "cancelled"
    assert (await look(bo, waits))["status"] == "waiting"
    dee = await guest("Dee")
    assert [(await find(who, body))["status"] for who in (cy, dee)] == ["waiting", "matched"]
    problem = await bo.request("DELETE", f"/v1/matchmaking/{waits['id']}")
    refused(problem, 409, "already_started")
    assert (await cancel(ana, waits))["status"] == "cancelled"


async def test_the_last_to_cancel_closes_the_table(ana: Guest, bo: Guest) -> None:
    body = {**rules(10_060), "seats": 3}
    waits = await find(ana, body)
    await find(bo, body)
    answer = await ana.post(f"/v1/games/{waits['game_id']}/leave")
    assert modelled(GAME, answer)["status"] == "lobby"
    closed = await cancel(bo, waits, idempotency_key="c")
    assert closed["game"]["status"] == "finished"
    assert await cancel(bo, waits, idempotency_key="c") == closed
    anew = await find(ana, body)
    assert anew["id"] != waits["id"]
    stale = {"If-Match": '"9"'}
    answer = await ana.request("DELETE", f"/v1/matchmaking/{anew['id']}", headers=stale)
    refused(answer, 412, "version_conflict")
    await cancel(ana, anew)


async def test_nobody_rules_such_a_table(ana: Guest, bo: Guest, cy: Guest) -> None:
    body = {**rules(10_070), "seats": 3}
    table = Table((await find(ana, body))["game"], [ana])
    await find(bo, body)
    for who in (ana, bo):
        for command in ("start", "end"):
            await table.refused("not_host", command, status=403, by=who)
        patched = await who.request("PATCH", table.path, json={"visibility": "public"})
        refused(patched, 403, "not_host")
    seat = await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "closed"})
    refused(seat, 403, "not_host")
    await table.refused("join_code_wrong", "join", status=404, by=cy)
    await table.refused("join_code_wrong", "join", {"join_code": "0" * 8}, status=404, by=cy)
    table.game = (await find(cy, body))["game"]
    for who in (ana, bo, cy):
        await table.refused("not_host", "end", status=403, by=who)
    await table.do("resign", by=ana)
    await table.do("resign", by=bo)
    new = Table(modelled(GAME, await table.ask("rematch", by=bo), 201), [bo])
    assert new.game["host"] == bo.id, "a rematch is a table among friends"


async def test_a_match_is_ones_own(ana: Guest, bo: Guest) -> None:
    waits = await find(ana, rules(10_080))
    ordinary = await create(ana)
    nowhere = "00000000-0000-7000-8000-000000000000"
    for who, game_id in ((bo, waits["id"]), (ana, ordinary.id), (ana, nowhere)):
        refused(await who.get(f"/v1/matchmaking/{game_id}"), 404, "match_not_found")
        gone = await who.request("DELETE", f"/v1/matchmaking/{game_id}")
        refused(gone, 404, "match_not_found")
    answer = await ana.get("/v1/matchmaking/nonsense")
    refused(answer, 404, "match_not_found")
    await cancel(ana, waits)


async def test_a_match_may_be_answered_in_brief(ana: Guest) -> None:
    headers = {"Prefer": "return=minimal"}
    answer = await ana.post("/v1/matchmaking", rules(10_090), headers=headers)
    brief = modelled(MINIMAL, answer, 201)
    assert types(brief["events"]) == ["game_created", "player_joined"]
    gone = await ana.request("DELETE", answer.headers["location"], headers=headers)
    assert types(modelled(MINIMAL, gone)["events"]) == [
        *("player_left", "game_finished", "fairness_revealed")
    ]


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({}, "invalid_request", "/rules"),
        ({"rules": {"preset": "farkle"}, "seats": 1}, "invalid_request", "/seats"),
        ({"rules": {"preset": "farkle"}, "cheats": {}}, "invalid_request", ""),
        ({"rules": {"preset": "nothing"}}, "malformed_rules", "/rules/preset"),
        (
            {"rules": {"preset": "farkle", "options": {"target": 1}}},
            *("malformed_rules", "/rules/options/opening"),
        ),
    ],
)
async def test_what_cannot_be_played(ana: Guest, body: Json, code: str, pointer: str) -> None:
    problem = refused(await ana.post("/v1/matchmaking", body), 422, code)
    assert [fault["pointer"] for fault in problem["errors"]] == [pointer]


async def test_bots_fill_a_table_after_a_while(ana: Guest, bo: Guest, cy: Guest) -> None:
    body = {**rules(10_110), "seats": 3, "bots_after_s": 0}
    waits = await find(ana, {**body, "bots_after_s": 3_600})
    apart = await find(bo, body)
    assert apart["id"] != waits["id"], "how long one waits for bots is agreed on too"
    assert apart["game"]["settings"]["bots"]["fill_after_s"] == 0
    async with asyncio.timeout(60):
        while (found := await look(bo, apart))["status"] == "waiting":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert found["status"] == "matched"
    seats = found["game"]["seats"]
    assert [(seat["kind"], seat["character"]) for seat in seats] == [
        *(("human", None), ("bot", "cautious"), ("bot", "cautious"))
    ]
    table = Table(found["game"], [bo])
    await table.do("roll")
    assert types(await table.log())[:7] == [
        *("game_created", "player_joined", "seat_changed", "seat_changed"),
        *("entropy_closed", "entropy_sealed", "game_started"),
    ]
    assert (await find(cy, body))["id"] != apart["id"]
    assert (await look(ana, waits))["status"] == "waiting"
    await cancel(ana, waits)


async def test_who_is_forgotten_waits_no_longer(ana: Guest, bo: Guest) -> None:
    body = rules(10_100)
    waits = await find(ana, body)
    assert (await ana.request("DELETE", "/v1/players/me")).status_code == 204
    game = modelled(GAME, await bo.get(f"/v1/games/{waits['game_id']}"))
    assert game["status"] == "finished"
    assert (await find(bo, body))["status"] == "waiting"


async def test_a_game_that_began_otherwise_is_no_match(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    refused(await ana.get(f"/v1/matchmaking/{table.id}"), 404, "match_not_found")


@pytest.mark.parametrize("seats", [2, 3])
async def test_sixty_at_once(guest: MakeGuest, seats: int) -> None:
    """Nobody waits beside a free seat, and no table holds too many."""
    body = {**rules(10_200 + 10 * seats), "seats": seats}
    players = [await guest(f"P{n}") for n in range(60)]
    found = await gathered(*(find(who, body) for who in players))
    games = Counter(match["game_id"] for match in found)
    assert games == dict.fromkeys(games, seats)
    assert sum(match["status"] == "matched" for match in found) == 60 // seats
    looks = await gathered(*(look(who, m) for who, m in zip(players, found, strict=True)))
    assert {match["status"] for match in looks} == {"matched"}
    for game_id in games:
        held = [m["seat"] for m in looks if m["game_id"] == game_id]
        assert sorted(held) == list(range(seats))


async def test_coming_and_going_at_once(guest: MakeGuest) -> None:
    """Half of them cancel at once, some twice: who is left waits at one table, or plays."""
    body = {**rules(10_300), "seats": 4}
    players = [await guest(f"P{n}") for n in range(24)]

    async def restless(who: Guest, leaves: bool) -> Json:
        match = await find(who, body)
        if leaves:
            await asyncio.gather(
                *(who.request("DELETE", f"/v1/matchmaking/{match['id']}") for _ in range(2))
            )
        return match

    matches = await gathered(*(restless(who, n % 2 == 0) for n, who in enumerate(players)))
    looks = await gathered(*(look(who, m) for who, m in zip(players, matches, strict=True)))
    waiting = {match["game_id"] for match in looks if match["status"] == "waiting"}
    assert len(waiting) <= 1
    assert {match["status"] for match in looks[1::2]} <= {"waiting", "matched"}
    seated = Counter((m["game_id"], m["seat"]) for m in looks if m["status"] != "cancelled")
    assert set(seated.values()) == {1}
    for who, match in zip(players, looks, strict=True):
        if match["status"] == "waiting":
            assert (await cancel(who, match))["status"] == "cancelled"
