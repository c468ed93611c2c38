"""Who reads too slowly, or is silent, is sent away and can resume; nobody else notices."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys

import pytest

from app.live.connections import Connection
from app.live.outbox import MOST_QUEUED
from app.live.socket import HotdiceSocket
from app.live.timing import Timing
from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.raw import RawFollower
from tests.live_streams.server import Serving, serving_on, until
from tests.live_streams.test_following import LONG, play

pytestmark = pytest.mark.wide

CLOSED_WITHIN_S = 10.0
"""What is promised from the first frame that the peer does not take."""


def connections(server: Serving, game_id: str) -> list[Connection]:
    """Of a game's followers."""
    channel = server.hub.channels.get(game_id)
    return [] if channel is None else [f.connection for f in channel.users]


def buffered(connection: Connection) -> int:
    """Bytes that this process holds for a peer, beside its queue."""
    wire = connection.outbox.wire
    assert isinstance(wire, HotdiceSocket)
    return wire.transport.get_write_buffer_size()


async def a_byte_a_second(slow: RawFollower) -> None:
    with contextlib.suppress(OSError):
        while await slow.read(1):  # noqa: ASYNC110 — it is no waiting for anything
            await asyncio.sleep(1)


async def test_slow_readers_are_closed_and_the_others_miss_nothing(sqlite_url: str) -> None:
    """Real times: a peer that takes nothing is closed after five seconds, one whose queue is full
    at once; the close code arrives if the peer reads on soon."""
    async with serving_on(sqlite_url) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        game_id = game["id"]
        slow = [await RawFollower.open(server.port, game_id) for _ in range(4)]
        await until(lambda: len(connections(server, game_id)) == 4)
        found = connections(server, game_id)
        async with following(server.port, game_id, token=ana.token) as healthy:
            await healthy.next("state")
            dripping = asyncio.create_task(a_byte_a_second(slow[3]))
            while not all(c.outbox.wire.paused for c in found):
                game = await play(ana, game, 5, seed=game["version"])
            took = await until(lambda: all(c.outbox.ended for c in found))
            assert [c.outbox.ended and c.outbox.ended.close for c in found] == [4408] * 4
            assert 4.0 < took < CLOSED_WITHIN_S - 3.0  # and three to linger
            dripping.cancel()
            slow[3].vanish()
            results = await asyncio.gather(*(s.read_to_the_end() for s in slow[:3]))
            game = await play(ana, game, 5)
            await healthy.until(game["version"])
        log = await all_events(ana, game_id)
        healthy.prove()
        assert healthy.events == log[healthy.frames[0]["version"] :]
        for result in results:
            assert result.code == 4408
            last = [f["version"] for f in result.frames if "version" in f][-1]
            async with following(server.port, game_id, f"?after={last}") as again:
                await again.until(game["version"])
            assert again.events == log[last:]


async def test_who_reads_slowly_and_steadily_keeps_its_stream(sqlite_url: str) -> None:
    """What counts is what the peer acknowledges. The kernel takes more from the server only when a
    third of its buffer is free, which takes this peer longer than one may take nothing."""
    async with serving_on(sqlite_url, timing=Timing(stall=1.5, tick=0.1)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        slow = await RawFollower.open(server.port, game["id"])
        await until(lambda: connections(server, game["id"]))
        [found] = connections(server, game["id"])
        while not found.outbox.wire.paused:
            game = await play(ana, game, 1, seed=game["version"])
        before, took = found.outbox.wire.unsent, 0
        while took < 50_000:
            took += len(await slow.read(1_024))
            await asyncio.sleep(0.1)
        assert found.outbox.ended is None
        assert found.outbox.wire.unsent < before
        slow.vanish()


async def test_a_full_queue_ends_the_stream_and_never_grows(sqlite_url: str) -> None:
    only_the_queue = Timing(stall=600.0)
    async with serving_on(sqlite_url, timing=only_the_queue) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        slow = await RawFollower.open(server.port, game["id"])
        await until(lambda: connections(server, game["id"]))
        found = connections(server, game["id"])
        outbox, longest, unsent = found[0].outbox, 0, 0
        while outbox.ended is None:
            game = await play(ana, game, 2, seed=game["version"])
            longest = max(longest, len(outbox._queue))
            unsent = max(unsent, buffered(found[0]))
        assert outbox.ended.code == "too_slow"
        assert longest <= MOST_QUEUED
        assert unsent < 32_768  # part of one frame; what waits is not copied
        assert not outbox._queue
        assert (await slow.read_to_the_end()).code == 4408


async def test_a_peer_that_never_reads_again_is_cut_off(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=Timing(stall=0.2, tick=0.05)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        slow = await RawFollower.open(server.port, game["id"])
        await until(lambda: connections(server, game["id"]))
        found = connections(server, game["id"])
        while not found[0].outbox.wire.paused:
            game = await play(ana, game, 5, seed=game["version"])
        await until(lambda: found[0].outbox.ended)
        await until(lambda: not len(server.parts.live.connections), 4.0)  # three to linger
        assert (await slow.read_to_the_end()).code == 1006


CLIENT = """
import asyncio, json, sys
from websockets.asyncio.client import connect

async def main():
    url, token = sys.argv[1:]
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(url, additional_headers=headers, proxy=None) as stream:
        async def ping():
            while True:
                await stream.send('{"type": "ping"}')
                await asyncio.sleep(0.1)
        task = asyncio.create_task(ping())
        try:
            async for _ in stream:
                pass
        finally:
            task.cancel()
            print(stream.close_code)

asyncio.run(main())
"""


async def test_a_frozen_client_is_shown_offline(sqlite_url: str) -> None:
    """Stopped by a signal, its kernel still answers: only silence tells."""
    async with serving_on(sqlite_url, timing=Timing(silent=1.0, tick=0.1)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        url = f"ws://127.0.0.1:{server.port}/v1/games/{game['id']}/stream"
        async with following(server.port, game["id"]) as spectator:
            assert (await spectator.next("presence"))["seats"] == []
            client = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", CLIENT, url, ana.token), stdout=asyncio.subprocess.PIPE
            )
            talking = asyncio.create_task(ping(spectator.connection.send))
            assert (await spectator.next("presence"))["seats"] == [0, 1]
            client.send_signal(signal.SIGSTOP)
            assert (await spectator.next("presence"))["seats"] == []
            client.send_signal(signal.SIGCONT)
            out, _ = await client.communicate()
            assert out.split() == [b"4408"]
            talking.cancel()


async def ping(send: object) -> None:
    while True:
        await send('{"type": "ping"}')  # type: ignore[operator]
        await asyncio.sleep(0.1)


async def test_who_pings_without_end_fills_no_buffer_and_is_cut_off(
    sqlite_server: Serving,
) -> None:
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(LONG)
    slow = await RawFollower.open(sqlite_server.port, game["id"])
    await until(lambda: connections(sqlite_server, game["id"]))
    found = connections(sqlite_server, game["id"])
    flood = (b"\x89\xfd\0\0\0\0" + b"x" * 125) * 8_000  # a million bytes of pings
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(slow.socket, flood[: len(flood) // 10])
    await asyncio.sleep(0.1)
    assert buffered(found[0]) < 1_000
    flooding = asyncio.create_task(loop.sock_sendall(slow.socket, flood))
    assert (await slow.read_to_the_end()).code == 1008
    await asyncio.gather(flooding, return_exceptions=True)
