"""Six hundred who follow one game, two thirds of them too slowly, on a server process."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
from pathlib import Path
from resource import getpagesize

import pytest

from app.live.outbox import MOST_QUEUED
from tests.live.player import Player, all_events
from tests.live_streams.follower import Follower, following
from tests.live_streams.raw import RawFollower, Told, told
from tests.live_streams.test_following import LONG, play
from tests.servers.hotdice import HotdiceServer

pytestmark = [pytest.mark.wide, pytest.mark.timeout(300)]

EACH = 200
"""Sockets that never read, that read a byte a second, and that keep up."""

BURST = 70
"""Commands: more than the kernel takes for a peer that does not read, less than the queue holds
on top of it."""

SPARE = 20 * 2**20
"""Bytes of memory, beside what waits."""


async def test_two_hundred_of_each() -> None:
    """
    Who reads too slowly is closed with 4408 and can resume; nobody else notices; memory is bounded.

    The slow ones are the player's own, so that presence tells when the last of them was sent away.
    They have three seconds then to take the close frame, and half of them do.
    """
    with HotdiceServer() as server:
        port, pid = server.port, server.process.pid
        ana = await Player.make(port)
        game = await ana.table(LONG)
        game_id = game["id"]
        async with following(port, game_id) as watcher:
            await watcher.next("presence")
            before = most = resident(pid)
            healthy = [await RawFollower.open(port, game_id, buffer=2**20) for _ in range(EACH - 1)]
            reading = [asyncio.create_task(read_on(one)) for one in healthy]
            slow = [await RawFollower.open(port, game_id, token=ana.token) for _ in range(2 * EACH)]
            await all_have_begun([*healthy, *slow])
            dripping = {one: asyncio.create_task(a_byte_a_second(one)) for one in slow[EACH:]}
            await shows(watcher, [0, 1])
            connected = resident(pid)
            for _ in range(BURST // 5):
                game = await play(ana, game, 5, seed=game["version"])
                most = max(most, resident(pid))
            wake, asleep = slow[::2], slow[1::2]

            async def wake_up() -> list[Told]:
                await shows(watcher, [])
                return await read_to_the_end(wake, dripping)

            waking = asyncio.create_task(wake_up())
            while not waking.done():
                game = await play(ana, game, 1, seed=game["version"])
                most = max(most, resident(pid))
                await asyncio.wait([waking], timeout=0.25)
            woken = waking.result()
            await until_reset(asleep)
            cut = await read_to_the_end(asleep, dripping)
            most = max(most, resident(pid))
            game = await play(ana, game, 5, seed=game["version"])
            await watcher.until(game["version"])

            log = await all_events(ana, game_id)
            watcher.prove()
            begun = watcher.frames[0]["version"]
            assert watcher.events == log[begun:]
            played = [frame for frame in watcher.frames if frame["type"] == "played"]
            await asyncio.gather(*(until_told(one, watcher.raw[-1]) for one in healthy))
            assert not any(task.done() for task in reading)
            for one in healthy:
                assert [f for f in told(one.data).frames if f["type"] == "played"] == played

            assert [result.code for result in woken] == [4408] * EACH
            assert [result.code for result in cut] == [1006] * EACH
            for result in (*woken, *cut):
                assert events_of(result) == log[begun : begun + len(events_of(result))]
            for result in woken[:: EACH // 4]:
                last = begun + len(events_of(result))
                async with following(port, game_id, f"?after={last}") as again:
                    await again.until(game["version"])
                assert again.events == log[last:]

            frame = max(map(len, watcher.raw))
            assert most - before <= MOST_QUEUED * frame * 3 * EACH + SPARE
            assert most - connected <= SPARE  # what waits, waits by reference
            for task in reading:
                task.cancel()
        for one in healthy:
            one.socket.close()


def resident(pid: int) -> int:
    """Bytes of a process that are in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * getpagesize()


def events_of(result: Told) -> list[dict[str, object]]:
    return [event for frame in result.frames for event in frame.get("events", ())]


async def shows(watcher: Follower, seats: list[int]) -> None:
    """Returns when these seats are connected."""
    while (await watcher.next("presence"))["seats"] != seats:
        pass


async def read_on(one: RawFollower) -> None:
    while await one.read():
        pass


async def a_byte_a_second(one: RawFollower) -> None:
    while await one.read(1):  # noqa: ASYNC110 — it is no waiting for anything
        await asyncio.sleep(1)


async def read_to_the_end(
    peers: list[RawFollower], dripping: dict[RawFollower, asyncio.Task[None]]
) -> list[Told]:
    """What each of them was told; with room for it, or reading it would take long."""
    for one in peers:
        if one in dripping:
            dripping[one].cancel()
        one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**20)
    return await asyncio.gather(*(one.read_to_the_end() for one in peers))


async def all_have_begun(peers: list[RawFollower]) -> None:
    """Returns when each has its first frame, or part of it: read, or to be read."""
    async with asyncio.timeout(30):
        for one in peers:
            while b'"type":"state"' not in one.data:
                with contextlib.suppress(BlockingIOError):
                    if b'"type":"state"' in one.socket.recv(4_096, socket.MSG_PEEK):
                        break
                await asyncio.sleep(0.01)


async def until_told(one: RawFollower, last: bytes) -> None:
    """Returns when it has read this frame."""
    async with asyncio.timeout(30):
        while one.data.find(last, -65_536) < 0:  # noqa: ASYNC110 — a task of its own reads
            await asyncio.sleep(0.05)


async def until_reset(peers: list[RawFollower]) -> None:
    """Returns when the server has cut them all off, which shows without reading."""
    poll = select.poll()
    left = {one.socket.fileno() for one in peers}
    for fileno in left:
        poll.register(fileno, 0)  # errors alone
    async with asyncio.timeout(30):
        while left:
            for fileno, _ in poll.poll(0):
                poll.unregister(fileno)
                left.discard(fileno)
            await asyncio.sleep(0.05)
