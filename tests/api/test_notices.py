"""Notices of turns: written with the turn, polled and acknowledged by the operator's service."""

from __future__ import annotations

from typing import Any

import pytest

from app.notices import NoticeKey
from tests.api.conftest import Launch
from tests.api.live import OPERATOR, Guest, Live
from tests.api.table import Json, Table, create, join, refused, started

NOBODY = "00000000-0000-7000-8000-000000000000"


async def wants(*players: Guest, notices: bool = True) -> None:
    for player in players:
        answer = await player.request("PATCH", "/v1/players/me", json={"notices": notices})
        assert answer.json()["notices"] is notices


async def waiting(live: Live, *players: Guest) -> list[Json]:
    """Notices for these players."""
    answer = await live.operate("GET", "notices", params={"limit": 200})
    assert answer.status_code == 200, answer.text
    ids = {player.id for player in players}
    return [item for item in answer.json()["items"] if item["player_id"] in ids]


async def acknowledged(live: Live, *ids: str) -> int:
    answer = await live.operate("POST", "notices/ack", json={"ids": list(ids)})
    assert answer.status_code == 200, answer.text
    count: int = answer.json()["acknowledged"]
    return count


async def turned(table: Table) -> None:
    """The seat to move rolls and banks."""
    await table.roll()
    await table.bank()


def scripted(turns: int) -> Json:
    return {"options": {"opening": 0}, "rolls": [[1, 2, 3, 3, 4, 6]] * turns}


async def test_a_player_is_told_of_turns_once_it_asks(live: Live, ana: Guest, bo: Guest) -> None:
    assert (await bo.get("/v1/players/me")).json()["notices"] is False
    table = await started(ana, bo, **scripted(6))
    await turned(table)
    assert await waiting(live, ana, bo) == []
    await wants(bo)
    await turned(table)
    assert await waiting(live, ana, bo) == [], "nobody told ana, who did not ask"
    await turned(table)
    [notice] = await waiting(live, ana, bo)
    assert notice == {
        "id": f"{table.id}.{table.game['version']}",
        "player_id": bo.id,
        "game_id": table.id,
        "version": table.game["version"],
        "seat": 1,
        "at": notice["at"],
        "connected": False,
    }


async def test_a_notice_is_listed_until_it_is_acknowledged(
    live: Live, ana: Guest, bo: Guest
) -> None:
    await wants(bo)
    table = await started(ana, bo, **scripted(2))
    await turned(table)
    [notice] = await waiting(live, bo)
    assert await waiting(live, bo) == [notice]
    other = f"{NOBODY}.1"
    assert await acknowledged(live, other, notice["id"]) == 1
    assert await acknowledged(live, notice["id"]) == 0
    assert await waiting(live, bo) == []


async def test_it_goes_when_the_player_acts_and_when_the_turn_is_over(
    live: Live, ana: Guest, bo: Guest, cy: Guest
) -> None:
    await wants(ana, bo, cy)
    table = await started(ana, bo, cy, seats=[{"kind": "human"}] * 3, **scripted(9))
    await turned(table)
    assert [n["player_id"] for n in await waiting(live, ana, bo, cy)] == [bo.id]
    await table.roll()
    assert await waiting(live, ana, bo, cy) == []
    await table.bank()
    assert [n["player_id"] for n in await waiting(live, ana, bo, cy)] == [cy.id]
    await table.do("resign", by=bo)
    assert [n["player_id"] for n in await waiting(live, ana, bo, cy)] == [cy.id]
    await table.do("resign", by=cy)
    assert await waiting(live, ana, bo, cy) == []
    assert table.game["status"] == "finished"


async def test_the_first_turn_is_one_too_and_nobody_is_told_what_it_did(
    live: Live, ana: Guest, bo: Guest
) -> None:
    await wants(ana, bo)
    table = await create(ana)
    await join(table, bo)
    await table.do("start")
    assert await waiting(live, ana, bo) == []
    await table.do("end")
    again = Table((await table.ask("rematch", by=ana)).json(), [ana, bo])
    await again.do("start", by=ana)
    assert [n["player_id"] for n in await waiting(live, ana, bo)] == [bo.id]
    await live.operate("POST", f"games/{again.id}/void")
    assert await waiting(live, ana, bo) == []
    alone = await started(ana, **scripted(2))
    await turned(alone)
    assert await waiting(live, ana) == []


