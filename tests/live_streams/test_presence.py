"""Which seats are connected: told at once here, and within a second elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from app.live.timing import Timing
from tests.live.player import SOLO, Json, Player
from tests.live_streams.follower import Follower, following
from tests.live_streams.server import Serving, serving_on
from tests.servers.hotdice import HotdiceServer

TWO: Json = {"rules": SOLO["rules"]}


async def seats(follower: Follower, *expected: int) -> None:
    """Read until the seats are these."""
    while (await follower.next("presence"))["seats"] != list(expected):
        pass


async def test_seats_come_and_go(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    game = await ana.table(TWO, bo)
    async with following(server.port, game["id"]) as spectator:
        assert (await spectator.next("presence"))["seats"] == []
        async with following(server.port, game["id"], token=bo.token) as first:
            assert (await first.next("presence"))["seats"] == [1]
            assert (await spectator.next("presence"))["seats"] == [1]
            async with following(server.port, game["id"], token=bo.token) as second:
                assert (await second.next("presence"))["seats"] == [1]
            async with following(server.port, game["id"], token=ana.token):
                assert (await spectator.next("presence"))["seats"] == [0, 1]
            assert (await spectator.next("presence"))["seats"] == [1]  # a second one told nothing
        assert (await spectator.next("presence"))["seats"] == []


async def test_who_joins_while_following_is_shown(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    game = await ana.table(TWO, start=False)
    async with following(server.port, game["id"], token=bo.token) as follower:
        assert (await follower.next("presence"))["seats"] == []
        path, code = f"/v1/games/{game['id']}", {"join_code": game["join_code"]}
        await bo.do("POST", f"{path}/join", code)
        assert (await follower.next("played"))["events"][0]["type"] == "player_joined"
        assert (await follower.next("presence"))["seats"] == [1]
        await bo.do("POST", f"{path}/leave")
        assert (await follower.next("presence"))["seats"] == []


async def test_presence_is_not_in_the_log(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO)
    async with following(server.port, game["id"], token=ana.token) as follower:
        await follower.next("presence")
    assert (await ana.do("GET", f"/v1/games/{game['id']}"))["version"] == game["version"]


async def test_two_processes_on_one_database(postgres_url: str) -> None:
    async with serving_on(postgres_url) as one, serving_on(postgres_url) as other:
        ana, bo = await Player.make(one.port), await Player.make(one.port, "Bo")
        game = await ana.table(TWO, bo)
        async with AsyncExitStack() as stack:
            here = await stack.enter_async_context(following(one.port, game["id"], token=ana.token))
            await seats(here, 0)
            async with following(other.port, game["id"], token=bo.token) as there:
                await asyncio.gather(seats(here, 0, 1), seats(there, 0, 1))
                async with following(other.port, game["id"], token=ana.token):
                    await asyncio.sleep(1)
                await asyncio.sleep(1)  # ana is connected here still
            await seats(here, 0)
            assert [f["seats"] for f in here.frames if f["type"] == "presence"] == [
                [0],
                [0, 1],
                [0],
            ]


async def test_a_process_that_died_has_nobody_connected(postgres_url: str) -> None:
    timing = Timing(presence_forgotten=3.0)
    async with serving_on(postgres_url, timing=timing) as one:
        dying = HotdiceServer(postgres_url).start()
        ana = await Player.make(one.port)
        game = await ana.table(SOLO)
        async with (
            following(one.port, game["id"]) as spectator,
            following(dying.port, game["id"], token=ana.token) as follower,
        ):
            await follower.next("presence")
            await seats(spectator, 0, 1)
            await asyncio.to_thread(dying.kill)
            await seats(spectator)
            assert await follower.closed() is None


async def test_a_stopped_process_takes_its_seats_back(postgres_url: str) -> None:
    async with serving_on(postgres_url) as one:
        ana = await Player.make(one.port)
        game = await ana.table(SOLO)
        async with following(one.port, game["id"]) as spectator:
            async with (
                serving_on(postgres_url) as other,
                following(other.port, game["id"], token=ana.token) as follower,
            ):
                await follower.next("presence")
                await seats(spectator, 0, 1)
                other.stop()
                assert await follower.closed() == 1012
            await seats(spectator)
