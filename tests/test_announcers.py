"""Hints in one process: they wake who waits, and may be missed without harm."""

from __future__ import annotations

import asyncio
import time

from app.live import announcers
from app.live.announcers import InProcessAnnouncer


async def test_a_hint_wakes_everybody_who_waits() -> None:
    announcer = InProcessAnnouncer()
    waits = [asyncio.create_task(announcer.wait("a", 1, 10)) for _ in range(3)]
    await asyncio.sleep(0)
    announcer.announce("a", 2)
    await asyncio.wait_for(asyncio.gather(*waits), 1)


async def test_other_games_wake_nobody() -> None:
    announcer = InProcessAnnouncer()
    wait = asyncio.create_task(announcer.wait("a", 1, 0.05))
    await asyncio.sleep(0)
    announcer.announce("b", 2)
    await asyncio.sleep(0)
    assert not wait.done()
    await wait


async def test_a_hint_just_missed_is_not_waited_for() -> None:
    announcer = InProcessAnnouncer()
    announcer.announce("a", 5)
    announcer.announce("a", 4)
    began = time.monotonic()
    await announcer.wait("a", 4, 10)
    assert time.monotonic() - began < 1


async def test_a_wait_ends_by_itself() -> None:
    await InProcessAnnouncer().wait("a", 1, 0.01)


async def test_who_gives_up_leaves_nothing_behind() -> None:
    announcer = InProcessAnnouncer()
    waits = [asyncio.create_task(announcer.wait("a", 1, 10)) for _ in range(3)]
    await asyncio.sleep(0)
    for wait in waits:
        wait.cancel()
    await asyncio.gather(*waits, return_exceptions=True)
    assert announcer._waiting == {}
    assert announcer._waits == 0


async def test_memory_is_bounded() -> None:
    announcer = InProcessAnnouncer()
    for n in range(announcers.MOST_REMEMBERED + 10):
        announcer.announce(str(n), 1)
        await announcer.wait(str(n), 0, 10)
    assert len(announcer._newest) == announcers.MOST_REMEMBERED
    assert len(announcer._told) == announcers.MOST_REMEMBERED


async def test_a_stop_wakes_everybody() -> None:
    announcer = InProcessAnnouncer()
    wait = asyncio.create_task(announcer.wait("a", 1, 10))
    await asyncio.sleep(0)
    announcer.close()
    await asyncio.wait_for(wait, 1)
    await asyncio.wait_for(announcer.wait("a", 1, 10), 1)