async def test_who_wants_no_more_is_told_no_more(live: Live, ana: Guest, bo: Guest) -> None:
    await wants(bo)
    table = await started(ana, bo, **scripted(4))
    await turned(table)
    assert len(await waiting(live, bo)) == 1
    await wants(bo, notices=False)
    assert await waiting(live, bo) == []
    await turned(table)
    await turned(table)
    assert await waiting(live, bo) == []


async def test_name_and_notices_change_apart_and_together(live: Live, ana: Guest) -> None:
    async def patch(body: Any) -> Any:
        return await ana.request("PATCH", "/v1/players/me", json=body)

    assert (await patch({"notices": True})).json()["name"] == "Ana"
    assert (await patch({"name": "Ana B"})).json()["notices"] is True
    both = (await patch({"name": "Ana C", "notices": False})).json()
    assert (both["name"], both["notices"]) == ("Ana C", False)
    for body, pointer in (
        ({}, "/name"),
        ({"notices": None}, "/notices"),
        ({"notices": 1}, "/notices"),
        ({"name": None}, "/name"),
        ({"name": ""}, "/name"),
    ):
        problem = refused(await patch(body), 422, "invalid_request")
        assert [fault["pointer"] for fault in problem["errors"]] == [pointer]


async def test_without_an_operator_nobody_is_told_anything(launch: Launch) -> None:
    async with launch() as live:
        ana = await live.guest()
        answer = await ana.request("PATCH", "/v1/players/me", json={"notices": True})
        assert refused(answer, 422, "not_available")["feature"] == "notices"
        assert (await ana.get("/v1/players/me")).json()["notices"] is False
        assert (await ana.get("/v1")).json()["features"]["notices"] is False


async def test_pages_are_the_oldest_and_old_ones_expire(launch: Launch) -> None:
    async with launch(operator_token=(OPERATOR,)) as live:
        ana, bo = await live.guest(), await live.guest("Bo")
        await wants(bo)
        tables = [await started(ana, bo, **scripted(1)) for _ in range(3)]
        for table in tables:
            await turned(table)
        all_ = (await live.operate("GET", "notices")).json()["items"]
        assert [n["game_id"] for n in all_] == [table.id for table in tables]
        first = (await live.operate("GET", "notices", params={"limit": 2})).json()["items"]
        assert first == all_[:2]
        parts = live.app.state.parts
        newest = (await parts.notices.waiting(0, 9))[-1].at
        assert await parts.notices.waiting(newest + 1, 9) == []
        await parts.notices.expire(newest + 1)
        assert await parts.notices.waiting(0, 9) == []


async def test_a_seat_that_follows_the_game_is_told_to_be_connected(
    live: Live, ana: Guest, bo: Guest
) -> None:
    from app.store.presence import SqlPresence

    await wants(bo)
    table = await started(ana, bo, **scripted(1))
    await turned(table)
    database = live.app.state.parts.store._database
    presence = SqlPresence(database, f"process of {bo.id}", 10_000)
    await presence.show([(table.id, 1)], [])
    [notice] = await waiting(live, bo)
    assert notice["connected"] is True
    await presence.withdraw()
    [notice] = await waiting(live, bo)
    assert notice["connected"] is False


@pytest.mark.parametrize(
    ("ids", "code"),
    [
        ([], "too_short"),
        ([f"{NOBODY}.1"] * 2, "repeated"),
        ([f"{NOBODY}.{n}" for n in range(1, 202)], "too_long"),
        ([NOBODY], "bad_format"),
        ([f"{NOBODY}.0"], "bad_format"),
        ([f"{NOBODY}.1\n"], "bad_format"),
        ([f"{NOBODY}.99999999999"], "bad_format"),
        ([7], "wrong_type"),
    ],
)
async def test_what_is_no_acknowledgement(live: Live, ids: Any, code: str) -> None:
    answer = await live.operate("POST", "notices/ack", json={"ids": ids})
    problem = refused(answer, 422, "invalid_request")
    assert {fault["code"] for fault in problem["errors"]} == {code}


async def test_all_of_a_page_can_be_acknowledged_at_once(live: Live) -> None:
    ids = [f"{NOBODY}.{n}" for n in range(1, 201)]
    assert await acknowledged(live, *ids) == 0
    parts = live.app.state.parts
    assert await parts.notices.acknowledge([NoticeKey(NOBODY, 1)]) == 0
