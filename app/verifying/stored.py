"""
Every log of a database, held against the rules, its own chain and what was folded from it.

A game is read as it is at one moment and judged before the next is read: what is in memory is one
log. Servers may play meanwhile; what they append later is judged the next time. What nobody can see
here is a log that was cut off or written anew together with the state folded from it: that shows
against a (version, hash) which somebody kept.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, func, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from app.store import tables
from app.store.database import Database, open_existing
from app.verifying.derived import STATE_COLUMNS, Beside, Mark, check_beside, check_mark
from app.verifying.examining import check_secrets, played, revealed
from app.verifying.reading import Log, check_chain, line_of, opened, read_log
from app.verifying.report import Fault, Report
from engine.state import Finished

PAGE = 1_000
"""Events read at once."""
NOT_OVER = "not over yet"
ARCHIVED = "its log is in an archive"

_g, _e, _s, _a = tables.games.c, tables.events.c, tables.seeds.c, tables.archived.c
_n, _p, _u = tables.snapshots.c, tables.seats.c, tables.setups.c
_IDS = (_g.id, _e.game_id, _s.game_id, _a.game_id, _n.game_id, _p.game_id, _u.game_id)
"""Where a game may have left rows."""


class EventRow(NamedTuple):
    version: int
    data: bytes
    hash: bytes
    command: int
    """The last version of the command it came from."""


class Stored(NamedTuple):
    """All that a database holds of a game, at one moment."""

    game_id: str
    events: Sequence[EventRow]
    """By version."""
    secrets: Sequence[tuple[int, bytes]]
    """Number of the attempt, and the server's secret of it."""
    beside: Beside


FileOf = Callable[[str], bytes | None]
"""The file in which the log of a game is archived; None where there is none."""


async def judged_all(database_url: str, file_of: FileOf | None = None) -> AsyncIterator[Report]:
    """
    A report on each game there is, in the order of their ids.

    A running game is `incomplete`, its reason NOT_OVER: all but its end is checked. One whose
    log is in an archive is too, its reason ARCHIVED, unless its file can be had: then it is judged
    as if the log were here.

    Raises: StoreUnavailable, Overloaded, UnfitDatabase.
    """
    database = open_existing(database_url)
    try:
        last = ""
        while (stored := await _after(database, last)) is not None:
            last = stored.game_id
            yield judged(stored, file_of)
    finally:
        await database.dispose()


def judged(stored: Stored, file_of: FileOf | None = None) -> Report:
    """What is to say of a game."""
    report = Report(game_id=stored.game_id)
    try:
        if not stored.events and file_of is not None:
            stored = _unarchived(stored, file_of)
        report.events = len(stored.events)
        _check(stored, report)
    except Fault as fault:
        report.blame(fault)
    return report


def _unarchived(stored: Stored, file_of: FileOf) -> Stored:
    """With the log from its file. Raises: Fault, where that is not the one that was taken out."""
    if stored.beside.state is None or stored.beside.mark is None:
        return stored
    ends = check_mark(stored.beside)
    if (data := file_of(stored.game_id)) is None:
        raise Fault("its log is marked as archived, and there is no such file")
    game_id, lines = opened(data)
    if game_id != stored.game_id or not lines:
        raise Fault("the file of its log is another game's, or empty")
    log = read_log(game_id, lines)
    if (len(log.lines), log.lines[-1].hash) != stored.beside.mark[:2]:
        raise Fault("the file of its log is not the log that was taken out")
    events = [EventRow(*line[:3], end) for line, end in zip(log.lines, ends, strict=True)]
    return stored._replace(events=events, beside=stored.beside._replace(mark=None))


def _check(stored: Stored, report: Report) -> None:
    lines = []
    for expected, (version, data, hashed, _) in enumerate(stored.events, 1):
        if version != expected:
            raise Fault(f"version {version} stands where {expected} belongs", expected)
        lines.append(line_of(version, data, hashed))
    if not lines:
        if stored.beside.state is not None and stored.beside.mark is None:
            raise Fault("there is a state, but no log")
        check_mark(stored.beside)
        raise Fault(ARCHIVED, incomplete=True)
    if stored.beside.mark is not None:
        raise Fault("its log is marked as archived, and is here")
    log = Log(stored.game_id, tuple(lines))
    check_chain(log.game_id, log.lines)
    told = revealed(log)
    if [epoch for epoch, _ in stored.secrets] != [*range(len(stored.secrets))]:
        raise Fault("the secrets are not numbered one after the other")
    secrets = tuple(secret for _, secret in stored.secrets)
    check_secrets(log, secrets, None)
    replay = played(log, secrets, report)
    if replay.cut_off:
        raise Fault("the log ends in the middle of a command")
    _check_commands(stored.events, replay.ends)
    check_beside(stored.beside, replay)
    if not isinstance(replay.game, Finished):
        raise Fault(NOT_OVER, incomplete=True)
    if told is None:
        raise Fault("the game is over, and its secrets are not revealed")


def _check_commands(events: Sequence[EventRow], ends: Sequence[int]) -> None:
    """
    Each event names the last one of its order, and so do all in between. Raises: Fault.

    Args:
        ends: of the commands by the rules, of which an order has one or a few.
    """
    first = before = 0
    for end in ends:
        named = events[end - 1].command
        whole = max(end, before) <= named <= len(events) and events[named - 1].command == named
        if not whole or any(event.command != named for event in events[first:end]):
            raise Fault("the event names another end of its command", first + 1)
        first, before = end, named


async def _after(database: Database, last: str) -> Stored | None:
    """The next game by its id, whatever there is of it."""
    async with database.at_one_moment() as connection:
        firsts = union_all(*(select(func.min(id_)).where(id_ > last) for id_ in _IDS))
        found = [id_ for id_ in (await connection.execute(firsts)).scalars() if id_ is not None]
        return await read(connection, min(found)) if found else None


async def read(connection: AsyncConnection, game_id: str) -> Stored:
    """
    What there is of a game.

    Args:
        connection: one of `Database.at_one_moment`.
    """

    async def all_of(query: Select[Any]) -> list[Row[Any]]:
        return [*await connection.execute(query)]

    events: list[EventRow] = []
    while page := await _page(connection, game_id, events[-1].version if events else None):
        events += page
    seats = select(_p.seat, _p.player_id, _p.holds, _p.running).where(_p.game_id == game_id)
    kept = select(_n.version, _n.hash, _n.setup, _n.play).where(_n.game_id == game_id)
    marks = await all_of(select(_a.version, _a.hash, _a.commands).where(_a.game_id == game_id))
    states = await all_of(select(*STATE_COLUMNS).where(_g.id == game_id))
    secrets = select(_s.epoch, _s.seed).where(_s.game_id == game_id).order_by(_s.epoch)
    return Stored(
        game_id,
        events,
        [(row.epoch, row.seed) for row in await all_of(secrets)],
        Beside(
            states[0] if states else None,
            [(row.seat, row.player_id, row.holds, row.running) for row in await all_of(seats)],
            await all_of(kept),
            Mark._make(marks[0]) if marks else None,
        ),
    )


async def _page(connection: AsyncConnection, game_id: str, after: int | None) -> list[EventRow]:
    query = select(_e.version, _e.data, _e.hash, _e.command).where(_e.game_id == game_id)
    if after is not None:
        query = query.where(_e.version > after)
    found = await connection.execute(query.order_by(_e.version).limit(PAGE))
    return [EventRow._make(row) for row in found]
