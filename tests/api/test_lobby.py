"""The lobby: settings, seats, who comes and goes, who is host."""

from __future__ import annotations

from typing import Any

from tests.api.live import Guest
from tests.api.table import GAME, Json, Table, create, join, modelled, refused, types


async def settings(table: Table, by: Guest | None = None, **changes: Any) -> Json:
    """What PATCH answers to the host."""
    answer = await (by or table.host).request("PATCH", table.path, json=changes)
    table.game = modelled(GAME, answer)
    return table.game


async def seat(table: Table, number: int, **body: Any) -> Json:
    answer = await table.host.request("PATCH", f"{table.path}/seats/{number}", json=body)
    table.game = modelled(GAME, answer)
    return table.game


async def test_the_host_changes_settings(ana: Guest) -> None:
    table = await create(ana)
    game = await settings(table, visibility="public", dice={"kind": "seeded", "seed": "x"})
    assert game["visibility"] == "public"
    assert game["settings"]["dice"] == {"kind": "seeded", "seed": "x"}
    game = await settings(table, rules={"preset": "jester", "options": {"tier": "tycoon"}})
    assert (game["preset"], game["rules"]["target"]) == ("jester", 20000)
    assert game["seats"][0]["wild_rolls"] == 10
    assert game["visibility"] == "public"
    game = await settings(table, cheats={"head_start": {"1": 501}})
    assert game["cheats"] is True
    assert game["settings"]["cheats"]["head_start"] == {"1": 500}
    assert [s["score"] for s in game["seats"]] == [0, 500]
    game = await settings(table, cheats=None, dice=None)
    assert (game["cheats"], game["settings"]["dice"]) == (False, {"kind": "fair"})
    assert types(await table.log())[2:] == ["settings_changed"] * 4
    for name in ("rules", "visibility"):  # what a table cannot do without is not switched off
        answer = await ana.request("PATCH", table.path, json={name: None})
        problem = refused(answer, 422, "invalid_request")
        assert [fault["pointer"] for fault in problem["errors"]] == [f"/{name}"]


async def test_settings_that_do_not_fit_are_refused(ana: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}])
    answer = await ana.request("PATCH", table.path, json={"rules": {"preset": "house"}})
    problem = refused(answer, 422, "malformed_settings")
    assert [e["pointer"] for e in problem["errors"]] == ["/seats"]
    assert problem["detail"].startswith("The table's settings do not fit its rules")


async def test_nothing_changed_is_no_event(ana: Guest) -> None:
    table = await create(ana)
    game = await settings(table, visibility="unlisted")
    assert game["version"] == 2


async def test_the_host_lays_the_seats(ana: Guest, bo: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}] * 3)
    await join(table, bo)
    game = await seat(table, 2, kind="closed")
    assert [s["kind"] for s in game["seats"]] == ["human", "human", "closed"]
    await table.do("start")
    assert [s["active"] for s in table.game["seats"]] == [True, True, False]


async def test_the_host_removes_a_player(ana: Guest, bo: Guest) -> None:
    table = await create(ana, visibility="private")
    await join(table, bo)
    game = await seat(table, 1, kind="human")
    assert game["seats"][1]["player_id"] is game["seats"][1]["name"] is None
    assert (await table.log())[-1]["kicked"] is True
    refused(await bo.get(table.path), 404, "game_not_found")


async def test_only_the_host_is_host(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana)
    await join(table, bo)
    for who in (bo, cy):
        answer = await who.request("PATCH", table.path, json={"visibility": "public"})
        refused(answer, 403, "not_host")
        answer = await who.request("PATCH", f"{table.path}/seats/0", json={"kind": "human"})
        refused(answer, 403, "not_host")
        await table.refused("not_host", "start", status=403, by=who)
        await table.refused("not_host", "end", status=403, by=who)
        await table.refused("not_host", "skip-next", {"seat": 0}, status=403, by=who)


async def test_a_host_that_leaves_is_followed(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}] * 3)
    await join(table, bo, cy)
    await table.do("leave", by=ana)
    assert table.game["host"] == bo.id
    assert "join_code" not in table.game
    assert types(await table.log())[-2:] == ["player_left", "host_changed"]
    table.players = [bo, cy]
    await table.do("leave", by=cy)
    assert table.game["host"] == bo.id
    await table.do("leave", by=bo)
    assert table.game["status"] == "finished"
    assert table.game["result"]["winners"] == []
    assert types(await table.log())[-3:] == ["player_left", "game_finished", "fairness_revealed"]


async def test_who_left_may_come_back(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    code = table.game["join_code"]
    await join(table, bo)
    await table.do("leave", by=bo)
    assert table.game["seats"][1]["name"] is None
    await table.refused("not_seated", "leave", status=403, by=bo)
    await join(table, bo, code=code)
    assert table.game["seats"][1]["name"] == "Bo"


async def test_the_host_closes_the_table(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    await join(table, bo)
    assert types(await table.do("end", by=ana)) == ["game_finished", "fairness_revealed"]
    assert table.game["result"]["reason"] == "ended_early"
    assert "join_code" not in table.game
