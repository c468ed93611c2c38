"""Bots over HTTP: where they may sit, and that tables with them go on by themselves."""

from __future__ import annotations

from tests.api.conftest import Launch
from tests.api.live import Guest
from tests.api.table import GAME, Json, Table, create, modelled, refused, started, types

HUMAN, BOT = {"kind": "human"}, {"kind": "bot"}


async def next_events(table: Table, by: Guest, after: int) -> list[Json]:
    """What happens after a version; waited for as any client would."""
    answer = await by.get(f"{table.path}/events", params={"after": after, "wait": 20})
    found: list[Json] = answer.json()["items"]
    assert found, "nothing moved for 20 s"
    return found


async def test_house_opens_with_a_bot(ana: Guest) -> None:
    answer = await ana.post("/v1/games", {"rules": {"preset": "house"}})
    game = modelled(GAME, answer, 201)
    assert [(s["kind"], s["character"]) for s in game["seats"]] == [
        ("human", None),
        ("bot", "cautious"),
    ]


async def test_a_seat_becomes_a_bots_in_the_lobby(ana: Guest) -> None:
    table = await create(ana)
    answer = await ana.request("PATCH", f"{table.path}/seats/1", json=BOT)
    assert modelled(GAME, answer)["seats"][1]["character"] == "cautious"


async def test_a_player_hosts_a_limited_number_of_tables_with_bots(launch: Launch) -> None:
    async with launch(bot_tables=1) as live:
        ana = await live.guest()
        body = {"rules": {"preset": "house"}}
        headers = {"Idempotency-Key": "first"}
        first = await ana.post("/v1/games", body, headers=headers)
        again = await ana.post("/v1/games", body, headers=headers)
        assert again.json()["id"] == modelled(GAME, first, 201)["id"]
        assert refused(await ana.post("/v1/games", body), 409, "too_many_bot_tables")["limit"] == 1
        other = await create(ana)
        asked = await ana.request("PATCH", f"{other.path}/seats/1", json=BOT)
        refused(asked, 409, "too_many_bot_tables")
        await ana.post(f"/v1/games/{first.json()['id']}/end")
        modelled(GAME, await ana.post("/v1/games", body), 201)


async def test_a_bot_answers_a_bank(ana: Guest) -> None:
    rolls = [[1, 1, 1, 1, 3, 4], [2, 2, 3, 3, 4, 6]]
    table = await started(ana, seats=[HUMAN, BOT], rolls=rolls)
    await table.do("roll")
    await table.do("bank")
    events = await next_events(table, ana, table.game["version"])
    assert types(events)[:2] == ["dice_rolled", "turn_busted"]
    assert events[0]["seat"] == 1
    seen = (await ana.get(table.path)).json()
    assert seen["turn"]["seat"] == 0


async def test_a_table_of_bots_runs_to_its_end(ana: Guest) -> None:
    table = await create(ana, seats=[BOT, BOT, BOT], options={"target": 3000})
    await table.do("start", by=ana)
    after = table.game["version"]
    while (events := await next_events(table, ana, after)) and (
        "game_finished" not in types(events)
    ):
        after = events[-1]["version"]
    game = (await ana.get(table.path)).json()
    assert game["result"]["reason"] == "target"
    assert game["result"]["winners"]
