"""What one process does the other tells: with a bus, without, and with one that lies."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest

from tests.cluster.buses import RedisBus
from tests.cluster.pairs import Pair, connected, counted, heard_beyond, ready
from tests.cluster.test_bus import new_game
from tests.cluster.test_hints import FORGED, OTHER
from tests.live.player import Json, Player, all_events
from tests.live_streams.follower import Follower, following
from tests.live_streams.test_following import LONG, play

SEEN_WITHIN_S = 1.0
STALLED_S = 2.0
TIMES_LOST = 5
BUSY_S = 1.0
"""What a busy machine may add to the second after which a lost hint is repaired."""


async def seen(
    pair: Pair,
    ana: Player,
    game: Json,
    follower: Follower,
    seed: int,
    within_s: float = SEEN_WITHIN_S,
) -> Json:
    """A command at one; a long-poll and a follower at the other are told."""
    path = f"/v1/games/{game['id']}/events?wait=20&after={game['version']}"
    polled = asyncio.create_task(ana.ask("GET", path, port=pair.other.port))
    await asyncio.sleep(0.05)
    game = await play(ana, game, 1, seed)
    acted = time.monotonic()
    await follower.until(game["version"])
    items = (await polled).json()["items"]
    assert time.monotonic() - acted < within_s
    assert items[-1]["version"] == game["version"]
    return game


async def test_a_command_at_one_is_seen_at_the_other(pair: Pair) -> None:
    ana = await Player.make(pair.one.port)
    await connected(pair.one, pair.other)
    game = await ana.table(LONG)
    async with following(pair.other.port, game["id"]) as follower:
        await follower.next("state")
        heard = await counted(pair.other, "heard")
        for seed in range(10):
            game = await seen(pair, ana, game, follower, seed)
        assert await counted(pair.other, "heard") >= heard + 10
    follower.prove()
    assert (await ready(pair.other))["kind"] == pair.bus.kind


@pytest.mark.wide
async def test_a_bus_that_is_lost_is_missed_by_nobody(pair: Pair) -> None:
    """Commands go on, followers are told, and once it is back it carries hints: five times."""
    ana = await Player.make(pair.one.port)
    game = await ana.table(LONG)
    async with following(pair.other.port, game["id"], "?after=0") as follower:
        for seed in range(TIMES_LOST):
            if isinstance(pair.bus, RedisBus):
                pair.bus.redis.kill()
                await connected(pair.one, pair.other, is_up=False)
                game = await play(ana, game, 15, seed)
                game = await seen(pair, ana, game, follower, seed, SEEN_WITHIN_S + BUSY_S)
                pair.bus.redis.start()
            else:
                for _ in range(5):
                    pair.bus.cut()
                    game = await play(ana, game, 3, seed)
            await connected(pair.one, pair.other)
            heard = await counted(pair.other, "heard")
            game = await play(ana, game, 1, seed)
            await heard_beyond(pair.other, heard)
        await follower.until(game["version"])
    follower.prove()
    assert follower.events == await all_events(ana, game["id"])


async def test_what_is_forged_does_nothing(pair: Pair) -> None:
    ana = await Player.make(pair.one.port)
    await connected(pair.one, pair.other)
    game = await ana.table(LONG)
    poll = f"/v1/games/{game['id']}/events?wait=1&after={game['version']}"
    async with following(pair.other.port, game["id"]) as follower:
        await follower.next("presence")
        polled = asyncio.create_task(ana.ask("GET", poll, port=pair.other.port))
        heard = await counted(pair.other, "heard")
        pair.bus.publish(*(p for p in FORGED if len(p) < 8_000))
        for said in (f"{new_game()}:7", f"{game['id']}:9999999999", f"{game['id']}:1"):
            pair.bus.publish(f"{OTHER} {said}")
        await heard_beyond(pair.other, heard + 2)
        assert (await polled).json()["items"] == []
        frames = len(follower.frames)
        game = await play(ana, game, 1)
        await follower.until(game["version"])
        news = [f["type"] for f in follower.frames[frames:] if f["type"] != "heartbeat"]
        assert news == ["played"], "the forged ones brought no frame"
        await seen(pair, ana, game, follower, 1)
    follower.prove()


async def test_20_000_hints_for_a_process_that_is_stalled(pair: Pair) -> None:
    ana = await Player.make(pair.one.port)
    await connected(pair.one, pair.other)
    game = await ana.table(LONG)
    async with following(pair.other.port, game["id"]) as follower:
        await follower.next("state")
        pid = pair.other.process.pid
        os.kill(pid, signal.SIGSTOP)
        stalled = asyncio.create_task(asyncio.sleep(STALLED_S))
        try:
            payloads = [
                " ".join([OTHER, *(f"{new_game()}:3" for _ in range(100))]) for _ in range(200)
            ]
            await asyncio.to_thread(pair.bus.publish, *payloads)
            game = await play(ana, game, 3)
            await stalled
        finally:
            os.kill(pid, signal.SIGCONT)
        went_on = time.monotonic()
        await follower.until(game["version"])
        assert time.monotonic() - went_on < SEEN_WITHIN_S + BUSY_S
        await connected(pair.one, pair.other)
        await seen(pair, ana, game, follower, 2)
    follower.prove()
