"""Following a game: gap-free pages, waiting for news, and looking back."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from tests.api.conftest import Launch
from tests.api.live import Guest, Live
from tests.api.table import EVENTS, GAME, Json, create, join, modelled, refused, started

ROLLS = [[1, 5, 2, 3, 4, 4], [1, 1, 2, 3], [2, 3, 4, 6, 6, 2], [1, 1, 1, 1, 2, 3]]


async def test_versions_have_no_gap(ana: Guest, client: httpx.AsyncClient) -> None:
    table = await started(ana)
    path, after, found = f"{table.path}/events", 0, list[Json]()
    while True:
        page = modelled(EVENTS, await client.get(path, params={"after": after, "limit": 2}))
        found += page["items"]
        if page["next"] is None:
            break
        assert page["next"] == page["items"][-1]["version"]
        after = page["next"]
    assert [event["version"] for event in found] == list(range(1, table.game["version"] + 1))
    assert found == await table.log()


async def test_a_commands_events_are_those_of_the_log(ana: Guest, bo: Guest) -> None:
    rolls = [ROLLS[0], ROLLS[2]]
    table = await started(ana, bo, rolls=rolls, options={"opening": 0})
    for command in ("roll", "bank", "roll"):
        before = table.game["version"]
        await table.do(command)
        answer = await ana.get(f"{table.path}/events", params={"after": before})
        assert modelled(EVENTS, answer)["items"] == table.events


async def test_a_wait_ends_with_the_news(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    version = table.game["version"]
    waiting = asyncio.create_task(
        bo.get(f"{table.path}/events", params={"after": version, "wait": 20})
    )
    await asyncio.sleep(0.1)
    assert not waiting.done()
    began = time.monotonic()
    await table.roll()
    page = modelled(EVENTS, await waiting)
    assert time.monotonic() - began < 0.9
    assert page["items"] == table.events


async def test_a_lost_hint_costs_a_second(live: Live, ana: Guest) -> None:
    """News that nobody announced, as from another process, is seen all the same."""
    table = await started(ana)
    version = table.game["version"]
    announcer = live.app.state.parts.announcer
    announced = announcer.announce
    waiting = asyncio.create_task(
        ana.get(f"{table.path}/events", params={"after": version, "wait": 20})
    )
    await asyncio.sleep(0.1)
    announcer.announce = lambda *_: None
    try:
        await table.roll()
    finally:
        announcer.announce = announced
    assert (await asyncio.wait_for(waiting, 3)).json()["items"] == table.events


async def test_a_version_that_was_never_there_is_refused_and_not_waited_for(ana: Guest) -> None:
    """Whoever names it has followed another server, or this one before it was restored."""
    table = await started(ana)
    version = table.game["version"]
    began = time.monotonic()
    for query in ({"after": version + 1}, {"after": version + 1, "wait": 20}):
        answer = await ana.get(f"{table.path}/events", params=query)
        assert refused(answer, 404, "version_not_found")["current_version"] == version
    assert time.monotonic() - began < 10


async def test_a_wait_without_news_ends_empty(ana: Guest) -> None:
    table = await started(ana)
    began = time.monotonic()
    query = {"after": table.game["version"], "wait": 1}
    page = modelled(EVENTS, await ana.get(f"{table.path}/events", params=query))
    assert page == {"items": [], "next": None}
    assert 0.9 < time.monotonic() - began < 3


async def test_past_events_do_not_wait(ana: Guest) -> None:
    table = await started(ana)
    began = time.monotonic()
    await ana.get(f"{table.path}/events", params={"after": 1, "wait": 20})
    assert time.monotonic() - began < 5


async def test_who_is_removed_while_waiting_sees_nothing(ana: Guest, bo: Guest) -> None:
    table = await create(ana, visibility="private")
    await join(table, bo)
    waiting = asyncio.create_task(
        bo.get(f"{table.path}/events", params={"after": table.game["version"], "wait": 20})
    )
    await asyncio.sleep(0.1)
    await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "human"})
    refused(await waiting, 404, "game_not_found")


async def test_a_stop_sends_who_waits_home(launch: Launch) -> None:
    async with launch() as live:
        ana = await live.guest("Ana")
        table = await started(ana)
        query = {"after": table.game["version"], "wait": 20}
        waiting = asyncio.create_task(ana.get(f"{table.path}/events", params=query))
        await asyncio.sleep(0.1)
        live.app.state.parts.stop()
        assert (await asyncio.wait_for(waiting, 2)).json()["items"] == []


@pytest.mark.parametrize(
    "query",
    [{"wait": "26"}, {"wait": "-1"}, {"wait": "1.5"}, {"after": "-1"}, {"after": "2147483648"}],
)
async def test_queries_are_read_strictly(ana: Guest, query: Json) -> None:
    table = await create(ana)
    answer = await ana.get(f"{table.path}/events", params=query)
    problem = refused(answer, 422, "invalid_request")
    assert [e["parameter"] for e in problem["errors"]] == list(query)


@pytest.mark.parametrize("preset", ["farkle", "jester"])
async def test_states_are_what_was_seen_live(ana: Guest, bo: Guest, preset: str) -> None:
    options = {"high_stakes": True, "opening": 0} if preset == "farkle" else {}
    rolls = {"farkle": ROLLS, "jester": [[1, 1, 1, 2], [1], [2, 3, 4, 6, 6]]}[preset]
    table = await create(ana, preset, options=options, rolls=rolls)
    seen = [table.game]
    await join(table, bo)
    seen.append(table.game)
    await table.do("start")
    plays: dict[str, list[tuple[str, Json | None]]] = {
        "farkle": [("roll", None), ("bank", None), ("take-over", None), ("bank", None)],
        "jester": [("wild-roll", None), ("select", {"dice": [0, 1]}), ("select", WILD)],
    }
    for command, body in plays[preset]:
        seen.append(table.game)
        await table.do(command, body)
    seen.append(table.game)
    await table.roll()
    seen.append(table.game)
    await table.do("end", by=ana)
    for then in (*seen, table.game):
        now = modelled(GAME, await bo.get(f"{table.path}/states/{then['version']}"))
        then.pop("join_code", None)  # dead by now
        assert {**now, "now": None} == {**then, "now": None}


WILD = {"dice": [0, 1, 2, 4], "wild_face": 1}


async def test_every_version_has_a_state(ana: Guest, bo: Guest) -> None:
    """Also those between the events of one command."""
    options = {"target": 1000, "opening": 0, "high_stakes": True}
    rolls = [*ROLLS[:1], [1, 1, 2, 3], [1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1], [2, 3, 4, 6, 6, 2]]
    table = await started(ana, bo, options=options, rolls=rolls)
    for command in ("roll", "bank", "take-over", "bank", "roll"):
        await table.do(command)
    await table.select(*range(6))
    await table.roll()
    await table.bank()
    await table.roll()
    assert table.game["status"] == "finished"
    for version in range(1, table.game["version"] + 1):
        answer = await ana.get(f"{table.path}/states/{version}")
        assert modelled(GAME, answer)["version"] == version
    for beyond in (table.game["version"] + 1, 2**31 - 1):
        answer = await ana.get(f"{table.path}/states/{beyond}")
        problem = refused(answer, 404, "version_not_found")
        assert problem["current_version"] == table.game["version"]
    for spelling in ("0", "x", "-1", "01", str(2**31)):
        assert (await ana.get(f"{table.path}/states/{spelling}")).status_code == 404
