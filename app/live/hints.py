"""
Hints on their way between processes: those that wait to be sent, and how they are written down.

A payload is a line of text, the sender's mark and then some hints, each a game's id and a version.
Whoever can reach the bus can write there, so nothing is believed: what does not look exactly like
this is ignored as a whole, and what does makes somebody read the log, no more.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

CHANNEL = "hotdice_hints"

MOST_IN_ONE = 100
"""Hints in a payload, of 4.8 kB then: Postgres refuses 8 000 bytes, and fails who sends them."""

MOST_BYTES = 5_000

MOST_WAITING = 10_000
"""Games with a hint that waits to be sent; beyond, the oldest is dropped."""

_PAYLOAD = re.compile(
    r"[0-9a-f]{8}(?: [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[1-9][0-9]{0,9})+"
)


class Hint(NamedTuple):
    game_id: str
    version: int


def packed(mark: str, hints: Sequence[Hint]) -> list[str]:
    """
    As few payloads as can carry them.

    Args:
        mark: tells the sender's own payloads from others: 8 hexadecimal digits.
    """
    return [
        " ".join([mark, *(f"{game}:{version}" for game, version in hints[at : at + MOST_IN_ONE])])
        for at in range(0, len(hints), MOST_IN_ONE)
    ]


def unpacked(payload: str | bytes, mark: str) -> Sequence[Hint] | None:
    """The hints of another sender; of one's own none. None for what is no payload."""
    if len(payload) > MOST_BYTES:
        return None
    text = payload.decode("latin-1") if isinstance(payload, bytes) else payload
    if text.startswith(mark):
        return ()  # heard back, as often as it was sent
    if not _PAYLOAD.fullmatch(text):
        return None
    _, *words = text.split(" ")
    if len(words) > MOST_IN_ONE:
        return ()
    return [Hint(word[:36], int(word[37:])) for word in words]


class Outgoing:
    """Hints that wait to be sent: one for each game, the first that came first."""

    def __init__(self) -> None:
        self.dropped = 0
        self._versions: OrderedDict[str, int] = OrderedDict()
        self._filled = asyncio.Event()

    def __len__(self) -> int:
        return len(self._versions)

    def put(self, game_id: str, version: int) -> None:
        """Never waits. A hint of the same game that still waits becomes this one."""
        versions = self._versions
        versions[game_id] = max(version, versions.get(game_id, 0))
        if len(versions) > MOST_WAITING:
            versions.popitem(last=False)
            self.dropped += 1
        self._filled.set()

    async def filled(self, seconds: float) -> bool:
        """Returns once a hint waits, or after so many seconds; whether one does."""
        if not self._versions:
            self._filled.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._filled.wait()
            except TimeoutError:
                return False
        return True

    def take(self, most: int) -> list[Hint]:
        """Up to so many, which wait no more."""
        versions = self._versions
        return [Hint(*versions.popitem(last=False)) for _ in range(min(most, len(versions)))]
