"""Hints as they are written down, and those that wait: small, bounded, and never believed."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from app.live import hints
from app.live.announcers import InProcessAnnouncer
from app.live.hints import MOST_BYTES, MOST_IN_ONE, MOST_WAITING, Hint, Outgoing, packed, unpacked

MINE, OTHER = "0123abcd", "ffffffff"
GAME = "0197b1de-0000-7000-8000-00000000000a"

FORGED = (
    "",
    " ",
    "garbage",
    OTHER,
    f"{OTHER} {GAME}",
    f"{OTHER} {GAME}:",
    f"{OTHER} {GAME}:0",
    f"{OTHER} {GAME}:-1",
    f"{OTHER} {GAME}:1.5",
    f"{OTHER} {GAME}:1e9",
    f"{OTHER} {GAME}:\u0661",  # a digit, of another script
    f"{OTHER} {GAME}:{'9' * 11}",
    f"{OTHER} {GAME.upper()}:1",
    f"{OTHER} {GAME}:1 ",
    f"{OTHER}  {GAME}:1",
    f"{OTHER} {GAME}:1\n",
    f"{OTHER} {GAME}:1 ../../etc/passwd:1",
    f"{OTHER} '; DROP TABLE events; --:1",
    f"not-mark {GAME}:1",
    '{"game": 1}',
    "x" * 1_000_000,
)


def games(count: int) -> list[Hint]:
    return [Hint(str(uuid.UUID(int=n)), 2**31 - 1) for n in range(count)]


def test_what_is_packed_is_unpacked() -> None:
    said = games(2 * MOST_IN_ONE + 1)
    payloads = packed(MINE, said)
    assert len(payloads) == 3
    assert [hint for p in payloads for hint in unpacked(p, OTHER) or ()] == said
    assert list(unpacked(payloads[0].encode(), OTHER) or ()) == said[:MOST_IN_ONE]
    assert packed(MINE, []) == []


def test_a_payload_is_far_below_what_postgres_takes() -> None:
    largest = [Hint(game, 9_999_999_999) for game, _ in games(5_000)]
    assert max(map(len, packed(MINE, largest))) <= MOST_BYTES < 8_000 * 0.7


def test_ones_own_payloads_say_nothing_new() -> None:
    assert unpacked(f"{MINE} {GAME}:7", MINE) == ()
    assert unpacked(f"{OTHER} {GAME}:7", MINE) == [Hint(GAME, 7)]


@pytest.mark.parametrize("payload", FORGED, ids=lambda p: repr(p[:60]))
def test_what_does_not_look_like_hints_is_none(payload: str) -> None:
    assert unpacked(payload, MINE) is None
    assert unpacked(payload.encode(), MINE) is None
    assert unpacked(b"\xff" + payload.encode(), MINE) is None


async def test_one_hint_waits_for_each_game() -> None:
    outgoing = Outgoing()
    for version in (3, 9, 4):
        outgoing.put(GAME, version)
    assert await outgoing.filled(1)
    assert outgoing.take(10) == [Hint(GAME, 9)]
    assert not await outgoing.filled(0.01)
    assert outgoing.take(10) == []


async def test_the_oldest_hints_are_dropped() -> None:
    outgoing = Outgoing()
    said = games(MOST_WAITING + 3)
    for hint in said:
        outgoing.put(*hint)
    assert (len(outgoing), outgoing.dropped) == (MOST_WAITING, 3)
    assert outgoing.take(2) == said[3:5]


async def test_who_waits_for_hints_gets_them_at_once() -> None:
    outgoing = Outgoing()
    filled = asyncio.create_task(outgoing.filled(10))
    await asyncio.sleep(0)
    outgoing.put(GAME, 1)
    assert await asyncio.wait_for(filled, 1)


async def test_a_version_that_never_comes_is_looked_for_once() -> None:
    announcer = InProcessAnnouncer()
    announcer.announce(GAME, 2**31)
    looks = 0

    async def long_poll() -> None:
        nonlocal looks
        for _ in range(5):
            await announcer.wait(GAME, 4, 0.02)
            looks += 1

    began = asyncio.get_running_loop().time()
    await asyncio.create_task(long_poll())
    assert looks == 5
    assert asyncio.get_running_loop().time() - began >= 4 * 0.02


async def test_a_hint_in_the_middle_of_a_look_is_not_missed() -> None:
    announcer = InProcessAnnouncer()
    for version in (5, 6, 7):
        announcer.announce(GAME, version)  # while the log was read up to the version before
        await asyncio.wait_for(announcer.wait(GAME, version - 1, 10), 1)


def test_the_channel_is_one_word() -> None:
    assert hints.CHANNEL.isidentifier()
