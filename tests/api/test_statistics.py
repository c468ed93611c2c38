"""Players over time, over HTTP: whole games are played, and what is told of them is recomputed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from app.api.schemas.statistics import Leaderboard, PastGamePage, PlayerProfile
from tests.api.conftest import Launch
from tests.api.contributing import contributors
from tests.api.live import OPERATOR, Guest, Live
from tests.api.table import Table, create, join, modelled, refused, started

PROFILE: TypeAdapter[Any] = TypeAdapter(PlayerProfile)
PAST: TypeAdapter[Any] = TypeAdapter(PastGamePage)
BOARD: TypeAdapter[Any] = TypeAdapter(Leaderboard)

Json = dict[str, Any]
NOTHING: Json = {
    "games": 0,
    "wins": 0,
    "turns": 0,
    "busts": 0,
    "bust_rate_permille": None,
    "banked_turns": 0,
    "banked_points": 0,
    "average_banked_turn": None,
    "best_turn": 0,
    "hot_dice": 0,
    "worlds": [],
}
MOST = 300
"""Commands of a game."""
SHORT: Json = {"options": {"target": 1000, "opening": 0}, "seats": [{"kind": "human"}] * 3}


@pytest.fixture
async def own(launch: Launch) -> AsyncIterator[Live]:
    """A server whose ladders are this test's alone."""
    async with launch(operator_token=(OPERATOR,)) as live:
        yield live


async def profile(client: Any, player: Guest) -> Json:
    return modelled(PROFILE, await client.get(f"/v1/players/{player.id}"))


async def games_of(client: Any, player: Guest, **params: Any) -> Json:
    return modelled(PAST, await client.get(f"/v1/players/{player.id}/games", params=params))


async def board(client: Any, **params: Any) -> Json:
    return modelled(BOARD, await client.get("/v1/leaderboard", params=params))


async def counted(client: Any, player: Guest, games: int) -> Json:
    """The profile, once it tells of so many games."""
    async with asyncio.timeout(20):
        while (found := await profile(client, player))["games"] < games:  # noqa: ASYNC110 — as a client
            await asyncio.sleep(0.02)
    return found


async def play_out(table: Table) -> Table:
    """To the end: the best selection, some rolls, then the bank. An exact target may take too long
    to be hit: its host ends such a game."""
    target, rolls = table.game["rules"]["target"], 0
    for _ in range(MOST):
        if table.game["status"] != "playing":
            return table
        legal, turn = table.game["legal"], table.turn
        if turn["phase"] == "to_roll":
            rolls = 0
        elif legal["selections"] and not any(die["selected"] for die in turn["dice"]):
            best = max(legal["selections"], key=lambda s: s["points"])
            await table.select(*best["dice"], wild_face=best.get("wild_face"))
            legal = table.game["legal"]
        may = legal["commands"]
        if "bank" in may and (rolls > 2 or legal["bank"]["total"] == target or "roll" not in may):
            await table.bank()
        else:
            await table.roll()
            rolls += 1
    await table.do("end", by=table.host)
    return table


async def figures_of(table: Table, seat: int) -> Json:
    """What the log says of a seat, by plain arithmetic."""
    log: list[Json] = []
    while True:
        after = log[-1]["version"] if log else 0
        path = f"{table.path}/events?limit=200&after={after}"
        page = (await table.host.get(path)).json()["items"]
        if not page:
            break
        log += page
    own = [e for e in log if e["seat"] == seat]
    banked = [e["score"] for e in own if e["type"] == "turn_banked"]
    busts = [e["credited"] for e in own if e["type"] == "turn_busted"]
    overshot = [e["credited"] for e in own if e["type"] == "turn_overshot"]
    turns = len(banked) + len(busts) + len(overshot)
    return {
        "turns": turns,
        "busts": len(busts),
        "bust_rate_permille": int(1000 * len(busts) / turns + 0.5) if turns else None,
        "banked_turns": len(banked),
        "banked_points": sum(banked),
        "average_banked_turn": int(sum(banked) / len(banked) + 0.5) if banked else None,
        "best_turn": max([*banked, *busts, *overshot], default=0),
        "hot_dice": sum(e["type"] == "hot_dice" for e in own),
    }


