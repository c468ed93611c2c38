"""Heads folded anew from the log, which is the truth: to check them, or to put them right."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.bot_tables import bots_of
from app.ports import EventStore, Head, Recorded, Snapshot
from app.store import rows, tables
from app.store.bulk import Insert
from app.store.chain import ORIGIN, verify
from app.store.codec import decode
from app.store.database import Database
from app.store.heads import encode_setup
from engine.errors import BrokenHistory
from engine.evolve import evolve
from engine.state import Finished, Game, Unstarted
from engine.units import Millis, Seat

PAGE = 1_000
"""Events read at once: a long game is never in memory whole."""

_g = tables.games.c
_e = tables.events.c
_n = tables.snapshots.c
_s = tables.seats.c
_GAMES = Insert(tables.games, ("id", "created_at", *rows.PLAYED, *rows.SETTLED))
_SETUPS = Insert(tables.setups, ("game_id", "setup"), replaces=("setup",))
_SNAPSHOTS = Insert(tables.snapshots, rows.SNAPSHOT)
_CLOCK = ("due_at", "bots_of")
_CLOCKS = Insert(tables.clocks, ("game_id", *_CLOCK), replaces=_CLOCK)
_SEATS = Insert(tables.seats, ("game_id", "seat", "player_id", "holds", "running"))


class Refolded(NamedTuple):
    game_id: str
    version: int
    differed: bool
    """The stored head was not what the log says."""


class Fold:
    """A log on its way to a game: chain, events and seats checked as it goes."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.game: Game | None = None
        self.version = 0
        self.hash = ORIGIN
        self.created_at: Millis = 0
        self.updated_at: Millis = 0
        self.sat: set[tuple[Seat, str]] = set()
        """Everyone who ever held a seat."""
        self.snapshots: list[Snapshot] = []
        """Every so many events."""

    def add(self, records: Iterable[Recorded]) -> None:
        """Raises: BrokenHistory, at the first record that does not follow."""
        for record in records:
            self.version, self.hash = verify(self.game_id, (record,), self.version, self.hash)
            event = decode(record.data)
            self.game = evolve(self.game, event)
            self.sat |= rows.holders(self.game.setup)
            self.updated_at = event.at
            if self.version == 1:
                self.created_at = event.at
            if self.version % rows.SNAPSHOT_EVERY == 0:
                self.snapshots.append(Snapshot(self.game, self.version, self.hash))

    def head(self, names: tuple[str | None, ...], join_code: str | None) -> Head:
        """
        The head; names and code are not in the log, so they are what they were.

        Raises: BrokenHistory, for an empty log.
        """
        if self.game is None:
            raise BrokenHistory(f"game {self.game_id} has no events")
        if len(names) != len(self.game.setup.places):
            names = (None,) * len(self.game.setup.places)
        if not isinstance(self.game, Unstarted):
            join_code = None
        return Head(
            self.game,
            self.version,
            self.hash,
            names,
            join_code,
            self.created_at,
            self.updated_at,
        )


async def replay(store: EventStore, game_id: str, version: int | None = None) -> Fold:
    """
    The log of a game, folded and checked, up to a version or whole.

    Raises: BrokenHistory.
    """
    fold = Fold(game_id)
    while True:
        left = PAGE if version is None else min(PAGE, version - fold.version)
        records = await store.events(game_id, fold.version, left) if left > 0 else []
        fold.add(records)
        if len(records) < PAGE:
            return fold


async def refold(database: Database, game_id: str) -> Refolded:
    """
    Fold a game's head from its log, and store it where it differed; its snapshots anew.

    Raises: BrokenHistory, and leaves the head as it is; StoreUnavailable, Overloaded.
    """
    return await database.to_the_end(_refold(database, game_id))


async def _refold(database: Database, game_id: str) -> Refolded:
    async with database.writing() as connection:
        await connection.execute(select(_g.id).where(_g.id == game_id).with_for_update())
        row = (await connection.execute(rows.heads().where(_g.id == game_id))).first()
        fold = Fold(game_id)
        while records := await _page(connection, game_id, fold.version):
            fold.add(records)
        head = fold.head(
            () if row is None else rows.names_of(row.names),
            None if row is None else row.join_code,
        )
        await connection.execute(delete(tables.snapshots).where(_n.game_id == game_id))
        await _SNAPSHOTS(
            connection, [rows.snapshot_values(game_id, *known) for known in fold.snapshots]
        )
        if row is not None and rows.head_or_fault(row) == head:
            return Refolded(game_id, fold.version, differed=False)
        values = (*rows.played_values(head, fold.updated_at), *rows.settled_values(head))
        if row is None:
            await _GAMES(connection, [(game_id, head.created_at, *values)])
        else:
            # Never deleted and inserted anew: who waits for the row would find it gone.
            named = dict(zip((*rows.PLAYED, *rows.SETTLED), values, strict=True))
            await connection.execute(update(tables.games).where(_g.id == game_id).values(named))
        await _SETUPS(connection, [(game_id, encode_setup(head.game.setup))])
        await connection.execute(delete(tables.seats).where(_s.game_id == game_id))
        holds = rows.holders(head.game.setup)
        running = set() if isinstance(head.game, Finished) else holds
        await _SEATS(
            connection,
            [(game_id, *pair, pair in holds, pair in running) for pair in sorted(fold.sat)],
        )
        # What falls due, and when, is found by who looks at the row.
        clock = (fold.updated_at, bots_of(head.game))
        await _CLOCKS(connection, [(game_id, *clock)])
    return Refolded(game_id, fold.version, differed=True)


async def refold_all(database: Database) -> AsyncIterator[Refolded]:
    """Every game that has a log, one transaction each."""
    async for ids in every_game(database):
        for game_id in ids:
            yield await refold(database, game_id)


async def every_game(database: Database) -> AsyncIterator[list[str]]:
    """The ids of all games that have a log, in order, a page at a time."""
    last = ""
    while True:
        page = (
            select(_e.game_id)
            .where(_e.version == 1, _e.game_id > last)
            .order_by(_e.game_id)
            .limit(PAGE)
        )
        async with database.reading() as connection:
            ids = list((await connection.execute(page)).scalars())
        if not ids:
            return
        yield ids
        last = ids[-1]


async def _page(connection: AsyncConnection, game_id: str, after: int) -> list[Recorded]:
    query = (
        select(_e.version, _e.data, _e.hash)
        .where(_e.game_id == game_id, _e.version > after)
        .order_by(_e.version)
        .limit(PAGE)
    )
    return [Recorded._make(row) for row in await connection.execute(query)]
