"""What anybody may ask for as often as they like is looked for once in a while."""

from __future__ import annotations

import asyncio

import pytest

from app.recent import Recent


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Look:
    """Tells how often it was called, when it is let."""

    def __init__(self) -> None:
        self.calls = 0
        self.may_end = asyncio.Event()
        self.fails = False

    async def __call__(self) -> int:
        self.calls += 1
        await self.may_end.wait()
        if self.fails:
            raise ConnectionError
        return self.calls


async def test_all_who_ask_within_a_moment_share_one_look() -> None:
    look, time = Look(), Time()
    recent = Recent(look, 0.5, time)
    asked = [asyncio.create_task(recent()) for _ in range(20)]
    await asyncio.sleep(0)
    asked[0].cancel()  # whoever leaves takes the answer from nobody
    look.may_end.set()
    assert await asyncio.gather(*asked[1:]) == [1] * 19
    time.now = 0.49
    assert await recent() == 1
    time.now = 0.5
    assert await recent() == 2


async def test_a_failure_is_told_to_those_who_wait_and_kept_for_nobody() -> None:
    look, time = Look(), Time()
    recent = Recent(look, 0.5, time)
    look.fails = True
    asked = [asyncio.create_task(recent()) for _ in range(3)]
    look.may_end.set()
    for told in await asyncio.gather(*asked, return_exceptions=True):
        assert isinstance(told, ConnectionError)
    look.fails = False
    assert await recent() == 2
    look.fails = True
    assert await recent() == 2, "what was found is good for a moment"
    time.now = 0.5
    with pytest.raises(ConnectionError):
        await recent()
