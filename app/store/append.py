"""
The append transaction: one for a batch of orders, the same on SQLite and Postgres.

    lock the games' rows → stored answers to the keys → seeds → each order in turn → write → commit

The locks make racers wait; they are not what keeps the log straight. That is the primary key of
`events` and the guard on the head's version: a transaction that breaks either is run again from
fresh state, whole, a bounded number of times. Nothing is announced or answered before the commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection

from app.ports import Answer, Clock, Head, Order, Outcome
from app.store import rows, tables
from app.store.batch import Batch, Stored
from app.store.bulk import GuardedUpdate, Insert, listed, one_of, paired, pairs
from app.store.database import Database, to_the_end
from app.store.faults import Fault, LostRace, as_app_error, fault_of
from engine.errors import BrokenHistory

PAUSES_S = (0.0, 0.005, 0.02, 0.05, 0.1)
"""Before each further attempt; whoever lost five races in a row is told to come back."""

_EVENTS = Insert(tables.events, ("game_id", "version", "data", "hash"))
_SEEDS = Insert(tables.seeds, ("game_id", "epoch", "seed"))
ANSWER_COLUMNS = (
    *("player_id", "key", "fingerprint", "game_id"),
    *("status", "body", "version", "location", "created_at"),
)
_ANSWERS = Insert(tables.answers, ANSWER_COLUMNS)
_SEATS = Insert(tables.seats, ("game_id", "seat", "player_id", "holds"), replaces=("holds",))
_OPENED = Insert(tables.games, (*rows.OPENED, *rows.PLAYED, *rows.SETTLED))
_PLAYED = GuardedUpdate(tables.games, rows.PLAYED, key="id", guard="version")
_CHANGED = GuardedUpdate(tables.games, (*rows.PLAYED, *rows.SETTLED), key="id", guard="version")


class Appender:
    """Runs orders and writes what they lead to."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        dialect = database.dialect
        # In the order of the ids, so that two batches never wait for each other in a circle.
        ids = one_of(dialect, tables.games.c.id, "ids")
        self._locked = rows.heads().where(ids).order_by(tables.games.c.id).with_for_update()
        self._unlocked = rows.heads().where(ids)
        seeds = tables.seeds.c
        self._seeds = (
            select(seeds.game_id, seeds.seed)
            .where(one_of(dialect, seeds.game_id, "ids"))
            .order_by(seeds.game_id, seeds.epoch)
        )
        asked, answers = pairs(dialect, "asked"), tables.answers.c
        self._answers = select(
            *(answers.player_id, answers.key, answers.fingerprint, answers.game_id),
            *(answers.status, answers.body, answers.version, answers.location),
        ).select_from(
            asked.table.join(
                tables.answers,
                (answers.player_id == asked.first) & (answers.key == asked.second),
            )
        )

    async def append(self, orders: Sequence[Order]) -> list[Outcome]:
        """Runs the orders; outcome i belongs to order i. A game may occur more than once."""
        if not orders:
            return []
        failed: Exception | None = None
        for pause in PAUSES_S:
            try:
                return await self._attempt(orders)
            except (SQLAlchemyError, OSError, LostRace) as error:
                failed = error
            if fault_of(failed) is not Fault.CONFLICT:
                break
            await asyncio.sleep(pause)
        assert failed is not None  # noqa: S101 — the loop ran
        if len(orders) == 1 or _strikes_all(failed):
            return [as_app_error(failed) for _ in orders]
        # Some order spoils the transaction for its neighbours: each gets one of its own.
        return [outcome for order in orders for outcome in await self.append([order])]

    @to_the_end
    async def _attempt(self, orders: Sequence[Order]) -> list[Outcome]:
        async with self._database.writer.begin() as connection:
            batch = await self._read(connection, orders)
            outcomes = [batch.run(order) for order in orders]
            await self._write(connection, batch)
        return outcomes

    async def _read(self, connection: AsyncConnection, orders: Sequence[Order]) -> Batch:
        dialect = self._database.dialect
        ids = sorted({order.game_id for order in orders})
        parameters = listed(dialect, "ids", ids)
        locked = await connection.execute(self._locked, parameters)
        heads = {row[0]: rows.head_or_fault(row) for row in locked}
        keys = sorted({(o.author, o.key) for o in orders if o.author and o.key})
        answers: dict[tuple[str, str], Stored] = {}
        if keys:
            found = await connection.execute(self._answers, paired(dialect, "asked", keys))
            answers = {(r[0], r[1]): Stored(r[2], r[3], Answer(*r[4:])) for r in found}
        drawn: dict[str, tuple[bytes, ...]] = {}
        if heads:
            found = await connection.execute(self._seeds, parameters)
            for game_id, group in groupby(found, key=lambda row: row[0]):
                drawn[game_id] = tuple(row[1] for row in group)
        elsewhere = sorted({s.game_id for s in answers.values() if s.game_id} - heads.keys())
        others: dict[str, Head | BrokenHistory] = {}
        if elsewhere:
            found = await connection.execute(self._unlocked, listed(dialect, "ids", elsewhere))
            others = {row[0]: rows.head_or_fault(row) for row in found}
        return Batch(heads, drawn, answers, others, self._clock.now())

    async def _write(self, connection: AsyncConnection, batch: Batch) -> None:
        opened: list[tuple[Any, ...]] = []
        played: list[tuple[Any, ...]] = []
        changed: list[tuple[Any, ...]] = []
        for game_id, before, head, updated_at in batch.moves():
            values = rows.played_values(head, updated_at)
            if before is None:
                opened.append((game_id, head.created_at, *values, *rows.settled_values(head)))
            elif rows.settled(before) == rows.settled(head):
                played.append((*values, game_id, before.version))
            else:
                changed.append((*values, *rows.settled_values(head), game_id, before.version))
        await _OPENED(connection, opened)
        straight = await _PLAYED(connection, played) and await _CHANGED(connection, changed)
        if not straight:
            raise LostRace()
        await _EVENTS(connection, batch.event_rows)
        await _SEEDS(connection, batch.seed_rows)
        await _ANSWERS(connection, sorted(batch.answer_rows))
        await _SEATS(connection, [(*key, holds) for key, holds in sorted(batch.seats.items())])


def _strikes_all(error: Exception) -> bool:
    """Whether one order alone would fare no better."""
    return fault_of(error) is Fault.UNAVAILABLE or isinstance(error, PoolTimeout)
