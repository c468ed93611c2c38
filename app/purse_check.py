"""Purses held against their journals, on the command line."""

from __future__ import annotations

from app.store.database import open_existing
from app.store.purse_book import SqlPurseBook


async def checked(database_url: str, *, mend: bool) -> list[str]:
    """
    A line for each purse that is not the fold of its journal.

    Args:
        mend: makes it that.
    Raises: StoreUnavailable, UnfitDatabase.
    """
    database = open_existing(database_url)
    try:
        purses = SqlPurseBook(database)
        found = [difference async for difference in purses.differences()]
        if mend:
            for difference in found:
                await purses.mend(difference.player_id)
    finally:
        await database.dispose()
    return [
        f"{one.player_id}: {one.stored.balance} stored, {one.journal.balance} in the journal; "
        f"worlds {_named(one.stored.worlds)} stored, {_named(one.journal.worlds)} in the journal"
        for one in found
    ]


def _named(worlds: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(world for world, _ in worlds) or "none"