async def test_a_new_player_has_figures_of_nothing(ana: Guest, client: httpx.AsyncClient) -> None:
    found = await profile(client, ana)
    assert found == NOTHING | {k: found[k] for k in ("id", "name", "created_at", "bot")}
    assert (found["id"], found["name"]) == (ana.id, "Ana")
    assert (await games_of(client, ana))["items"] == []


@pytest.mark.parametrize("preset", ["farkle", "house", "jester"])
async def test_whole_games_are_told_as_they_were(
    ana: Guest, bo: Guest, client: httpx.AsyncClient, preset: str
) -> None:
    options = {} if preset == "jester" else {"options": {"target": 2000}}
    table = await play_out(await started(ana, bo, preset=preset, **options))
    winners = table.game["result"]["winners"]
    for seat, player in enumerate((ana, bo)):
        figures, won = await figures_of(table, seat), seat in winners
        found = await counted(client, player, 1)
        assert found == found | figures | {"games": 1, "wins": int(won)}
        (past,) = (await games_of(client, player))["items"]
        assert past == past | figures | {"won": won}
        assert past["game"]["id"] == table.id
        assert past["ended_at"] == past["game"]["updated_at"]
        rules = {"rules": {"preset": preset, **options}}
        checked = (await client.post("/v1/rules/validate", json=rules)).json()
        assert past["rules_key"] == checked["rules_key"]


async def test_a_walkover_counts_and_the_figures_add_up(
    ana: Guest, bo: Guest, cy: Guest, client: httpx.AsyncClient
) -> None:
    tables = [await play_out(await started(ana, bo, cy, **SHORT)) for _ in range(2)]
    left = await beaten(ana, bo)
    assert left.game["result"]["reason"] == "walkover"
    found = await counted(client, ana, 3)
    wins = sum(0 in table.game["result"]["winners"] for table in tables) + 1
    each = [await figures_of(table, 0) for table in tables]
    assert found["wins"] == wins
    for name in ("turns", "busts", "banked_turns", "banked_points", "hot_dice"):
        assert found[name] == sum(figures[name] for figures in each)
    assert found["best_turn"] == max(figures["best_turn"] for figures in each)
    assert (await counted(client, bo, 3))["games"] == 3
    assert [g["game"]["id"] for g in (await games_of(client, ana))["items"]] == [
        *(left.id, tables[1].id, tables[0].id)
    ]


async def test_games_that_are_not_fair_count_for_nothing(
    ana: Guest, bo: Guest, client: httpx.AsyncClient
) -> None:
    unfair_ones: tuple[Json, ...] = (
        {"rolls": []},
        {"dice": {"kind": "seeded", "seed": "x"}},
        {"cheats": {"loaded": [1]}},
    )
    for unfair in unfair_ones:
        table = await started(ana, bo, **unfair)
        await table.do("end", by=ana)
    alone = await started(ana, seats=[{"kind": "human"}])
    await alone.do("end")
    both = await started(ana)
    await both.do("end")
    closed = await create(ana)
    await join(closed, bo)
    await closed.do("end", by=ana)
    fair = await started(ana, bo)
    await fair.do("end", by=ana)
    assert (await counted(client, ana, 1))["games"] == 1
    assert [g["game"]["id"] for g in (await games_of(client, bo))["items"]] == [fair.id]


async def test_a_running_game_is_not_told(ana: Guest, bo: Guest, client: httpx.AsyncClient) -> None:
    running = await started(ana, bo)
    over = await started(ana, bo)
    await over.do("end", by=ana)
    assert (await counted(client, ana, 1))["games"] == 1
    assert running.id not in (await client.get(f"/v1/players/{ana.id}/games")).text


async def test_private_games_are_told_to_who_sat_there(
    ana: Guest, bo: Guest, cy: Guest, client: httpx.AsyncClient
) -> None:
    ids = {}
    for visibility in ("public", "unlisted", "private"):
        table = await started(ana, bo, visibility=visibility)
        await table.do("end", by=ana)
        ids[visibility] = table.id
    await counted(client, ana, 3)
    for who in (ana, bo):
        told = (await games_of(who, ana))["items"]
        assert [g["game"]["id"] for g in told] == list(reversed(ids.values()))
    for other in (cy, client):
        told = (await games_of(other, ana))["items"]
        assert [g["game"]["id"] for g in told] == [ids["unlisted"], ids["public"]]
        assert (await games_of(other, ana, limit=2))["next"] is None, "not even that there is one"
    bad = {"Authorization": "Bearer nonsense"}
    refused(await client.get(f"/v1/players/{ana.id}/games", headers=bad), 401, "unauthenticated")


