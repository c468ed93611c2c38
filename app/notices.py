"""
Notices of turns: an outbox for sleeping phones, which an operator's push service polls.

The server calls nobody. A notice is written with the turn it tells of and waits until it is
acknowledged, moot or too old; whoever polls may see it twice.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol

from engine.units import Millis, Seat


class NoticeKey(NamedTuple):
    game_id: str
    version: int
    """Of the game, with which the turn came."""


class Notice(NamedTuple):
    """The turn of this player has come, and waits."""

    key: NoticeKey
    seat: Seat
    player_id: str
    at: Millis
    connected: bool
    """The seat has a live stream of the game: somebody may be looking."""


class NoticeBoard(Protocol):
    async def wanted_by(self, player_id: str) -> bool:
        """Whether the player wants to be told of turns."""
        ...

    async def want(self, player_id: str, wanted: bool) -> None:
        """From now on; what waits for one who does not want it is dropped."""
        ...

    async def waiting(self, since: Millis, limit: int) -> list[Notice]:
        """Notices written since then and not acknowledged, the oldest first."""
        ...

    async def acknowledge(self, keys: Collection[NoticeKey]) -> int:
        """They are on their way, or not worth it; how many were waiting still."""
        ...

    async def expire(self, before: Millis) -> None:
        """Drops what was written before then."""
        ...
