"""A repeated call acts once and gets the first answer, byte for byte."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.api.conftest import Launch
from tests.api.live import Guest, Live
from tests.api.table import create, join, refused, started

KEY = {"Idempotency-Key": "k-1"}


def same(one: httpx.Response, other: httpx.Response) -> bool:
    """Status, body, and the headers that belong to them."""
    assert one.status_code < 300, one.text
    return all(
        [
            one.status_code == other.status_code,
            one.content == other.content,
            one.headers.get("etag") == other.headers.get("etag"),
            one.headers.get("location") == other.headers.get("location"),
        ]
    )


async def test_a_repeated_roll_is_one_roll(ana: Guest) -> None:
    table = await started(ana)
    first = await table.ask("roll", idempotency_key="a")
    again = [await table.ask("roll", idempotency_key="a") for _ in range(3)]
    assert all(same(first, answer) for answer in again)
    assert [e["type"] for e in await table.log()].count("dice_rolled") == 1


async def test_five_at_once_are_one(ana: Guest) -> None:
    table = await started(ana)
    answers = await asyncio.gather(*(table.ask("roll", idempotency_key="a") for _ in range(5)))
    assert all(same(answers[0], answer) for answer in answers)
    assert [e["type"] for e in await table.log()].count("dice_rolled") == 1


async def test_one_table_is_opened(ana: Guest) -> None:
    body = {"rules": {"preset": "farkle"}}
    answers = await asyncio.gather(*(ana.post("/v1/games", body, headers=KEY) for _ in range(5)))
    answers.append(await ana.post("/v1/games", body, headers=KEY))
    assert all(same(answers[0], answer) for answer in answers)
    assert len((await ana.get("/v1/players/me/games")).json()["items"]) == 1


async def test_a_join_is_repeated_after_the_code_has_died(ana: Guest, bo: Guest) -> None:
    for path in ("/v1/join", "/v1/games/{}/join"):
        table = await create(ana)
        where, body = path.format(table.id), {"join_code": table.game["join_code"]}
        headers = {"Idempotency-Key": path}
        first = await bo.post(where, body, headers=headers)
        await table.do("start")
        assert same(first, await bo.post(where, body, headers=headers))


async def test_every_changing_call_takes_a_key(ana: Guest, bo: Guest) -> None:
    table = await create(ana, cheats={}, rolls=[[1, 5, 2, 3, 4, 4]], options={"opening": 0})
    await join(table, bo)
    calls: list[tuple[str, str, Any]] = [
        ("PATCH", "", {"visibility": "public"}),
        ("PATCH", "/seats/1", {"kind": "human"}),
        ("POST", "/join", None),
        ("POST", "/leave", None),
        ("POST", "/join", {}),
        ("POST", "/start", None),
        ("POST", "/roll", None),
        ("POST", "/select", {"dice": [0]}),
        ("POST", "/bank", None),
        ("POST", "/skip-next", {"seat": 0}),
        ("POST", "/resign", None),
        ("POST", "/rematch", None),
    ]
    for number, (method, path, body) in enumerate(calls):
        who = bo if path in ("/join", "/leave", "/resign") else ana
        options: dict[str, Any] = {} if body is None else {"json": body}
        options["headers"] = {"Idempotency-Key": f"call-{number}"}
        first = await who.request(method, table.path + path, **options)
        assert same(first, await who.request(method, table.path + path, **options)), path


async def test_a_key_is_for_one_request(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[1, 5, 2, 3, 4, 4]])
    await table.do("roll", idempotency_key="a")
    reused = "idempotency_key_reused"
    await table.refused(reused, "bank", status=422, idempotency_key="a")
    await table.refused(reused, "select", {"dice": [0]}, status=422, idempotency_key="a")
    await table.refused(reused, "roll", {"select": {"dice": [0]}}, status=422, idempotency_key="a")
    await table.do("roll", {"select": {"dice": [0]}}, idempotency_key="b")
    other = await started(ana, bo)
    await other.refused(reused, "roll", status=422, idempotency_key="a")


async def test_keys_are_each_players_own(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[2, 3, 4, 6, 6, 2], [1, 1, 1, 2, 2, 3]])
    await table.do("roll", by=ana, idempotency_key="a")
    await table.do("roll", by=bo, idempotency_key="a")


async def test_a_refusal_is_not_stored(ana: Guest) -> None:
    table = await started(ana, rolls=[[1, 5, 2, 3, 4, 4], [1, 1, 1, 1, 3]])
    await table.refused("roll_first", "bank", idempotency_key="a")
    await table.roll()
    await table.refused("below_opening", "bank", idempotency_key="a")
    await table.select(0)
    await table.roll()
    await table.do("bank", {}, idempotency_key="a")


async def test_the_key_goes_before_the_version(ana: Guest) -> None:
    """A retry that has learnt of the new version still acts once."""
    table = await started(ana, rolls=[[1, 5, 2, 3, 4, 4]])
    version = table.game["version"]
    first = await table.ask("roll", idempotency_key="a", if_match=f'"{version}"')
    for known in (version, version + 1, 1):
        again = await table.ask("roll", idempotency_key="a", if_match=f'"{known}"')
        assert same(first, again)


async def test_an_absent_body_is_an_empty_one(ana: Guest) -> None:
    table = await started(ana)
    first = await table.ask("roll", idempotency_key="a")
    assert same(first, await table.ask("roll", {}, idempotency_key="a"))


async def test_an_answer_survives_a_restart(launch: Launch) -> None:
    async with launch() as live:
        ana = await live.guest("Ana")
        table = await started(ana)
        first = await table.ask("roll", idempotency_key="a")
    async with launch() as live:
        table.players = [_moved(ana, live)]
        assert same(first, await table.ask("roll", by=table.host, idempotency_key="a"))
        assert [e["type"] for e in await table.log()].count("dice_rolled") == 1


def _moved(guest: Guest, live: Live) -> Guest:
    return Guest(guest.id, guest.name, guest.token, live)


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256])
async def test_a_key_is_plain(ana: Guest, key: str) -> None:
    table = await started(ana)
    answer = await ana.post(f"{table.path}/roll", headers={"Idempotency-Key": key.encode()})
    refused(answer, 422, "invalid_request")


async def test_a_command_outlives_its_request(live: Live, ana: Guest) -> None:
    """Whoever hangs up cancels the wait, not the roll."""
    table = await started(ana)
    desk = live.app.state.parts.games._desk
    await desk.idle()
    cut = asyncio.create_task(table.ask("roll", idempotency_key="a"))
    for _ in range(1000):
        if desk.is_idle:
            await asyncio.sleep(0)
    cut.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cut
    await desk.idle()
    assert [e["type"] for e in await table.log()].count("dice_rolled") == 1
    answer = await table.ask("roll", idempotency_key="a")
    assert answer.json()["events"][0]["type"] == "dice_rolled"


async def test_racers_on_one_version(ana: Guest) -> None:
    table = await started(ana)
    version = f'"{table.game["version"]}"'
    answers = await asyncio.gather(*(table.ask("roll", if_match=version) for _ in range(16)))
    assert sorted(a.status_code for a in answers) == [200] + [412] * 15