async def test_past_games_come_in_pages(ana: Guest, bo: Guest, client: httpx.AsyncClient) -> None:
    made = []
    for _ in range(5):
        table = await started(ana, bo)
        await table.do("end", by=ana)
        made.append(table.id)
    await counted(client, ana, 5)
    seen, cursor = list[Any](), dict[str, Any]()
    for size in (2, 2, 1):
        page = await games_of(client, ana, limit=2, **cursor)
        assert len(page["items"]) == size
        seen += [g["game"]["id"] for g in page["items"]]
        cursor = {"cursor": page["next"]}
    assert cursor == {"cursor": None}
    assert seen == made[::-1]


@pytest.mark.parametrize("path", ["/v1/players/{}/games", "/v1/leaderboard"])
@pytest.mark.parametrize("params", [{"cursor": "nonsense"}, {"cursor": "MSwy"}, {"limit": "0"}])
async def test_pages_that_are_none(
    ana: Guest, client: httpx.AsyncClient, path: str, params: Json
) -> None:
    refused(await client.get(path.format(ana.id), params=params), 422, "invalid_request")


async def test_an_unknown_preset_has_no_ladder(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/leaderboard", params={"preset": "zz"})
    assert [e["parameter"] for e in refused(answer, 422, "invalid_request")["errors"]] == ["preset"]


async def test_nobody_has_no_games(client: httpx.AsyncClient) -> None:
    path = "/v1/players/00000000-0000-7000-8000-000000000000"
    for below in ("", "/games"):
        refused(await client.get(path + below), 404, "player_not_found")


async def sealed(host: Guest, other: Guest, mixes: Guest, **body: Any) -> Table:
    """One player has mixed the dice, and so gives up with loss from the first moment on."""
    table = await create(host, **body)
    await join(table, other)
    [contributor] = [each for each in contributors(table) if each.guest is mixes]
    await contributor.commits()
    await table.do("start", by=host)
    await contributor.reveals()
    return table


async def beaten(winner: Guest, loser: Guest, **body: Any) -> Table:
    """A game that one player wins, because the other gives up."""
    table = await sealed(winner, loser, loser, **body)
    await table.do("resign", by=loser)
    return table


async def test_who_leaves_before_the_first_roll_loses_nothing(
    ana: Guest, bo: Guest, cy: Guest, client: httpx.AsyncClient
) -> None:
    walkover = await started(ana, bo)
    await walkover.do("resign", by=bo)
    assert walkover.game["result"]["winners"] == [0]
    table = await create(ana, **SHORT)
    await join(table, bo, cy)
    await table.do("start", by=ana)
    await table.do("resign", by=cy)
    await play_out(table)
    for player in (ana, bo):
        assert (await counted(client, player, 1))["games"] == 1
    assert (await profile(client, cy))["games"] == 0


async def test_the_leaderboard_is_by_wins(own: Live) -> None:
    people = [await own.guest(name) for name in ("Ana", "Bo", "Cy", "Di")]
    ana, bo, cy, di = people
    async with own.client() as client:
        assert (await board(client, preset="farkle"))["items"] == []
        for winner, loser in ((ana, bo), (ana, bo), (bo, cy), (cy, di)):
            await beaten(winner, loser)
        for player, games in ((ana, 2), (bo, 3), (cy, 2), (di, 1)):
            await counted(client, player, games)
        found = await board(client, preset="farkle")
        assert [
            (row["rank"], row["name"], row["wins"], row["games"]) for row in found["items"]
        ] == [
            (1, "Ana", 2, 2),
            (2, "Cy", 1, 2),
            (2, "Bo", 1, 3),
            (4, "Di", 0, 1),
        ]
        assert (found["preset"], found["rules_key"], found["next"]) == ("farkle", None, None)
        seen, cursor = list[Any](), dict[str, Any]()
        for _ in people:
            page = await board(client, preset="farkle", limit=1, **cursor)
            seen += page["items"]
            cursor = {"cursor": page["next"]}
        assert cursor == {"cursor": None}
        assert seen == found["items"]
        assert (await board(client))["items"] == found["items"]
        assert (await board(client, preset="house"))["items"] == []


async def test_a_leaderboard_for_each_rule_set(own: Live) -> None:
    ana, bo = await own.guest("Ana"), await own.guest("Bo")
    async with own.client() as client:
        low = {"target": 700}
        rules = (await client.get("/v1/rules/farkle")).json()["rules"]
        custom = rules | {"name": "mine"}
        await beaten(ana, bo)
        await beaten(bo, ana, options=low)
        await beaten(bo, ana, rules={"custom": custom})
        await counted(client, ana, 3)

        async def key(chosen: Json) -> str:
            answer = await client.post("/v1/rules/validate", json={"rules": chosen})
            found: str = answer.json()["rules_key"]
            return found

        async def best(**params: str) -> list[tuple[str, int]]:
            found = await board(client, **params)
            return [(row["name"], row["wins"]) for row in found["items"]]

        plain = await key({"preset": "farkle"})
        assert plain == await key({"preset": "farkle", "options": {"target": 10_000}})
        assert plain == await key({"custom": rules}), "the same rules, written out"
        assert await best(rules_key=plain) == [("Ana", 1), ("Bo", 0)]
        assert await best(rules_key=await key({"preset": "farkle", "options": low})) == [
            *(("Bo", 1), ("Ana", 0))
        ]
        assert await best(rules_key=await key({"custom": custom})) == [("Bo", 1), ("Ana", 0)]
        assert await best(preset="farkle") == [("Bo", 1), ("Ana", 1)]
        assert await best() == [("Bo", 2), ("Ana", 1)]
        both = await client.get(f"/v1/leaderboard?preset=farkle&rules_key={plain}")
        assert refused(both, 422, "invalid_request")["errors"][0]["parameter"] == "rules_key"


async def test_a_voided_game_is_taken_out_again(own: Live) -> None:
    ana, bo = await own.guest("Ana"), await own.guest("Bo")
    async with own.client() as client:
        first = await beaten(ana, bo)
        await beaten(ana, bo)
        found = await counted(client, ana, 2)
        answer = await own.operate("POST", f"games/{first.id}/void")
        assert answer.status_code == 200, answer.text
        async with asyncio.timeout(20):
            while (await profile(client, ana))["games"] == 2:  # noqa: ASYNC110 — as a client
                await asyncio.sleep(0.02)
        assert await profile(client, ana) == found | {"games": 1, "wins": 1}
        assert first.id not in (await client.get(f"/v1/players/{bo.id}/games")).text
        assert [row["games"] for row in (await board(client))["items"]] == [1, 1]


async def test_a_forgotten_player_loses_the_name_alone(own: Live) -> None:
    ana, bo = await own.guest("Ana"), await own.guest("Bo")
    async with own.client() as client:
        await beaten(ana, bo)
        before = await counted(client, ana, 1)
        running = await sealed(bo, ana, ana)
        assert (await ana.request("DELETE", "/v1/players/me")).status_code == 204
        assert (await counted(client, bo, 2))["wins"] == 1, "its seat resigned"
        assert running.id in (await client.get(f"/v1/players/{bo.id}/games")).text
        after = await profile(client, ana)
        assert after == before | {"name": "deleted player", "games": 2}
        assert "Ana" not in (await client.get("/v1/leaderboard")).text
        names = {row["player_id"]: row["name"] for row in (await board(client))["items"]}
        assert names == {ana.id: "deleted player", bo.id: "Bo"}
        (old, *_) = (await games_of(client, ana))["items"][::-1]
        assert [seat["name"] for seat in old["game"]["seats"]] == ["deleted player", "Bo"]


async def test_a_rename_is_on_the_leaderboard(own: Live) -> None:
    ana, bo = await own.guest("Ana"), await own.guest("Bo")
    async with own.client() as client:
        await beaten(ana, bo)
        await counted(client, ana, 1)
        await ana.request("PATCH", "/v1/players/me", json={"name": "Anna"})
        assert [row["name"] for row in (await board(client))["items"]] == ["Anna", "Bo"]


async def test_who_starts_again_counts_what_was_left(launch: Launch) -> None:
    """The server goes right after the end; the next one finds the game waiting."""
    async with launch() as first:
        ana, bo = await first.guest("Ana"), await first.guest("Bo")
        await beaten(ana, bo)
    async with launch() as second, second.client() as client:
        assert (await counted(client, ana, 1))["wins"] == 1


async def test_both_features_are_on(client: httpx.AsyncClient) -> None:
    features = (await client.get("/v1")).json()["features"]
    assert (features["statistics"], features["leaderboard"]) == (True, True)
