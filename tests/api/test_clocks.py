"""Clocks over HTTP: what may be asked for, what is shown, and one that really runs out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.live import Guest
from tests.api.table import Json, create, refused, started, types


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("clocks", "pointer"),
    [
        ({"turn_s": 4}, "/clocks/turn_s"),
        ({"game_s": 604_801}, "/clocks/game_s"),
        ({"turn_s": 60.5}, "/clocks/turn_s"),
        ({"move_s": 60}, "/clocks"),
    ],
)
async def test_clocks_have_limits(ana: Guest, clocks: Json, pointer: str) -> None:
    body = {"rules": {"preset": "farkle"}, "clocks": clocks}
    problem = refused(await ana.post("/v1/games", body), 422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


async def test_deadlines_stand_in_the_game(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, clocks={"turn_s": 60, "game_s": 1800})
    assert table.game["settings"]["clocks"] == {"turn_s": 60, "game_s": 1800}
    [begun] = [e["at"] for e in table.events if e["type"] == "game_started"]
    began = datetime.fromtimestamp(begun / 1000, UTC)
    assert moment(table.game["turn"]["deadline"]) == began + timedelta(seconds=60)
    assert moment(table.game["game_deadline"]) == began + timedelta(seconds=1800)
    await table.do("roll")
    assert moment(table.game["turn"]["deadline"]) == began + timedelta(seconds=60)


async def test_the_host_sets_clocks_in_the_lobby_and_without_them_there_is_no_deadline(
    ana: Guest, bo: Guest
) -> None:
    table = await create(ana)
    path = table.path
    changed = await ana.request("PATCH", path, json={"clocks": {"turn_s": 30}})
    assert changed.json()["settings"]["clocks"] == {"turn_s": 30, "game_s": None}
    plain = await started(ana, bo)
    assert plain.game["turn"]["deadline"] is plain.game["game_deadline"] is None


async def test_a_turn_really_runs_out(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, clocks={"turn_s": 5})
    answer = await ana.get(
        f"{table.path}/events", params={"after": table.game["version"], "wait": 20}
    )
    assert types(answer.json()["items"]) == ["turn_timed_out", "turn_lapsed"]
    seen = (await bo.get(table.path)).json()
    assert seen["turn"]["seat"] == 1
