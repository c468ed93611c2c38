"""
Every log of a database, held against the rules, its own chain and the states folded from it.

A game is read in one transaction and judged before the next is read: what is in memory is one log.
Servers may play meanwhile; what they append while a log is read is judged the next time. What
nobody can see here is a log that was cut off or written anew together with the state folded from
it: that shows against a (version, hash) which somebody kept.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app.store import rows, tables
from app.store.database import Database, open_database
from app.verifying.examining import check_secrets, commits_of, played, revealed
from app.verifying.reading import Log, check_chain, line_of
from app.verifying.report import Fault, Report
from engine.errors import BrokenHistory
from engine.state import Finished, Game

PAGE = 1_000
"""Events read at once."""
NOT_OVER = "not over yet"
ARCHIVED = "its log is in an archive"

_g, _e, _s = tables.games.c, tables.events.c, tables.seeds.c


class EventRow(NamedTuple):
    version: int
    data: bytes
    hash: bytes
    command: int
    """The last version of the command it came from."""


class Stored(NamedTuple):
    """All that a database holds of a game."""

    game_id: str
    head: Row[Any] | None
    events: Sequence[EventRow]
    """By version."""
    secrets: tuple[bytes, ...]
    taken_out: bool = False
    """Its log is in an archive."""


async def judged_all(database_url: str) -> AsyncIterator[Report]:
    """
    A report on each game there is, in the order of their ids.

    A running game is `incomplete`, its reason NOT_OVER: all but its end is checked. One whose
    log is in an archive is too, its reason ARCHIVED: the file is what can be checked.

    Raises: StoreUnavailable, Overloaded, UnfitDatabase.
    """
    database = open_database(database_url)
    try:
        last = ""
        while (stored := await _after(database, last)) is not None:
            last = stored.game_id
            yield judged(stored)
    finally:
        await database.dispose()


def judged(stored: Stored) -> Report:
    """What is to say of a game. Pure."""
    report = Report(game_id=stored.game_id, events=len(stored.events))
    try:
        _check(stored, report)
    except Fault as fault:
        report.blame(fault)
    return report


def _check(stored: Stored, report: Report) -> None:
    lines = []
    for expected, (version, data, hashed, _) in enumerate(stored.events, 1):
        if version != expected:
            raise Fault(f"version {version} stands where {expected} belongs", expected)
        lines.append(line_of(version, data, hashed))
    if stored.taken_out and not lines:
        raise Fault(ARCHIVED, incomplete=True)
    if not lines:
        raise Fault("there is a state, but no log")
    log = Log(stored.game_id, tuple(lines))
    check_chain(log.game_id, log.lines)
    _check_commands(stored.events)
    head = stored.head
    if head is None:
        raise Fault("there is a log, but no state folded from it")
    if (head.version, head.hash) != (lines[-1].version, lines[-1].hash):
        reason = f"the log ends at version {lines[-1].version}, the state is of {head.version}"
        raise Fault(f"{reason}, or of another log")
    told = revealed(log)
    # Read last, so there may be one more: drawn for an attempt that was closed meanwhile.
    secrets = stored.secrets[: len(commits_of(log.lines))]
    check_secrets(log, secrets, None)
    replay = played(log, secrets, report)
    if replay.cut_off:
        raise Fault("the log ends in the middle of a command")
    _check_head(head, replay.game)
    if not isinstance(replay.game, Finished):
        raise Fault(NOT_OVER, incomplete=True)
    if told is None:
        raise Fault("the game is over, and its secrets are not revealed")


def _check_commands(events: Sequence[EventRow]) -> None:
    """Each event names the last one of its command, and so do all in between."""
    for version, _, _, command in events:
        if not version <= command <= len(events) or events[command - 1].command != command:
            raise Fault("the event names another end of its command", version)


def _check_head(row: Row[Any], game: Game | None) -> None:
    head = rows.head_or_fault(row)
    if isinstance(head, BrokenHistory):
        raise Fault("the stored state cannot be read")
    if type(head.game) is not type(game):
        raise Fault("the stored state is of another phase than the log leads to")
    differs = [
        name for name in head.game._fields if getattr(head.game, name) != getattr(game, name)
    ]
    if differs:
        raise Fault(f"the stored state is not what the log leads to: {', '.join(differs)}")


async def _after(database: Database, last: str) -> Stored | None:
    """The next game by its id, whether there is a log of it, a state, or both."""
    async with database.reading() as connection:
        ids = [
            (
                await connection.execute(select(id_).where(id_ > last).order_by(id_).limit(1))
            ).scalar()
            for id_ in (_g.id, _e.game_id)
        ]
        found = [each for each in ids if each is not None]
        return await read(connection, min(found)) if found else None


async def read(connection: AsyncConnection, game_id: str) -> Stored:
    """What there is of a game."""
    events: list[EventRow] = []
    # State and log may be of different moments: the log is read on until it has the state's
    # version, and what came later is left out.
    while page := await _page(connection, game_id, events[-1].version if events else None):
        events += page
    head = (await connection.execute(rows.heads().where(_g.id == game_id))).first()
    while head is not None and events and events[-1].version < head.version:
        page = await _page(connection, game_id, events[-1].version)
        if not page:
            break
        events += [row for row in page if row.version <= head.version]
        if page[-1].version > head.version:
            break
    seeds = select(_s.seed).where(_s.game_id == game_id).order_by(_s.epoch)
    secrets = tuple((await connection.execute(seeds)).scalars())
    archived = select(tables.archived.c.version).where(tables.archived.c.game_id == game_id)
    taken_out = (await connection.execute(archived)).first() is not None
    return Stored(game_id, head, events, secrets, taken_out)


async def _page(connection: AsyncConnection, game_id: str, after: int | None) -> list[EventRow]:
    query = select(_e.version, _e.data, _e.hash, _e.command).where(_e.game_id == game_id)
    if after is not None:
        query = query.where(_e.version > after)
    found = await connection.execute(query.order_by(_e.version).limit(PAGE))
    return [EventRow._make(row) for row in found]
