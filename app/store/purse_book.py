"""
Purses outside of games: what they hold, purchases put in, and the journal held against the rows.

A purchase locks the row of the purse; its reference is a unique key of the journal, so that two
processes that are told of one payment put it in once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.errors import ReferenceReused
from app.purses import Credited, Purchase, PurseHeld
from app.store import tables
from app.store.bulk import Insert
from app.store.database import Database, to_the_end
from app.store.purses import (
    JOURNAL,
    STATE,
    Entry,
    Purse,
    journal_row,
    purse_of,
    put,
    worlds_text,
)
from engine.units import Millis

PAGE = 500
"""Purses checked at once."""

_p = tables.purses.c
_j = tables.purse_journal.c
_EMPTY = Insert(tables.purses, ("player_id", *STATE), keeps=True)
_ENTRY = Insert(tables.purse_journal, JOURNAL, keeps=True)


class Difference(NamedTuple):
    """A purse that is not what its journal says."""

    player_id: str
    stored: Purse
    journal: Purse


class SqlPurseBook:
    """`app.purses.PurseBook` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def held(self, player_id: str) -> PurseHeld:
        async with self._database.reading() as connection:
            purse = await _purse(connection, player_id)
        return PurseHeld(purse.balance, tuple(world for world, _ in purse.worlds))

    async def repeated(self, purchase: Purchase) -> Credited | None:
        """
        What this purchase got when it was put in; None where its reference is new.

        Raises: ReferenceReused.
        """
        async with self._database.reading() as connection:
            known = await _known(connection, purchase.reference)
        return None if known is None else _same(known, purchase)

    @to_the_end
    async def credit(self, purchase: Purchase, now: Millis) -> Credited:
        """
        Puts a purchase in; a repeated one changes nothing and gets what the first got.

        Raises: ReferenceReused.
        """
        player_id = purchase.player_id
        entry = Entry(player_id, "credited", purchase.wild_rolls, purchase.reference, purchase.pack)
        async with self._database.writing() as connection:
            await _EMPTY(connection, [(player_id, *_values(Purse()))])
            before = await _purse(connection, player_id, lock=True)
            after = put(before, entry)
            # Not before the lock: of two that come at once, the second must see the first.
            if known := await _known(connection, purchase.reference):
                return _same(known, purchase)
            await _ENTRY(connection, [journal_row(entry, after, now)])
            known = await _known(connection, purchase.reference)
            if known is None or (known.player_id, known.entry) != (player_id, after.entries):
                raise ReferenceReused()  # for another player, a moment ago
            await _store(connection, player_id, after)
        return Credited(purchase, after.balance, now)

    async def differences(self) -> AsyncIterator[Difference]:
        """Every purse that is not the fold of its journal."""
        last = ""
        while True:
            async with self._database.reading() as connection:
                ids = await _page(connection, last)
            for player_id in ids:
                if (found := await self._compared(player_id)) is not None:
                    yield found
            if not ids:
                return
            last = ids[-1]

    async def _compared(self, player_id: str, *, mend: bool = False) -> Difference | None:
        async with self._database.writing() as connection:
            stored = await _purse(connection, player_id, lock=True)
            folded = await _folded(connection, player_id)
            if stored == folded:
                return None
            if mend:
                await connection.execute(delete(tables.purses).where(_p.player_id == player_id))
                if folded.entries:
                    await _EMPTY(connection, [(player_id, *_values(folded))])
        return Difference(player_id, stored, folded)

    @to_the_end
    async def mend(self, player_id: str) -> None:
        """Makes a purse what its journal says."""
        await self._compared(player_id, mend=True)


async def _purse(connection: AsyncConnection, player_id: str, *, lock: bool = False) -> Purse:
    query = select(*(_p[name] for name in STATE)).where(_p.player_id == player_id)
    row = (await connection.execute(query.with_for_update() if lock else query)).first()
    return Purse() if row is None else purse_of(*row)


def _values(purse: Purse) -> tuple[Any, ...]:
    """In the order of `STATE`."""
    return purse.balance, worlds_text(purse.worlds), purse.entries


async def _store(connection: AsyncConnection, player_id: str, purse: Purse) -> None:
    values = dict(zip(STATE, _values(purse), strict=True))
    row = update(tables.purses).where(_p.player_id == player_id)
    await connection.execute(row.values(values))


async def _known(connection: AsyncConnection, reference: str) -> Any:
    query = select(tables.purse_journal).where(_j.kind == "credited", _j.reference == reference)
    return (await connection.execute(query)).first()


def _same(row: Any, purchase: Purchase) -> Credited:
    """What the first call got, for a second one that asks for the same."""
    asked = (purchase.player_id, purchase.pack)
    # A pack is known by its name: what is in it may be another amount by now.
    if asked != (row.player_id, row.name) or (
        purchase.pack is None and purchase.wild_rolls != row.delta
    ):
        raise ReferenceReused()
    return Credited(purchase._replace(wild_rolls=row.delta), row.balance, row.at)


async def _folded(connection: AsyncConnection, player_id: str) -> Purse:
    query = (
        select(_j.kind, _j.delta, _j.reference, _j.name)
        .where(_j.player_id == player_id)
        .order_by(_j.entry)
    )
    purse = Purse()
    for row in await connection.execute(query):
        purse = put(purse, Entry(player_id, *row))
    return purse


async def _page(connection: AsyncConnection, after: str) -> list[str]:
    """Who has a purse or a journal, in order."""
    found: set[str] = set()
    for column in (_p.player_id, _j.player_id):
        query = select(column).where(column > after).order_by(column).distinct().limit(PAGE)
        found |= set((await connection.execute(query)).scalars())
    return sorted(found)[:PAGE]
