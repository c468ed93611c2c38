"""Series move on whatever process sees to them: each game opens once, so many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import cycle
from typing import Any

import pytest

from app.ids import new_id
from app.ports import Answer
from app.series import model
from app.series.model import Participant, Series
from app.service.series_runner import OPEN_LIVES_MS
from engine.state import Place
from tests.api.conftest import MakeGuest
from tests.api.live import Guest, Live, running
from tests.api.series import SERIES, Played, create
from tests.api.table import GAME, modelled
from tests.canary.canary import CANARY
from tests.live.history import verified
from tests.store import orders
from tests.store.orders import setup_of


@pytest.fixture
async def other(live: Live) -> AsyncIterator[Live]:
    """A second server on the same database, with connections and tasks of its own."""
    async with running(live.settings.database_url) as second:
        yield second


def series_of(live: Live) -> Any:
    return live.app.state.parts.games.series


async def kept(live: Live, *guests: Guest, **changed: Any) -> Played:
    """A series as a process leaves it that dies right after it has made it."""
    host = guests[0]
    setup = setup_of(new_id(), host.id)._replace(places=(Place("human"),) * 2, host=None)
    setup = setup._replace(advice=False, visibility="unlisted")
    sides = tuple(Participant(None, who.id, who.name) for who in guests)
    now = live.app.state.parts.clock.now()
    made = Series(setup.game_id, host.id, "running", None, setup, sides, 2, 1, now)
    made = made._replace(**changed)
    store = series_of(live)._store
    ids = [new_id() for _ in range(made.planned)]
    await store.create(made, ids, Answer(201, b""), most=10, key=None, fingerprint=b"")
    return Played(made.id, host, {who.id: who for who in guests})


async def test_what_a_dead_process_left_is_taken_up(live: Live, ana: Guest, bo: Guest) -> None:
    series = await kept(live, ana, bo)
    [first] = await series.running(1)  # every process looks by itself
    assert first["number"] == 0


async def test_what_a_dead_process_cancelled_comes_to_its_end(
    live: Live, ana: Guest, bo: Guest
) -> None:
    """Its games went on until nobody had touched them for a week."""
    series = await create(ana, bo, games=3, at_once=2)
    running = await series.running(2)
    store = series_of(live)._store
    await store.change(series.id, lambda old: (model.ended(old), Answer(200, b"")))
    assert (await series.view())["status"] == "cancelled"
    async with asyncio.timeout(60):
        while (await series.view())["progress"]["playing"]:  # noqa: ASYNC110  every process looks
            await asyncio.sleep(0.02)
    for game in running:
        view = modelled(GAME, await ana.get(f"/v1/games/{game['game_id']}"))
        assert view["result"]["reason"] == "ended_early"
    async with asyncio.timeout(60):
        while (await store.get(series.id)).status != "cancelled":  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert (await ana.request("DELETE", series.path)).status_code == 200
    assert (await store.get(series.id)).status == "cancelled"


async def test_a_ban_that_a_dead_process_left_half_done_cancels_the_series(
    live: Live, ana: Guest, bo: Guest
) -> None:
    series = await create(ana, bo, games=3, at_once=1)
    [first] = await series.running(1)
    accounts = live.app.state.parts.players._bans
    await accounts.ban(bo.id, live.app.state.parts.clock.now())
    await live.app.state.parts.games.desk.run(orders.ends(first["game_id"]))
    view = await series.until("cancelled")
    assert view["progress"] == {"planned": 3, "playing": 0, "counted": 0, "uncounted": 1}


async def test_whoever_is_missing_for_a_day_will_not_come(live: Live, ana: Guest) -> None:
    side = Participant(None, ana.id, ana.name)
    now = live.app.state.parts.clock.now()
    stale = await kept(
        *(live, ana),
        status="open",
        participants=(side, Participant()),
        created_at=now - OPEN_LIVES_MS - 1,
    )
    young = await kept(live, ana, status="open", participants=(side, Participant()))
    await series_of(live).look()
    await stale.until("cancelled")
    assert (await young.view())["status"] == "open"


async def test_an_end_that_nobody_has_seen_is_found(
    live: Live, other: Live, ana: Guest, bo: Guest
) -> None:
    """The process that wrote it died before it opened the next game."""
    series = await create(ana, bo, games=3, at_once=1)
    [first] = await series.running(1)
    told = live.app.state.parts.games.desk.moved
    heard: list[Callable[[Any], None]] = list(told)
    told[:] = [CANARY.moved]  # which looks on, and is no part of the process
    try:
        await series.play(first["game_id"])
        assert (await series.view())["progress"] == {
            "planned": 3,
            "playing": 0,
            "counted": 1,
            "uncounted": 0,
        }
        await series_of(other).look()
        [second] = await series.running(1)
        assert second["number"] == 1
    finally:
        told[:] = heard


async def test_two_servers_open_every_game_once(live: Live, other: Live, guest: MakeGuest) -> None:
    """Both look all the time, and games end at either; never more than four run."""
    ana, bo, cy = [await guest(name) for name in ("Ana", "Bo", "Cy")]
    sides = [{"kind": "me"}, {"kind": "player"}, {"kind": "player"}]
    series = await create(ana, bo, cy, participants=sides, games=6, at_once=4)
    there = {who.id: Guest(who.id, who.name, who.token, other) for who in (ana, bo, cy)}
    at = cycle([series, Played(series.id, there[ana.id], there)])
    most, is_over = 0, False

    async def watch() -> None:
        nonlocal most
        while not is_over:
            playing = [g for g in await series.games() if g["status"] == "playing"]
            most = max(most, len(playing))
            await asyncio.gather(*(series_of(one).look() for one in (live, other)))

    watching = asyncio.create_task(watch())
    played: set[str] = set()
    async with asyncio.timeout(100):
        while (await series.view())["status"] == "running":
            found = {g["game_id"] for g in await series.games() if g["status"] == "playing"}
            await asyncio.gather(*(next(at).play(game_id) for game_id in found - played))
            played |= found
            await asyncio.sleep(0.01)
    is_over = True
    await watching
    assert most <= 4
    view = modelled(SERIES, await ana.get(series.path))
    assert view["progress"] == {"planned": 18, "playing": 0, "counted": 18, "uncounted": 0}
    assert len(played) == 18
    for game in await series.games():
        export = (await ana.get(f"/v1/games/{game['game_id']}/export")).content
        kinds = [event["type"] for event in verified(export, game["game_id"])]
        assert [kinds.count(k) for k in ("game_created", "game_started", "game_finished")] == [
            1
        ] * 3
