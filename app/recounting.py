"""Statistics made anew from the logs, on the command line; servers may run meanwhile."""

from __future__ import annotations

from app.store.codec import decode
from app.store.counting import Counting
from app.store.database import open_existing
from app.store.rebuild import every_game
from app.store.sums import make_all_anew


async def recounted(database_url: str) -> int:
    """
    Counts every game again; how many were looked at.

    Raises: StoreUnavailable, Overloaded, UnfitDatabase.
    """
    database = open_existing(database_url)
    try:
        counting, looked_at = Counting(database, decode), 0
        async for page in every_game(database):
            await counting.again(page)
            looked_at += len(page)
        await make_all_anew(database)
    finally:
        await database.dispose()
    return looked_at
