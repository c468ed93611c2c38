"""SIGTERM with streams open: everybody is told to come back, running commands finish, in time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import AsyncExitStack

import pytest

from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.raw import RawFollower
from tests.live_streams.test_following import LONG, play
from tests.live_streams.test_many_slow_peers import all_have_begun
from tests.live_streams.test_sse import listening
from tests.servers.hotdice import HotdiceServer

EXITS_WITHIN_S = 10.0


@pytest.mark.wide
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


@pytest.mark.wide
async def test_five_hundred_are_told() -> None:
    """While people play: each gets the code, and the process still ends in time."""
    server = HotdiceServer().start()
    try:
        players = [await Player.make(server.port) for _ in range(4)]
        games = [await player.table(LONG) for player in players]
        followers = [
            await RawFollower.open(server.port, games[number % 4]["id"], buffer=2**20)
            for number in range(500)
        ]
        reading = [asyncio.create_task(one.read_to_the_end()) for one in followers]
        await all_have_begun(followers)
        playing = [
            asyncio.create_task(play(player, game, 10_000))
            for player, game in zip(players, games, strict=True)
        ]
        await asyncio.sleep(0.5)
        began = time.monotonic()
        await asyncio.to_thread(server.terminate)
        assert time.monotonic() - began < EXITS_WITHIN_S
        results = await asyncio.gather(*reading)
        await asyncio.gather(*playing, return_exceptions=True)
        assert Counter(result.code for result in results) == {1012: len(followers)}
        server.start()
        logs = [
            await all_events(player, game["id"])
            for player, game in zip(players, games, strict=True)
        ]
        for number, result in enumerate(results):
            begun, log = result.frames[0]["version"], logs[number % 4]
            told = [e for frame in result.frames for e in frame.get("events", ())]
            assert told == log[begun : begun + len(told)]
        assert any(len(result.frames) > 3 for result in results)
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
