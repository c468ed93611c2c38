"""What channels read from: the log, folded by the engine and rendered by the API."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from app.errors import GameArchived
from app.live.frames import Renderer
from app.live.replayed import Replayed
from app.ports import Clock, EventStore, Head, Recorded
from engine.events import Event
from engine.evolve import evolve
from engine.state import Game
from engine.units import Millis

PAGE = 500
"""Events read at once."""

SLICE = 100
"""Events folded before others have their turn: about two milliseconds."""


class Source:
    """
    The log as channels and those who catch up read it.

    The two gates keep reads of followers from taking every connection of the database: a thousand
    that come back at once wait for each other, not requests for them.
    """

    def __init__(
        self,
        store: EventStore,
        decode: Callable[[bytes], Event],
        render: Renderer,
        clock: Clock,
    ) -> None:
        self.store = store
        self.render = render
        self.live = asyncio.Semaphore(2)
        """For reads that channels wait for."""
        self.behind = asyncio.Semaphore(1)
        """For reads of followers that come, and that catch up."""
        self.replayed = Replayed()
        """For those that catch up at the same time."""
        self._decode = decode
        self._clock = clock

    def now(self) -> Millis:
        return self._clock.now()

    def fold(self, game: Game | None, records: Sequence[Recorded]) -> Game:
        """Raises: BrokenHistory."""
        for record in records:
            game = evolve(game, self._decode(record.data))
        assert game is not None  # noqa: S101 — there was a record
        return game

    async def state_at(
        self, game_id: str, version: int, since: tuple[Game | None, int]
    ) -> Game | None:
        """
        The game at a version, folded from a version before; None at 0.

        Args:
            since: a game at a version, None at 0 for one that is not known: a snapshot may do.
        Raises: GameArchived, BrokenHistory.
        """
        game, at = since
        if game is None:
            async with self.behind:
                known = await self.store.snapshot(game_id, version)
            if known is not None:
                game, at = known.game, known.version
        while at < version:
            async with self.behind:
                page = await self.store.events(game_id, at, min(PAGE, version - at))
            if not page:
                raise GameArchived
            for start in range(0, len(page), SLICE):
                game = self.fold(game, page[start : start + SLICE])
                await asyncio.sleep(0)
            at = page[-1].version
        return game


def head_at(now: Head, game: Game, record: Recorded) -> Head:
    """
    The head as it was; `now` is a later one, or the same.

    Names are those of today's seating, for the log has none: who has left since has none.
    """
    names = now.names
    if game.setup is not now.game.setup:
        known = {
            place.player_id: name
            for place, name in zip(now.game.setup.places, names, strict=True)
            if place.player_id
        }
        names = tuple(known.get(place.player_id or "") for place in game.setup.places)
    return Head(game, record.version, record.hash, names, None, now.created_at)
