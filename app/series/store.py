"""What series need of a database beside the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from app.ports import Answer
from app.series.model import Recorded as SeriesResult
from app.series.model import Series, SeriesGame
from engine.units import Millis

SeriesChange = Callable[[Series], tuple[Series, Answer]]
"""A series as it shall be, and what its caller is told; pure. May raise an `AppError`."""


class SeriesStore(Protocol):
    """
    Series and which games belong to them. The games themselves are in the event store; whether one
    is open, runs or is over is read from there.
    """

    async def create(
        self,
        series: Series,
        game_ids: Sequence[str],
        answer: Answer,
        *,
        most: int,
        key: str | None,
        fingerprint: bytes,
    ) -> Answer:
        """
        A new series and the ids of its games, in order; or the first answer to this key.

        Args:
            most: series of one owner that are not over.
        Raises: TooManySeries, TooManyBotTables, KeyReused; Unauthenticated, for an owner who is
        forgotten or banned.
        """
        ...

    async def change(
        self,
        series_id: str,
        decide: SeriesChange,
        *,
        author: str = "",
        key: str | None = None,
        fingerprint: bytes = b"",
    ) -> Answer:
        """
        Changes a series under its lock; or the first answer to this key.

        Raises: SeriesNotFound, KeyReused, what `decide` raises; Unauthenticated, where somebody
        takes part who is forgotten or banned.
        """
        ...

    async def get(self, series_id: str) -> Series | None: ...

    async def games(self, series_id: str, first: int, limit: int) -> list[SeriesGame]:
        """Games by number, from `first` on."""
        ...

    async def unrecorded(self, series_id: str, limit: int) -> list[SeriesGame]:
        """The first games without a result that has been recorded."""
        ...

    async def results(self, series_id: str) -> dict[int, SeriesResult]:
        """What has been recorded, by the number of the game."""
        ...

    async def record(self, series_id: str, results: Mapping[int, SeriesResult]) -> None:
        """
        Records how games ended; the first result stays. A game that is voided is recorded as such
        by the append, in the same transaction.
        """
        ...

    async def series_of(self, game_id: str) -> str | None:
        """The series a game belongs to."""
        ...

    async def unfinished(self, before: Millis, limit: int) -> list[str]:
        """Series that run or are to stop, and open ones made before then."""
        ...

    async def of_player(self, player_id: str) -> list[str]:
        """Series which the player owns or ever took part in."""
        ...
