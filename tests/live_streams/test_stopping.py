"""SIGTERM with streams open: everybody is told to come back, running commands finish, in time."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.raw import RawFollower
from tests.live_streams.test_following import LONG, play
from tests.live_streams.test_sse import listening
from tests.servers.hotdice import HotdiceServer

EXITS_WITHIN_S = 10.0


async def test_everybody_is_told_and_the_process_ends_in_time() -> None:
    server = HotdiceServer().start()
    ana = await Player.make(server.port)
    game = await ana.table(LONG)
    async with AsyncExitStack() as stack:
        followers = [
            await stack.enter_async_context(following(server.port, game["id"], "?after=0"))
            for _ in range(30)
        ]
        events = await stack.enter_async_context(listening(server.port, game["id"]))
        deaf = [await RawFollower.open(server.port, game["id"]) for _ in range(3)]
        for follower in followers:
            await follower.next("presence")
        await events.next("presence")
        playing = asyncio.create_task(play(ana, game, 1_000))
        told = asyncio.create_task(events.next("error"))
        reading = [asyncio.create_task(f.closed()) for f in followers]
        await asyncio.sleep(0.7)
        began = time.monotonic()
        stopping = asyncio.create_task(asyncio.to_thread(server.terminate))
        assert await asyncio.gather(*reading) == [1012] * len(followers)
        assert (await told).data["code"] == "restarting"
        await stopping
        assert time.monotonic() - began < EXITS_WITHIN_S
        await asyncio.gather(playing, return_exceptions=True)
        for raw in deaf:
            raw.vanish()
    output = server.output()
    assert "Traceback" not in output
    assert '"level":"error"' not in output
    server.start()
    try:
        log = await all_events(ana, game["id"])
        for follower in followers:
            follower.prove()
            assert follower.events == log[: follower.version]
            async with following(server.port, game["id"], f"?after={follower.version}") as again:
                await again.until(len(log))
            assert follower.events + again.events == log
    finally:
        server.terminate()


async def test_an_address_with_a_ticket_is_printed_nowhere() -> None:
    with HotdiceServer(settings={"HOTDICE_LOG_LEVEL": "debug"}) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        ticket = (await ana.do("POST", "/v1/tickets"))["ticket"]
        async with following(server.port, game["id"], f"?ticket={ticket}") as follower:
            await follower.next("state")
        subprotocols = [f"bearer.{ana.token}"]
        async with following(server.port, game["id"], subprotocols=subprotocols) as follower:
            await follower.next("state")
        await asyncio.sleep(0.1)
        assert "stream" in server.output()
        assert ticket not in server.output()
        assert ana.token not in server.output()
