"""Limits, and what else ends a stream, as a real client sees it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from app.live.timing import Timing
from tests.live.player import SOLO, Player
from tests.live_streams.follower import code_of, following
from tests.live_streams.server import Serving, serving_on, until


async def test_limits_of_open_streams(sqlite_url: str) -> None:
    async with serving_on(
        sqlite_url, rate_limits=True, sockets_player=2, sockets_spectators=3, sockets_address=6
    ) as server:
        ana = await Player.make(server.port)
        game, other = await ana.table(SOLO), await ana.table(SOLO)
        async with AsyncExitStack() as stack:

            async def hold(game_id: str, token: str | None = None) -> None:
                held = following(server.port, game_id, token=token)
                await (await stack.enter_async_context(held)).next("state")

            await hold(game["id"], ana.token)
            await hold(game["id"], ana.token)
            assert await code_of(server.port, game["id"], token=ana.token) == 4429
            for _ in range(3):
                await hold(game["id"])
            assert await code_of(server.port, game["id"]) == 4429
            await hold(other["id"])
            async with following(server.port, other["id"]) as follower:
                assert await follower.closed() == 4429
            assert follower.frames[0]["code"] == "too_many_streams"
        await asyncio.sleep(0.05)
        async with following(server.port, game["id"], token=ana.token) as follower:
            assert (await follower.next())["type"] == "state"


async def test_so_many_long_polls_of_an_address_wait(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, rate_limits=True, long_polls=2) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        path = f"/v1/games/{game['id']}/events?after={game['version']}"
        polls = [asyncio.create_task(ana.ask("GET", f"{path}&wait=20")) for _ in range(2)]
        waiting = server.parts.live.connections._polls_of
        await until(lambda: sum(waiting.values()) == 2)
        refused = await ana.ask("GET", f"{path}&wait=1")
        assert (refused.status, refused.code) == (429, "too_many_streams")
        assert refused.json()["limit"] == 2
        assert refused.header("retry-after") == "1"
        assert (await ana.ask("GET", path)).status == 200, "who does not wait is no poll"
        await ana.do("POST", f"/v1/games/{game['id']}/roll")
        assert [answer.json()["items"] != [] for answer in await asyncio.gather(*polls)] == [
            True
        ] * 2
        assert (await ana.ask("GET", f"{path}&wait=1")).status == 200
        assert not waiting


async def test_who_does_not_say_who_it_is_waits_a_while_and_in_a_small_crowd(
    sqlite_url: str,
) -> None:
    timing = Timing(auth=0.5)
    async with serving_on(sqlite_url, timing=timing, rate_limits=True, sockets_waiting=3) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO | {"visibility": "private"})
        codes = await asyncio.gather(*(code_of(server.port, game["id"]) for _ in range(5)))
        assert sorted(code or 0 for code in codes) == [4401, 4401, 4401, 4429, 4429]


async def test_who_talks_without_end_is_cut_off(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, rate_limits=True) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with following(server.port, game["id"]) as follower:
            for _ in range(61):
                await follower.send({"type": "ping"})
            assert await follower.closed() == 1008
        assert [f["type"] for f in follower.frames].count("pong") == 60


async def test_pings_heartbeats_and_a_clean_goodbye(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=Timing(tick=0.05, heartbeat=0.1)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with following(server.port, game["id"]) as follower:
            await follower.next("presence")
            await follower.next("heartbeat")
            await follower.next("heartbeat")
            await follower.send({"type": "ping"})
            assert (await follower.next("pong"))["now"].endswith("Z")
            await follower.connection.close()
        assert follower.connection.close_code == 1000


async def test_without_an_upgrade_the_address_says_what_it_is_for(sqlite_server: Serving) -> None:
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    answer = await ana.ask("GET", f"/v1/games/{game['id']}/stream")
    assert (answer.status, answer.code) == (426, "upgrade_required")
