"""
Moving logs, one after the other: nothing is deleted before a copy was read back and judged.

    read → judge → write, to the disk → read the file → judge → delete, in one transaction

Killed anywhere, it has left each log in the database, in a file, or in both; the next run goes on
from there. Servers may play meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from app.archiving import files
from app.ports import Clock, Recorded
from app.store.archive import Archived, archivable, found, put_back, take_out
from app.store.database import Database, open_existing
from app.store.rebuild import refold
from app.verifying.examining import verify
from app.verifying.reading import opened, read_log, unpacked
from app.verifying.report import Report
from app.verifying.stored import judged, read

PAGE = 100

Tell = Callable[[str, str], None]
"""Is told of each game that stays where it is: id (or file), and why."""


class Moved(NamedTuple):
    moved: int
    stayed: int


async def archive(
    database_url: str, folder: Path, older_than_ms: int, clock: Clock, tell: Tell
) -> Moved:
    """
    The logs of all games that have been over for so long.

    Args:
        database_url: the owner's.
        folder: is there; a file is named after its game.
    Raises: StoreUnavailable, Overloaded, UnfitDatabase, OSError.
    """
    database = open_existing(database_url)
    moved = stayed = 0
    last, before = "", clock.now() - older_than_ms
    try:
        while page := await archivable(database, before, last, PAGE):
            for game_id in page:
                reason = await _archive(database, folder, game_id, clock)
                moved, stayed = moved + (reason is None), stayed + (reason is not None)
                if reason is not None:
                    tell(game_id, reason)
            last = page[-1]
    finally:
        await database.dispose()
    return Moved(moved, stayed)


async def _archive(database: Database, folder: Path, game_id: str, clock: Clock) -> str | None:
    """None, or why it stays."""
    async with database.at_one_moment() as connection:
        stored = await read(connection, game_id)
    if (reason := _fault_in(judged(stored))) is not None:
        return reason
    records = [Recorded(*row[:3]) for row in stored.events]
    export, path = files.export_of(game_id, records), files.path_of(folder, game_id)
    files.write(path, export)
    copy = unpacked(files.read(path))
    if copy != export:
        return "the file does not hold what was written to it"
    if (reason := _fault_in(verify(copy))) is not None:
        return reason
    log = Archived(records[-1].version, records[-1].hash, [row.command for row in stored.events])
    if not await take_out(database, game_id, log, clock.now()):
        return "it has moved since"
    return None


async def restore(database_url: str, packed: list[Path], tell: Tell) -> Moved:
    """
    The logs in these files, to the games that they were taken from.

    Raises: StoreUnavailable, Overloaded, UnfitDatabase, OSError.
    """
    database = open_existing(database_url)
    moved = stayed = 0
    try:
        for file in packed:
            reason = await _restore(database, file)
            moved, stayed = moved + (reason is None), stayed + (reason is not None)
            if reason is not None:
                tell(str(file), reason)
    finally:
        await database.dispose()
    return Moved(moved, stayed)


async def _restore(database: Database, file: Path) -> str | None:
    """None, or why it stays."""
    data = files.read(file)
    report = verify(data)
    if report.game_id is None:
        return f"no export of a game: {report.reason}"
    if (reason := _fault_in(report)) is not None:
        return reason
    game_id, lines = opened(data)
    log = read_log(game_id, lines)
    records = [Recorded(line.version, line.data, line.hash) for line in log.lines]
    if not await put_back(database, game_id, records):
        if await found(database, game_id) is not None:
            return "not the log that was taken out"
        async with database.at_one_moment() as connection:
            stored = await read(connection, game_id)
        if [row[:3] for row in stored.events] != [tuple(record) for record in records]:
            return "no log of this game was taken out"
    await refold(database, game_id)  # its snapshots
    return None


def _fault_in(report: Report) -> str | None:
    return None if report.verdict == "valid" else f"{report.verdict}: {report.reason}"
