"""
How often one may: rate limits, and the guard against guessing join codes.

A limit is met per token and, five times wider, per address, so that a household is not one player
and a script with many tokens is still one address. Counts are kept by a `Tally`: in memory for one
process, in a shared store where several serve.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Literal, Protocol

from app.errors import AppError
from app.settings import Settings

WINDOW_S = 60
ADDRESS_FACTOR = 5

Kind = Literal["guests", "games", "commands", "reads"]


class RateLimited(AppError):
    """Facts: `limit` (a minute), `retry_after_s`."""

    code = "rate_limited"
    says = "Too much in a minute (the limit is {limit}). Try again in {retry_after_s} s."


Key = tuple[str, str | bytes]
"""What is counted, and for whom."""


class Tally(Protocol):
    """Counts per key over the last minute."""

    async def hit(self, key: Key, limit: int) -> int:
        """Counts one, if it stays within the limit: 0. Otherwise seconds until it may."""
        ...

    async def blocked(self, key: Key, limit: int) -> int:
        """As `hit`, without counting."""
        ...


class MemoryTally:
    """
    Sliding minutes in two dictionaries, for one process.

    The last minute is estimated from this clock minute and the share of the one before that still
    lies in it. Whole dictionaries are dropped as minutes pass, so that no key has to be swept.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._minute = 0
        self._now: dict[Key, int] = {}
        self._before: dict[Key, int] = {}

    async def hit(self, key: Key, limit: int) -> int:
        wait = self._wait(key, limit)
        if not wait:
            self._now[key] = self._now.get(key, 0) + 1
        return wait

    async def blocked(self, key: Key, limit: int) -> int:
        return self._wait(key, limit)

    def _wait(self, key: Key, limit: int) -> int:
        passed = self._turn()
        now, before = self._now.get(key, 0), self._before.get(key, 0)
        if now + before * (1 - passed) + 1 <= limit:
            return 0
        room = limit - 1 - now
        if room >= 0:  # waits for the minute before to fade
            fades = 1 - room / before if before else 1.0
            return max(1, math.ceil((fades - passed) * WINDOW_S))
        fades = 1 - (limit - 1) / now  # waits for this one to fade in the next
        return max(1, math.ceil((1 - passed + fades) * WINDOW_S))

    def _turn(self) -> float:
        """Moves to the present minute; how much of it has passed, 0 to 1."""
        minute, passed = divmod(self._monotonic(), WINDOW_S)
        if minute != self._minute:
            self._before = self._now if minute == self._minute + 1 else {}
            self._now = {}
            self._minute = int(minute)
        return passed / WINDOW_S


class RateLimits:
    """Requests of each kind, per token and per address."""

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self.on = settings.rate_limits
        self._tally = tally
        self._limits: dict[Kind, int] = {
            "guests": settings.limit_guests,
            "games": settings.limit_games,
            "commands": settings.limit_commands,
            "reads": settings.limit_reads,
        }

    async def admit(self, kind: Kind, token: bytes | None, address: str) -> None:
        """
        Count a request.

        Args:
            token: the hash of the caller's token; None: the address stands for the caller.
        Raises: RateLimited.
        """
        if not self.on:
            return
        limit = self._limits[kind]
        if token is not None:
            await self._count((kind, token), limit)
            limit *= ADDRESS_FACTOR
        await self._count((kind, address), limit)

    async def _count(self, key: Key, limit: int) -> None:
        if wait := await self._tally.hit(key, limit):
            raise RateLimited(limit=limit, retry_after_s=wait)


class JoinCodeGuard:
    """
    Makes guessing join codes pointless without locking anybody out who knows one.

    A player with too many wrong codes is refused whatever comes next. An address with too many is
    refused only with further wrong codes: a right one from another player behind it still opens.
    """

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self._on = settings.rate_limits
        self._tally = tally
        self._per_player = settings.limit_codes_token
        self._per_address = settings.limit_codes_address

    async def admit(self, player_id: str) -> None:
        """Call before a code is looked up. Raises: RateLimited."""
        if self._on and (
            wait := await self._tally.blocked(("codes of player", player_id), self._per_player)
        ):
            raise RateLimited(limit=self._per_player, retry_after_s=wait)

    async def wrong(self, player_id: str, address: str) -> None:
        """Call when a code was wrong, before saying so. Raises: RateLimited, to say instead."""
        if not self._on:
            return
        await self._tally.hit(("codes of player", player_id), self._per_player)
        if wait := await self._tally.hit(("codes from", address), self._per_address):
            raise RateLimited(limit=self._per_address, retry_after_s=wait)
