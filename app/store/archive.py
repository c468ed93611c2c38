"""
Logs taken out of the database, and put back. A row of `archived` stands for a log that is not here.

Each move is one transaction that holds the game's row, as every append does: a command finds the
log whole, or the game archived. Only the role that owns the tables may do this.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, exists, func, select

from app.faultpoints import passing
from app.ports import Recorded
from app.store import tables
from app.store.bulk import Insert
from app.store.database import Database
from engine.units import Millis

_g, _e, _n = tables.games.c, tables.events.c, tables.ended.c
_a, _s = tables.archived.c, tables.snapshots.c
_ARCHIVED = Insert(tables.archived, ("game_id", "version", "hash", "commands", "archived_at"))
_EVENTS = Insert(tables.events, ("game_id", "version", "data", "hash", "command"))
_WHOLE = (_g.version, _g.hash, _g.status)
AT_ONCE = 1_000
"""Rows of one statement."""


class Archived(NamedTuple):
    """What stays of a log."""

    version: int
    hash: bytes
    commands: Sequence[int]
    """Of each event the last version of its command, which an export does not tell."""


async def archivable(
    database: Database, ended_before: Millis, after: str, most: int
) -> Sequence[str]:
    """
    Ids above `after` of games that were over by then, are counted, and whose logs are here.

    Args:
        ended_before: milliseconds; of the last event.
    """
    query = (
        select(_g.id)
        .where(_g.id > after, _g.status == "finished", _g.updated_at < ended_before)
        .where(~exists().where(_a.game_id == _g.id), ~exists().where(_n.game_id == _g.id))
        .order_by(_g.id)
        .limit(most)
    )
    async with database.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def found(database: Database, game_id: str) -> Archived | None:
    async with database.reading() as connection:
        query = select(_a.version, _a.hash, _a.commands).where(_a.game_id == game_id)
        row = (await connection.execute(query)).first()
    return row and Archived(row[0], row[1], json.loads(zlib.decompress(row[2])))


async def take_out(database: Database, game_id: str, log: Archived, now: Millis) -> bool:
    """
    Deletes a log of which there is a verified copy, with its snapshots.

    Returns: False, and nothing is deleted, where the game is not as the copy says any more.
    """
    packed = zlib.compress(json.dumps(list(log.commands)).encode())
    async with database.writing() as connection:
        locked = select(*_WHOLE).where(_g.id == game_id).with_for_update()
        row = (await connection.execute(locked)).first()
        if row is None or tuple(row) != (log.version, log.hash, "finished"):
            return False
        waits = select(func.count()).select_from(tables.ended).where(_n.game_id == game_id)
        here = select(func.count()).select_from(tables.events).where(_e.game_id == game_id)
        if (await connection.execute(waits)).scalar_one():
            return False
        if (await connection.execute(here)).scalar_one() != log.version:
            return False
        await _ARCHIVED(connection, [(game_id, log.version, log.hash, packed, now)])
        await connection.execute(delete(tables.events).where(_e.game_id == game_id))
        await connection.execute(delete(tables.snapshots).where(_s.game_id == game_id))
        passing("before_commit")
    passing("after_commit")
    return True


async def put_back(database: Database, game_id: str, records: Sequence[Recorded]) -> bool:
    """
    Stores a log again that was taken out.

    Returns: False, and nothing is stored, where another log was taken out, or none.
    """
    kept = await found(database, game_id)
    last = (records[-1].version, records[-1].hash) if records else None
    if kept is None or last != (kept.version, kept.hash) or len(kept.commands) != len(records):
        return False
    events = [(game_id, *e, ends) for e, ends in zip(records, kept.commands, strict=True)]
    async with database.writing() as connection:
        locked = select(*_WHOLE).where(_g.id == game_id).with_for_update()
        await connection.execute(locked)
        gone = await connection.execute(delete(tables.archived).where(_a.game_id == game_id))
        if gone.rowcount != 1:  # somebody else has put it back
            return False
        for start in range(0, len(events), AT_ONCE):
            await _EVENTS(connection, events[start : start + AT_ONCE])
        passing("before_commit")
    passing("after_commit")
    return True
