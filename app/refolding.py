"""Heads folded anew from the logs, on the command line; servers may run meanwhile."""

from __future__ import annotations

from typing import NamedTuple

from app.store.database import open_existing
from app.store.rebuild import every_game, refold
from engine.errors import BrokenHistory


class Rebuilt(NamedTuple):
    games: int
    """Looked at."""
    differed: int
    """Heads that were not what the log says, and are now."""
    broken: tuple[str, ...]
    """Games whose log does not fold; their heads are left as they are."""


async def rebuilt(database_url: str) -> Rebuilt:
    """
    Folds the head of every game from its log.

    Raises: StoreUnavailable, Overloaded, UnfitDatabase.
    """
    database = open_existing(database_url)
    games = differed = 0
    broken: list[str] = []
    try:
        async for page in every_game(database):
            for game_id in page:
                games += 1
                try:
                    differed += (await refold(database, game_id)).differed
                except BrokenHistory:
                    broken.append(game_id)
    finally:
        await database.dispose()
    return Rebuilt(games, differed, tuple(broken))
