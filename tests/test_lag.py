"""How late the event loop is: what is counted where."""

from __future__ import annotations

import asyncio
import time

import pytest

from app.lag import BOUNDS_S, EVERY_S, LoopLag


@pytest.mark.parametrize(
    ("late_s", "bucket"),
    [(-0.001, 0), (0.0, 0), (0.001, 0), (0.0011, 1), (0.02, 7), (0.021, 8), (6.0, len(BOUNDS_S))],
)
def test_lateness_is_counted_up_to_its_bound(late_s: float, bucket: int) -> None:
    lag = LoopLag()
    lag.late(late_s)
    assert [n for n, count in enumerate(lag.buckets) if count] == [bucket]
    assert lag.total_s == max(0.0, late_s)


async def test_a_loop_that_is_held_up_is_late() -> None:
    lag = LoopLag()
    lag.start()
    asyncio.get_running_loop().call_soon(time.sleep, EVERY_S + 0.06)  # as it never should be
    await asyncio.sleep(EVERY_S)
    lag.stop()
    lag.stop()
    assert sum(lag.buckets[BOUNDS_S.index(0.05) + 1 :]) == 1
