"""Databases with games in them that are over, and one that is not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

from sqlalchemy import select

from app.store import tables
from app.store.codec import decode
from app.store.counting import Counting
from app.store.database import Database, open_database
from app.store.queries import SqlEventStore
from engine.events import PurseSpent
from engine.state import Finished
from tests.store.orders import StoppedClock
from tests.verify.games import any_game
from tests.verify.recording import Recording
from tests.verify.storing import keep, orders_of

GAMES = 3


class Place(NamedTuple):
    """A database by the addresses of who owns it and of who plays."""

    owner: str
    player: str


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = open_database(url)
    try:
        yield database
    finally:
        await database.dispose()


async def play(place: Place, games: int = GAMES) -> list[str]:
    """Finished games, counted, and one that still runs: its id is the last."""
    *over, running = finished(games + 1)
    async with opened(place.player) as database:
        store = SqlEventStore(database, StoppedClock())
        for recording in over:
            await keep(store, recording)
        for order in list(orders_of(running))[:-3]:
            await store.append([order])
        await Counting(database, decode).round()
    return [*sorted(recording.id for recording in over), running.id]


@cache
def finished(count: int) -> tuple[Recording, ...]:
    """
    Games of random people under random rules that were played to some end.

    None that spent from a purse: those live beside the games, and these people have none.
    """

    def named(seed: int, word: str) -> str:
        return str(uuid5(NAMESPACE_OID, f"{seed} {word}"))

    games = (any_game(seed, named=partial(named, seed)) for seed in range(1_000))
    over = (
        game
        for game in games
        if isinstance(game.game, Finished)
        and game.game.result.reason != "voided"
        and not any(isinstance(event, PurseSpent) for event in game.events)
    )
    return tuple(islice(over, count))


async def rows_of(place: Place) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the tables that a log is in, and of those that stay."""
    names = ("events", "snapshots", "seeds", "games", "results", "ladders", "seats", "archived")
    async with opened(place.owner) as database, database.reading() as connection:
        return {
            name: sorted(
                map(tuple, await connection.execute(select(tables.metadata.tables[name]))), key=str
            )
            for name in names
        }
