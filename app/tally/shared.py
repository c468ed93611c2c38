"""
Counts that several processes share over Redis.

No request waits for it: each process counts for itself and decides at once; a task of its own adds
what was counted to Redis and hears what all have counted, five times a second. Whoever is far from
a limit is not told of, so that ordinary players cost nothing: what a process keeps to itself is at
most a sixteenth of a limit. While Redis is away each process counts alone, and nobody is refused
for it.

In Redis a key is a digest: it holds no address, and nothing of a token.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from hashlib import blake2b
from typing import NamedTuple, Protocol

from app.log import log
from app.tally.counts import WINDOW_S, Key, MemoryTally, Minute, Standing

EVERY_S = 0.2
TELL_FROM = 16
"""What is told of: who has used this part of a limit at this process."""
ANSWER_S = 0.5
"""For one exchange; it is late for nobody."""
MOST_AT_ONCE = 1_000
"""Counts in one exchange; the others have their turn in the next."""
KEPT_S = 3 * WINDOW_S
"""In Redis: a minute, and the next in which it still counts, and clocks that differ."""


class Told(NamedTuple):
    """What one process has counted since it last told."""

    name: str
    """Of the key and the minute, the same at every process."""
    more: int


class Pool(Protocol):
    """Where counts meet: one connection, of one task."""

    async def add(self, counts: Sequence[Told]) -> list[int]:
        """Adds each; what all processes have counted of each by now."""
        ...


class Pools(Protocol):
    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """What is raised when the other end is away."""
        ...

    def pool(self) -> AbstractAsyncContextManager[Pool]:
        """Opens a connection; whatever happens, it is closed."""
        ...


class SharedTally(MemoryTally):
    """
    Args:
        clock: seconds since 1970: processes must agree on the minute.
    """

    def __init__(self, pools: Pools, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self._pools = pools
        self._asked: dict[Key, int] = {}
        """Limits of the keys that were asked for since the last exchange."""
        self._is_shared = False
        self._complained = False

    @property
    def shared(self) -> bool | None:
        return self._is_shared

    def hit(self, key: Key, limit: int) -> Standing:
        self._asked[key] = limit
        return super().hit(key, limit)

    def blocked(self, key: Key, limit: int) -> int:
        self._asked[key] = limit
        return super().blocked(key, limit)

    async def share(self) -> None:
        """Exchanges counts until the connection is lost: returns then, and may be called again."""
        try:
            async with self._pools.pool() as pool:
                while True:
                    async with asyncio.timeout(ANSWER_S):
                        await self.exchange(pool)
                    self._is_shared, self._complained = True, False
                    await asyncio.sleep(EVERY_S)
        except self._pools.faults as fault:
            if not self._complained:
                log.warning("rate_limits_alone", why=type(fault).__name__)
                self._complained = True
        finally:
            self._is_shared = False

    async def exchange(self, pool: Pool) -> None:
        """Tells once what was counted here, and hears what was counted elsewhere."""
        self._turn()
        asked, self._asked = self._asked, {}
        now, before = self.now, self.before
        due = [
            (minute, key)
            for key, limit in asked.items()
            if (now.own.get(key, 0) + before.own.get(key, 0)) * TELL_FROM >= limit
            for minute in (now, before)
        ]
        for _, key in due[MOST_AT_ONCE:]:
            self._asked.setdefault(key, asked[key])
        del due[MOST_AT_ONCE:]
        if not due:
            await pool.add(())
            return
        told = []
        for minute, key in due:
            own = minute.own.get(key, 0)
            told.append(Told(_name(minute, key), own - minute.told.get(key, 0)))
            minute.told[key] = own  # also where it gets lost: nobody is to be counted twice
        for (minute, key), total in zip(due, await pool.add(told), strict=True):
            minute.elsewhere[key] = max(0, total - minute.told[key])


def _name(minute: Minute, key: Key) -> str:
    kind, who = key
    digest = blake2b(who if isinstance(who, bytes) else who.encode(), digest_size=8)
    digest.update(kind.encode())
    return f"hotdice:rate:{minute.number}:{digest.hexdigest()}"
