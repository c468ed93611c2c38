"""The one place that picks real parts."""

from __future__ import annotations

import time

from app.clock import SystemClock
from app.features import features_of
from app.ids import random_bytes
from app.limits import JoinCodeGuard, MemoryTally, RateLimits
from app.live.announcers import InProcessAnnouncer
from app.parts import Parts
from app.players import PlayerService
from app.rulebook import Rulebook
from app.service import GameService
from app.settings import Settings
from app.store.accounts import SqlAccounts
from app.store.codec import decode
from app.store.database import open_database
from app.store.queries import SqlEventStore
from app.store.schema import check_schema, migrate
from app.tokens import Doorkeeper

SCHEMA_CHECK_S = 10.0
"""It reads files; a readiness probe may come often and from anybody."""


async def build_parts(settings: Settings) -> Parts:
    """
    A server's parts, in the event loop they will serve in.

    On SQLite the database is brought up to date; on Postgres that is its owner's to do.

    Raises: UnfitDatabase, SchemaOutdated, StoreUnavailable.
    """
    if settings.on_sqlite:
        await migrate(settings.database_url)
    database = open_database(settings.database_url)
    try:
        await check_schema(database)
    except BaseException:
        await database.dispose()
        raise
    clock = SystemClock()
    store = SqlEventStore(database, clock)
    accounts = SqlAccounts(database)
    announcer = InProcessAnnouncer()
    features = features_of(settings)
    tally = MemoryTally()
    join_codes = JoinCodeGuard(settings, tally)
    doorkeeper = Doorkeeper(accounts)
    games = GameService(
        store=store,
        announcer=announcer,
        clock=clock,
        random_bytes=random_bytes,
        rulebook=Rulebook.shipped(),
        features=features,
        guard=join_codes,
        decode=decode,
    )

    schema_checked = time.monotonic()

    def stop() -> None:
        games.stop()
        announcer.close()

    async def close() -> None:
        stop()
        await games.drain()
        await database.dispose()

    async def check_store() -> None:
        nonlocal schema_checked
        if time.monotonic() < schema_checked + SCHEMA_CHECK_S:
            await database.ping()
        else:
            await check_schema(database)
            schema_checked = time.monotonic()

    return Parts(
        settings=settings,
        features=features,
        store=store,
        accounts=accounts,
        announcer=announcer,
        clock=clock,
        random_bytes=random_bytes,
        limits=RateLimits(settings, tally),
        join_codes=join_codes,
        doorkeeper=doorkeeper,
        players=PlayerService(accounts, store, clock, doorkeeper, games.forget),
        games=games,
        check_store=check_store,
        stop=stop,
        close=close,
    )
