"""What was found lately, for all who ask: whoever may ask as often as they like costs one look."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """
    Args:
        look: what finds it out.
        for_s: how long what was found is good for. A failure is told to those who wait for it, and
            kept for nobody.
    """

    def __init__(
        self,
        look: Callable[[], Awaitable[T]],
        for_s: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look = look
        self._for_s = for_s
        self._monotonic = monotonic
        self._found: tuple[float, T] | None = None
        self._looking: asyncio.Future[T] | None = None

    async def __call__(self) -> T:
        """Raises: what the look raises."""
        if self._found is not None and self._monotonic() < self._found[0]:
            return self._found[1]
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._look_now())
        return await asyncio.shield(self._looking)

    async def _look_now(self) -> T:
        try:
            found = await self._look()
            self._found = self._monotonic() + self._for_s, found
            return found
        finally:
            self._looking = None
