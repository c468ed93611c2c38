"""What may be looked at, and by whom; nothing here changes anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from app.errors import GameArchived, VersionNotFound
from app.ports import Head, Recorded, Summary
from app.service.contributions import Attempt, attempts
from app.service.desk import Desk
from app.service.members import readable
from engine.events import Event
from engine.evolve import evolve
from engine.state import Game, Unstarted
from engine.units import Millis

Decode = Callable[[bytes], Event]
"""Bytes of the log -> event. Raises: BrokenHistory."""

Before = tuple[Millis, str] | None
"""Where a page goes on: (created_at, id) of the last game of the page before."""

PAGE = 500
"""Events read at once; a whole log is never held."""

LOOK_S = 1.0
"""A lost hint delays news no longer than this."""


class Reads:
    def __init__(self, desk: Desk, decode: Decode) -> None:
        self._desk = desk
        self._store = desk.store
        self._decode = decode

    async def game(self, game_id: str, viewer: str | None) -> Head:
        """Raises: GameNotFound."""
        return readable(await self._store.head(game_id), viewer)

    async def public_games(
        self, status: str | None, preset: str | None, before: Before, limit: int
    ) -> list[Summary]:
        """Public tables, the newest first."""
        return await self._store.public_games(
            status=status, preset=preset, before=before, limit=limit
        )

    async def games_of(
        self,
        player_id: str,
        status: str | None,
        to_move: bool | None,
        before: Before,
        limit: int,
    ) -> list[Summary]:
        """A player's games, private ones too, the newest first."""
        return await self._store.games_of(
            player_id, status=status, to_move=to_move, before=before, limit=limit
        )

    async def events(
        self, game_id: str, viewer: str | None, after: int, limit: int, wait_s: float
    ) -> list[Recorded]:
        """
        Events above a version; with none yet, the first that come within `wait_s`.

        Raises: GameNotFound, also when a private table is left while waiting; VersionNotFound,
        where `after` is past the game's version, as for streams; GameArchived.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + wait_s
        while True:
            head = await self.game(game_id, viewer)
            if head.version > after:
                if not (found := await self._store.events(game_id, after, limit)):
                    raise GameArchived
                return found
            if head.version < after:
                raise VersionNotFound(current_version=head.version)
            left = until - loop.time()
            if left <= 0 or self._desk.stopping:
                return []
            await self._desk.announcer.wait(game_id, head.version, min(left, LOOK_S))

    async def sealing(self, game_id: str) -> dict[int, Attempt]:
        """The sealing attempts that were closed, by number; who may read is settled before."""
        return await attempts(self._decoded(game_id))

    async def _decoded(self, game_id: str) -> AsyncIterator[Event]:
        async for page in self.log(game_id):
            for recorded in page:
                yield self._decode(recorded.data)

    async def log(self, game_id: str) -> AsyncIterator[list[Recorded]]:
        """
        The whole log, a page at a time; who may read is settled before.

        Raises: GameArchived, also where that happens on the way: what has come is not the log.
        """
        after, whole = 0, (await self._store.versions([game_id])).get(game_id, 1)
        while page := await self._store.events(game_id, after, PAGE):
            yield page
            after = page[-1].version
        if after < whole:
            raise GameArchived

    async def has_log(self, game_id: str) -> None:
        """Raises: GameArchived, where the log of a game that is there is not."""
        if not await self._store.events(game_id, 0, 1):
            raise GameArchived

    async def state_at(self, game_id: str, version: int, viewer: str | None) -> Head:
        """
        The game as it was, folded from its log since the last snapshot before.

        Names are those of today's seating, for the log has none: who has left since has none.
        Raises: GameNotFound, VersionNotFound, GameArchived.
        """
        now = await self.game(game_id, viewer)
        if not 1 <= version <= now.version:
            raise VersionNotFound(current_version=now.version)
        known = await self._store.snapshot(game_id, version)
        game: Game | None = None if known is None else known.game
        at, chain = (0, b"") if known is None else (known.version, known.hash)
        while at < version and (
            page := await self._store.events(game_id, at, min(PAGE, version - at))
        ):
            for recorded in page:
                game = evolve(game, self._decode(recorded.data))
            at, chain = page[-1].version, page[-1].hash
        if game is None or at < version:
            raise GameArchived
        code = now.join_code if isinstance(game, Unstarted) else None
        return Head(game, version, chain, _names_at(now, game), code, now.created_at)


def _names_at(now: Head, game: Game) -> tuple[str | None, ...]:
    known = {
        place.player_id: name
        for place, name in zip(now.game.setup.places, now.names, strict=True)
        if place.player_id
    }
    return tuple(known.get(place.player_id or "") for place in game.setup.places)
