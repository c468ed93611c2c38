"""Who sees what: public, unlisted and private tables, to members, players and anybody."""

from __future__ import annotations

import httpx
import pytest

from tests.api.live import Guest
from tests.api.table import GAME, create, join, modelled, refused

READS = ("", "/events", "/states/1", "/fairness", "/export")
COMMANDS = ("roll", "bank", "take-over", "wild-roll", "resign")


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
async def test_anybody_reads(
    ana: Guest, bo: Guest, client: httpx.AsyncClient, visibility: str
) -> None:
    table = await create(ana, visibility=visibility)
    for path in READS:
        for who in (bo, client):
            answer = await who.get(table.path + path)
            assert answer.status_code == 200
            assert table.game["join_code"] not in answer.text
    assert table.game["join_code"] in (await ana.get(table.path)).text


async def test_a_private_table_is_its_members_alone(
    ana: Guest, bo: Guest, cy: Guest, client: httpx.AsyncClient
) -> None:
    table = await create(ana, visibility="private")
    await join(table, bo)
    for path in READS:
        assert (await bo.get(table.path + path)).status_code == 200
        for who in (cy, client):
            refused(await who.get(table.path + path), 404, "game_not_found")
    for command in (*COMMANDS, "start", "end", "leave", "rematch", "join"):
        await table.refused("game_not_found", command, status=404, by=cy)
        await table.refused("game_not_found", command, status=404, by=cy, if_match='"1"')
    for path, body in (
        (table.path, {"advice": False}),
        (f"{table.path}/seats/0", {"kind": "human"}),
    ):
        refused(await cy.request("PATCH", path, json=body), 404, "game_not_found")
    code = {"join_code": "AAAAAAAA"}
    await table.refused("game_not_found", "join", code, status=404, by=cy)
    await table.refused("game_not_found", "join", code, status=404, by=cy, if_match='"1"')
    right = {"join_code": table.game["join_code"]}
    await table.refused("version_conflict", "join", right, status=412, by=cy, if_match='"1"')
    await table.do("start")
    await table.refused("game_not_found", "roll", status=404, by=cy)


async def test_there_and_hidden_look_the_same(ana: Guest, cy: Guest) -> None:
    hidden = (await create(ana, visibility="private")).path
    nowhere = f"{hidden[:-4]}0000"
    for path in READS:
        one, other = await cy.get(hidden + path), await cy.get(nowhere + path)
        assert one.content == other.content


async def test_an_unlisted_table_is_joined_by_code(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    await table.refused("join_code_wrong", "join", status=404, by=bo)
    await join(table, bo)


async def test_spectators_do_not_play(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana, visibility="public")
    await join(table, bo)
    await table.do("start")
    for command in COMMANDS:
        await table.refused("not_seated", command, status=403, by=cy)
    await table.refused("not_seated", "select", {"dice": [0]}, status=403, by=cy)
    await table.refused("not_host", "end", status=403, by=cy)


async def test_secrets_stay_on_the_server(ana: Guest, bo: Guest) -> None:
    """Before the end no seed is in any answer; afterwards they are what was committed to."""
    table = await create(ana)
    await join(table, bo)
    await table.do("start")
    await table.roll()
    before = "".join([(await ana.get(table.path + path)).text for path in READS])
    await table.do("end", by=ana)
    seeds = table.events[-1]["seeds"]
    assert len(seeds) == 3
    assert not [seed for seed in seeds if seed in before]


async def test_a_code_is_for_members(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana, visibility="public", seats=[{"kind": "human"}] * 3)
    await join(table, bo)
    assert "join_code" in modelled(GAME, await bo.get(table.path))
    assert "join_code" not in modelled(GAME, await cy.get(table.path))
    lists = (await bo.get("/v1/players/me/games")).text + (await cy.get("/v1/games")).text
    assert table.game["join_code"] not in lists
