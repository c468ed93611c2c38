"""Tables listed and shown: pages, conditional reads, and answers that are not the whole game."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.api.live import Guest
from tests.api.table import GAME, GAMES, MINIMAL, Json, create, join, modelled, refused, started


async def listed(who: Guest | httpx.AsyncClient, path: str, **query: Any) -> list[Json]:
    """All pages of a list of games."""
    items: list[Json] = []
    while True:
        page = modelled(GAMES, await who.get(path, params={"limit": 2, **query}))
        assert len(page["items"]) <= 2
        items += page["items"]
        if page["next"] is None:
            return items
        query["cursor"] = page["next"]


async def test_a_game_is_shown_with_its_version(ana: Guest, client: httpx.AsyncClient) -> None:
    table = await create(ana)
    answer = await client.get(table.path)
    game = modelled(GAME, answer)
    assert answer.headers["etag"] == f'"{game["version"]}"'
    for known in ('"2"', 'W/"2"', '"1", "2"', "*"):
        again = await client.get(table.path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == '"2"'
    assert (await client.get(table.path, headers={"If-None-Match": '"1"'})).status_code == 200


async def test_times_and_ids(ana: Guest) -> None:
    game = (await create(ana)).game
    for time in (game["now"], game["created_at"]):
        assert len(time) == len("2026-01-01T00:00:00.000Z")
        assert time.endswith("Z")
    assert game["id"][14] == "7"


@pytest.mark.parametrize("game_id", ["x", "0" * 36, "01a22a9a-d3c9-75aa-b26f-4be476ef6daf"])
async def test_what_is_not_there_is_not_found(ana: Guest, game_id: str) -> None:
    for part in ("", "/events", "/states/1", "/fairness", "/export"):
        refused(await ana.get(f"/v1/games/{game_id}{part}"), 404, "game_not_found")
    for call in ("join", "leave", "start", "roll", "bank", "end", "resign", "rematch"):
        refused(await ana.post(f"/v1/games/{game_id}/{call}"), 404, "game_not_found")


async def test_only_public_tables_are_listed(ana: Guest, client: httpx.AsyncClient) -> None:
    public = [(await create(ana, visibility="public")).id for _ in range(3)]
    await create(ana)
    await create(ana, visibility="private")
    scripted = await create(ana, visibility="public", rolls=[])
    found = [row["id"] for row in await listed(client, "/v1/games")]
    assert [game for game in found if game in public] == public[::-1]
    assert scripted.id not in found
    assert len(found) == len(set(found))


async def test_lists_are_filtered(ana: Guest, bo: Guest, client: httpx.AsyncClient) -> None:
    lobby = await create(ana, "jester", visibility="public")
    playing = await create(ana, "jester", visibility="public")
    await join(playing, bo)
    await playing.do("start")
    found = await listed(client, "/v1/games", status="lobby", preset="jester")
    assert lobby.id in [row["id"] for row in found]
    assert {(row["status"], row["preset"]) for row in found} == {("lobby", "jester")}
    running = await listed(client, "/v1/games", status="playing", preset="jester")
    [row] = [row for row in running if row["id"] == playing.id]
    assert row["seat_to_move"] == 0
    assert [seat["name"] for seat in row["seats"]] == ["Ana", "Bo"]


@pytest.mark.parametrize(
    "query",
    [
        {"status": "open"},
        {"limit": "0"},
        {"limit": "01"},
        {"limit": "201"},
        {"limit": "1_0"},
        {"cursor": "AAAA"},
        {"cursor": "a b"},
        {"preset": "A"},
        {"preset": "zz"},
    ],
)
async def test_queries_are_read_strictly(client: httpx.AsyncClient, query: Json) -> None:
    problem = refused(await client.get("/v1/games", params=query), 422, "invalid_request")
    assert [e["parameter"] for e in problem["errors"]] == list(query)


async def test_my_games(ana: Guest, bo: Guest) -> None:
    lobby = await create(ana, visibility="private")
    running = await started(ana, bo)
    over = await started(ana, bo)
    await over.do("end", by=ana)
    mine = "/v1/players/me/games"
    assert [row["id"] for row in await listed(ana, mine)] == [over.id, running.id, lobby.id]
    assert [row["id"] for row in await listed(bo, mine)] == [over.id, running.id]
    for status, table in (("lobby", lobby), ("playing", running), ("finished", over)):
        assert [row["id"] for row in await listed(ana, mine, status=status)] == [table.id]
    assert [row["id"] for row in await listed(ana, mine, to_move="true")] == [running.id]
    assert await listed(bo, mine, to_move="true") == []
    assert [r["id"] for r in await listed(bo, mine, to_move="false")] == [over.id, running.id]
    refused(await ana.get(mine, params={"to_move": "1"}), 422, "invalid_request")


async def test_less_is_answered_where_preferred(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    code = {"join_code": table.game["join_code"]}
    answer = await table.ask("join", code, by=bo, prefer="return=minimal")
    data = modelled(MINIMAL, answer)
    assert (data["version"], [e["type"] for e in data["events"]]) == (3, ["player_joined"])
    answer = await table.ask("start", prefer='respond-async, return="minimal"')
    assert [e["version"] for e in modelled(MINIMAL, answer)["events"]] == [4, 5, 6]
    answer = await table.ask("roll", prefer="return=representation")
    assert set(answer.json()) == {"game", "events"}


async def test_a_stale_version_is_refused(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[1, 5, 2, 3, 4, 4]])
    version = table.game["version"]
    problem = await table.refused(
        "version_conflict", "roll", status=412, if_match=f'"{version - 1}"'
    )
    assert problem["current_version"] == version
    await table.do("roll", if_match=f'"{version}"')
    await table.do("select", {"dice": [0]}, if_match="*")
    for malformed in ("7", '"x"', '"07"', '"1","2"', 'W/"1"', '"-1"', '"99999999999"'):
        problem = await table.refused("invalid_request", "roll", status=422, if_match=malformed)
        assert [e["parameter"] for e in problem["errors"]] == ["If-Match"]


async def test_calls_need_a_token(ana: Guest, client: httpx.AsyncClient) -> None:
    table = await create(ana, visibility="public")
    for call in ("join", "leave", "start", "roll", "bank", "end", "resign", "rematch"):
        refused(await client.post(f"{table.path}/{call}"), 401, "unauthenticated")
    refused(await client.post("/v1/games", json={}), 401, "unauthenticated")
    refused(await client.get("/v1/players/me/games"), 401, "unauthenticated")
    bad = await client.get(table.path, headers={"Authorization": "Bearer x"})
    refused(bad, 401, "unauthenticated")


@pytest.mark.parametrize("body", [{"dice": []}, {"dice": [0, 0]}, {"dice": [6]}, {"dice": [True]}])
async def test_bodies_are_read_strictly(ana: Guest, body: Json) -> None:
    table = await started(ana, rolls=[[1, 5, 2, 3, 4, 4]])
    await table.roll()
    await table.refused("invalid_request", "select", body, status=422)
    await table.refused("invalid_request", "roll", {"select": body}, status=422)
    await table.refused("invalid_request", "roll", {"seat": 1}, status=422)


async def test_custom_rules_play_like_shipped_ones(ana: Guest, client: httpx.AsyncClient) -> None:
    rules = (await client.get("/v1/rules/farkle")).json()["rules"]
    rules |= {"name": "mine", "dice": {"count": 3}, "opening": 0, "target": 300}
    rules["combinations"] = [
        {"id": "one", "kind": "single", "face": 1, "points": 100},
        {"id": "run", "kind": "straight", "faces": [2, 3, 4], "points": 200},
    ]
    body = {"rules": {"custom": rules}, "dice": {"kind": "scripted", "rolls": [[2, 3, 4]]}}
    answer = await ana.post("/v1/games", body)
    game = modelled(GAME, answer, 201)
    assert (game["preset"], game["rules"]["name"]) == (None, "mine")
    assert [seat["kind"] for seat in game["seats"]] == ["human", "human"]
    assert len((await client.get("/v1/rules")).json()["items"]) == 3
