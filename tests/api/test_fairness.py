"""What the server commits to, seals and reveals."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from app.api.schemas.fairness import FairnessView
from engine.dice import NO_SEAL, seal, server_commit
from tests.api.live import Guest
from tests.api.table import Json, Table, create, join, modelled, started

FAIRNESS: TypeAdapter[Any] = TypeAdapter(FairnessView)


async def fairness(table: Table) -> Json:
    return modelled(FAIRNESS, await table.host.get(f"{table.path}/fairness"))


async def test_what_is_committed_before_anything_else(ana: Guest) -> None:
    table = await create(ana)
    told = await fairness(table)
    [first, second] = told["attempts"]
    created = (await table.log())[0]
    assert [first["server_commit"], second["server_commit"]] == created["server_commits"]
    assert first["seal"] is first["seed"] is first["contributions"] is None
    assert (told["protocol"], told["verdict"], told["revealed"]) == ("pf1", "incomplete", False)


async def test_the_start_seals(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    told = await fairness(table)
    assert len(told["attempts"]) == 3
    first = told["attempts"][0]
    commit = bytes.fromhex(first["server_commit"])
    assert first["seal"] == seal(table.id, 0, NO_SEAL, commit).hex()
    assert first["contributions"] == []
    assert told["attempts"][1]["seal"] is None
    assert told["seats"] == [{"seat": 0, "mixed": False}, {"seat": 1, "mixed": False}]
    await table.roll()
    assert (await fairness(table))["rolls"] == 1


@pytest.mark.parametrize("ending", ["end", "resign", "lobby", "leave"])
async def test_every_ending_reveals(ana: Guest, bo: Guest, ending: str) -> None:
    table = await create(ana)
    if ending in ("end", "resign"):
        await join(table, bo)
        await table.do("start")
    await table.do("end" if ending == "lobby" else ending, by=ana)
    told = await fairness(table)
    assert (told["verdict"], told["revealed"]) == ("server_committed_only", True)
    assert len(told["attempts"]) == (3 if ending in ("end", "resign") else 2)
    for attempt in told["attempts"]:
        seed = bytes.fromhex(attempt["seed"])
        made = server_commit(table.id, attempt["epoch"], seed).hex()
        assert made == attempt["server_commit"]
    log = await table.log()
    assert log[-1]["type"] == "fairness_revealed"
    assert log[-1]["seeds"] == [attempt["seed"] for attempt in told["attempts"]]


async def test_every_game_has_secrets_of_its_own(ana: Guest) -> None:
    commits = [
        attempt["server_commit"]
        for _ in range(5)
        for attempt in (await fairness(await create(ana)))["attempts"]
    ]
    assert len(set(commits)) == 10


async def test_seeded_dice_are_the_same_every_time(ana: Guest) -> None:
    one, other = [await started(ana, dice={"kind": "seeded", "seed": "again"}) for _ in range(2)]
    assert (await one.roll())[0]["dice"] == (await other.roll())[0]["dice"]
    assert (await fairness(one))["dice"] == "seeded"


async def test_a_cheat_shows_the_fair_faces_too(ana: Guest) -> None:
    table = await started(ana, cheats={"loaded": [0, 1]})
    await table.roll()
    [rolled] = [e for e in table.events if e["type"] == "dice_rolled"]
    assert rolled["dice"][:5] == [rolled["dice"][0]] * 5
    if rolled["fair"] is not None:
        assert rolled["fair"][0] == rolled["dice"][0]
    assert (await fairness(table))["cheats"] is True


async def test_after_a_script_dice_are_fair(ana: Guest) -> None:
    table = await started(ana, rolls=[[1, 2, 3, 4, 5, 6]])
    assert (await table.roll())[0]["scripted"] is True
    await table.select(*range(6))
    assert (await table.roll())[-1]["type"] in ("dice_rolled", "turn_busted")
    [rolled] = [e for e in table.events if e["type"] == "dice_rolled"]
    assert (rolled["scripted"], rolled["roll"]) == (False, 1)


async def test_scripts_may_be_switched_off(launch: Any) -> None:
    async with launch(scripted_dice=False) as live:
        host = await live.guest("Ana")
        for dice in ({"kind": "scripted", "rolls": []}, {"kind": "seeded", "seed": "x"}):
            body = {"rules": {"preset": "farkle"}, "dice": dice}
            answer = await host.post("/v1/games", body)
            assert (answer.status_code, answer.json()["code"]) == (422, "not_available")
        await create(host, dice={"kind": "fair"})
