"""Many at once, over sockets, at one server process and at two: exactly one of them wins."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.live.conftest import Served
from tests.live.history import verified
from tests.live.player import SOLO, Json, Player, gathered, next_move
from tests.live.server import Live
from tests.live.wire import Line, Reply

RACERS = 16
SCRIPTED: Json = {
    "rules": {"preset": "farkle"},
    "dice": {"kind": "scripted", "rolls": [[1, 2, 3, 4, 6, 6]]},
    "pass_and_play": True,
}


@pytest.fixture(params=[1, 2], ids=["one process", "two processes"])
def servers(request: pytest.FixtureRequest, served: Served) -> list[Live]:
    return served.up(request.param)


async def at_once(servers: Sequence[Live], raws: Sequence[bytes]) -> list[Reply]:
    """Each on a connection of its own, opened beforehand, at one server after the other."""
    lines = [await Line.open(servers[n % len(servers)].port) for n in range(len(raws))]
    try:
        return await gathered(*(line.ask(raw) for line, raw in zip(lines, raws, strict=True)))
    finally:
        for line in lines:
            line.cut()


def counted(answers: Sequence[Reply]) -> Counter[tuple[int, str | None]]:
    return Counter((answer.status, answer.code) for answer in answers)


async def _race_for_versions(servers: list[Live], versions: int) -> None:
    player, chance = await Player.make(servers[0].port), random.Random(versions)
    game = await player.table(SOLO)
    for number in range(versions):
        if game["status"] == "finished":
            game = await player.table(SOLO)
        tag = f'"{game["version"]}"'
        raws = [
            player.raw(*next_move(game, chance), key=f"{number}-{racer}", if_match=tag)
            for racer in range(RACERS)
        ]
        answers = await at_once(servers, raws)
        assert counted(answers) == {(200, None): 1, (412, "version_conflict"): RACERS - 1}
        [won] = [answer.json() for answer in answers if answer.ok]
        lost = [answer.json() for answer in answers if not answer.ok]
        assert {a["current_version"] for a in lost} == {won["game"]["version"]}
        assert won["events"][0]["version"] == game["version"] + 1
        game = won["game"]
    export = (await player.ask("GET", f"/v1/games/{game['id']}/export")).body
    assert len(verified(export, game["id"])) == game["version"]


async def test_of_racers_on_one_version_one_wins(servers: list[Live]) -> None:
    await _race_for_versions(servers, 20)


@pytest.mark.soak
async def test_of_racers_on_each_of_2000_versions_one_wins(servers: list[Live]) -> None:
    await _race_for_versions(servers, 2_000)


async def test_of_racers_without_version_one_rolls(servers: list[Live]) -> None:
    player = await Player.make(servers[0].port)
    for _ in range(3):
        game = await player.table(SCRIPTED)
        path = f"/v1/games/{game['id']}"
        answers = await at_once(servers, [player.raw("POST", f"{path}/roll")] * RACERS)
        assert counted(answers) == {(200, None): 1, (409, "nothing_selected"): RACERS - 1}
        [won] = [answer.json() for answer in answers if answer.ok]
        assert [e["type"] for e in won["events"]] == ["dice_rolled"]
        assert (await player.do("GET", path))["version"] == won["game"]["version"]


async def test_one_key_sent_five_times_at_once_has_one_effect(servers: list[Live]) -> None:
    host, guest = [await Player.make(servers[0].port, name) for name in ("Ana", "Bo")]
    made = await at_once(servers, [host.raw("POST", "/v1/games", SCRIPTED, key="create")] * 5)
    _same(made, 201)
    held = await host.do("GET", "/v1/players/me/games")
    assert len(held["items"]) == 1

    lobby = await host.table({"rules": {"preset": "farkle"}}, start=False)
    path, code = f"/v1/games/{lobby['id']}", {"join_code": lobby["join_code"]}
    _same(await at_once(servers, [guest.raw("POST", f"{path}/join", code, key="join")] * 5))
    by_code = host.raw("POST", "/v1/join", code, key="again")
    assert {a.code for a in await at_once(servers, [by_code] * 5)} == {"already_seated"}
    _same(await at_once(servers, [host.raw("POST", f"{path}/start", key="start")] * 5))
    started = await host.do("GET", path)
    rolled = await at_once(servers, [host.raw("POST", f"{path}/roll", key="roll")] * 5)
    _same(rolled)
    game = await host.do("GET", path)
    assert game["version"] == rolled[0].json()["events"][-1]["version"]
    assert game["version"] == started["version"] + len(rolled[0].json()["events"])


async def test_two_bodies_with_one_key_at_once(servers: list[Live]) -> None:
    player = await Player.make(servers[0].port)
    asked = [
        player.raw("POST", "/v1/games", SOLO | {"visibility": v}, key="k")
        for v in ("private", "unlisted")
    ]
    answers = counted(await at_once(servers, asked * 4))
    assert answers == {(201, None): 4, (422, "idempotency_key_reused"): 4}


async def test_of_fifty_who_want_the_last_seat_one_gets_it(servers: list[Live]) -> None:
    host = await Player.make(servers[0].port)
    guests = [await Player.make(servers[0].port, f"Guest {n}") for n in range(50)]
    lobby = await host.table({"rules": {"preset": "farkle"}}, start=False)
    path, code = f"/v1/games/{lobby['id']}/join", {"join_code": lobby["join_code"]}
    half = len(guests) // 2
    raws = [guest.raw("POST", path, code) for guest in guests[:half]]
    raws += [guest.raw("POST", "/v1/join", code) for guest in guests[half:]]
    answers = await at_once(servers, raws)
    assert counted(answers) == {(200, None): 1, (409, "table_full"): 49}
    game = await host.do("GET", f"/v1/games/{lobby['id']}")
    assert [seat["player_id"] is not None for seat in game["seats"]] == [True, True]
    assert game["version"] == lobby["version"] + 1


def _same(answers: Sequence[Reply], status: int = 200) -> None:
    assert {answer.status for answer in answers} == {status}
    assert len({answer.body for answer in answers}) == 1
    assert len({answer.header("etag") for answer in answers}) == 1
    assert len({answer.header("location") for answer in answers}) == 1


async def test_commands_and_reads_at_once_do_not_meet(servers: list[Live]) -> None:
    """Two commands and a read at a time, over and over: no connection serves two at once."""
    player, chance = await Player.make(servers[0].port), random.Random(3)
    game = await player.table(SOLO)
    for _ in range(30):
        if game["status"] == "finished":
            game = await player.table(SOLO)
        path = f"/v1/games/{game['id']}"
        raws = [player.raw(*next_move(game, chance)) for _ in range(2)]
        raws += [player.raw("GET", path), player.raw("GET", f"{path}/events?limit=200")]
        answers = await at_once(servers, raws)
        assert all(answer.status in (200, 409) for answer in answers), answers
        game = await player.do("GET", path)
