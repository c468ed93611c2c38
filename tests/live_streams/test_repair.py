"""Hints may be lost, doubled, late or forged; connections may vanish; the log is what counts."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from app.live.announcers import InProcessAnnouncer
from app.ports import Heard
from tests.live.player import SOLO, Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.raw import RawFollower
from tests.live_streams.server import Serving, serving_on, until
from tests.live_streams.stores import Failing
from tests.live_streams.test_following import LONG, play
from tests.servers.postgres import PostgresServer

REPAIRED_WITHIN_S = 1.0


class Deaf:
    """An announcer that drops everything."""

    def announce(self, game_id: str, version: int) -> None:
        """Nothing."""

    def listen(self, heard: Heard) -> Callable[[], None]:
        return lambda: None

    async def wait(self, game_id: str, above: int, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Liar(InProcessAnnouncer):
    """Drops, doubles, delays and makes up hints."""

    def __init__(self) -> None:
        super().__init__()
        self._chance = random.Random(1)

    def announce(self, game_id: str, version: int) -> None:
        tell, chance = super().announce, self._chance
        if chance.random() < 0.3:
            return
        loop = asyncio.get_running_loop()
        for said in (version, version, version - 3, 0, -1, version + 5, 10**12):
            loop.call_later(chance.random() / 5, tell, game_id, said)
        loop.call_later(chance.random() / 5, tell, "no such game", version)


async def test_a_lost_hint_is_repaired_within_a_second(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, announcer=Deaf()) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"]) as follower:
            await follower.next("state")
            slowest = 0.0
            for _ in range(4):
                game = await play(ana, game, 1, seed=game["version"])
                acted = time.monotonic()
                await follower.until(game["version"])
                slowest = max(slowest, time.monotonic() - acted)
        assert slowest < REPAIRED_WITHIN_S
        follower.prove()


async def test_hints_that_lie_change_nothing(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, announcer=Liar()) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"], "?after=0") as follower:
            for _ in range(10):
                game = await play(ana, game, 4, seed=game["version"])
                await asyncio.sleep(0.02)
            await follower.until(game["version"])
        follower.prove()
        assert follower.events == await all_events(ana, game["id"])


async def test_a_process_that_hears_nothing_of_the_other(postgres_url: str) -> None:
    async with (
        serving_on(postgres_url, announcer=InProcessAnnouncer()) as one,
        serving_on(postgres_url, announcer=InProcessAnnouncer()) as other,
    ):
        ana = await Player.make(one.port)
        game = await ana.table(LONG)
        async with following(other.port, game["id"]) as follower:
            await follower.next("state")
            game = await play(ana, game, 20)
            await follower.until(game["version"])
        follower.prove()


async def test_a_database_that_is_away_for_a_while(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    """The follower stays, hears nothing meanwhile, and misses nothing."""
    async with serving_on(postgres_url) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"]) as follower:
            await follower.next("state")
            game = await play(ana, game, 3)
            with postgres_server.away(postgres_url.rpartition("/")[2]):
                await until(server.parts.live.failing)
                assert (await ana.ask("GET", "/health/ready")).status == 503
                refused = await ana.ask("POST", f"/v1/games/{game['id']}/end")
                assert refused.status == 503
            await until(lambda: not server.parts.live.failing())
            game = await play(ana, game, 3)
            await follower.until(game["version"])
            follower.prove()
        assert (await ana.ask("GET", "/health/ready")).status == 200


async def test_a_fault_of_ours_ends_the_stream_and_says_so(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, store_type=Failing) as server:
        store = server.parts.store
        assert isinstance(store, Failing)
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        server.parts.games.desk.stored.clear()  # as if another process had played
        async with following(server.port, game["id"]) as follower:
            await follower.next("state")
            store.fails = True
            await ana.do("POST", f"/v1/games/{game['id']}/roll")
            assert await follower.closed() == 1011
            store.fails = False
            assert b"secret" not in b"".join(follower.raw)
        async with following(server.port, game["id"], f"?after={game['version']}") as again:
            assert (await again.next("played"))["version"] == game["version"] + 1


async def test_a_thousand_that_come_and_vanish_leave_nothing(
    sqlite_server: Serving, capfd: pytest.CaptureFixture[str]
) -> None:
    ana = await Player.make(sqlite_server.port)
    games = [await ana.table(SOLO) for _ in range(3)]
    live = sqlite_server.parts.live
    async with following(sqlite_server.port, games[0]["id"]) as follower:
        await follower.next("state")  # the background runs
    await until(lambda: not len(live.connections))
    tasks = len(asyncio.all_tasks())
    chance = random.Random(1)
    ids = [*(g["id"] for g in games), "01936f2e-7b1c-7000-8000-000000000000", "none"]
    queries = ("", "?after=0", "?view=events", "?after=9999", "?after=x", "?ticket=x")

    async def come_and_vanish() -> None:
        raw = await RawFollower.open(
            sqlite_server.port,
            chance.choice(ids),
            chance.choice(queries),
            token=chance.choice(("", ana.token)),
        )
        if chance.random() < 0.7:
            await asyncio.sleep(chance.random() / 50)
        raw.vanish()

    for _ in range(20):
        await asyncio.gather(*(come_and_vanish() for _ in range(50)))
    await until(lambda: not len(live.connections) and not sqlite_server.hub.channels, 5.0)
    await until(lambda: len(asyncio.all_tasks()) <= tasks, 5.0)
    said = capfd.readouterr()
    assert "Traceback" not in said.out + said.err
    assert "stream_failed" not in said.out
