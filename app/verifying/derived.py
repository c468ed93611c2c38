"""
What a database keeps beside a log, and what follows from the log: each is held against it.

The state with the columns by which games are looked for, who sits where, the states at earlier
versions; and of a log that is in an archive, the mark that says so.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row

from app.ports import Head
from app.store import rows, tables
from app.verifying.playing import Replay
from app.verifying.report import Fault
from engine.errors import BrokenHistory
from engine.evolve import evolve
from engine.state import Finished, Game, Unstarted
from engine.units import Seat

Sitting = tuple[Seat, str, bool, bool]
"""Seat, player, whether it still holds the seat, and whether the game goes on besides."""


class Mark(NamedTuple):
    """Of a log that was taken out: how far it went, and where its commands ended."""

    version: int
    hash: bytes
    commands: bytes
    """Packed JSON."""


class Beside(NamedTuple):
    """The rows of a game that are not its log."""

    state: Row[Any] | None
    """Of `STATE_COLUMNS`."""
    seats: Sequence[Sitting] = ()
    snapshots: Sequence[Row[Any]] = ()
    """Of (version, hash, setup, play)."""
    mark: Mark | None = None


_g = tables.games.c
LOOKED_FOR = ("status", "to_move", "visibility", "preset", "listed", "match_key")
STATE_COLUMNS = (*rows.HEAD_COLUMNS, *(_g[name] for name in LOOKED_FOR))


def check_beside(beside: Beside, replay: Replay) -> None:
    """Raises: Fault, where something is not what the log leads to."""
    if beside.state is None:
        raise Fault("there is a log, but no state folded from it")
    head, lines = _head(beside.state), replay.lines
    if (head.version, head.hash) != (lines[-1].version, lines[-1].hash):
        reason = f"the log ends at version {lines[-1].version}, the state is of {head.version}"
        raise Fault(f"{reason}, or of another log")
    sat, then = _walked(replay, {row.version for row in beside.snapshots})
    _check_state(head, replay.game)
    first, last = replay.event(0), replay.event(len(lines) - 1)
    if (head.created_at, head.updated_at) != (first.at, last.at):
        raise Fault("the stored state has other times than the log")
    _check_columns(beside.state, head)
    holds = rows.holders(head.game.setup)
    goes_on = not isinstance(replay.game, Finished)
    sitting = [(*each, each in holds, each in holds and goes_on) for each in sorted(sat)]
    if sorted(map(tuple, beside.seats)) != sitting:
        raise Fault("the seats are stored otherwise than the log has them")
    for row in beside.snapshots:
        _check_snapshot(row, then.get(row.version), replay)


def check_mark(beside: Beside) -> Sequence[int]:
    """
    That a log which is not here may be in an archive.

    Returns: of each of its events the last version of its command.
    Raises: Fault.
    """
    mark = beside.mark
    if beside.state is None or mark is None:
        raise Fault("there are rows of a game that has neither a log nor a state")
    head = _head(beside.state)
    if not isinstance(head.game, Finished):
        raise Fault("its log is marked as archived, and the game is not over")
    if (mark.version, mark.hash) != (head.version, head.hash):
        raise Fault("the log that is marked as archived is not that of the state")
    _check_columns(beside.state, head)
    try:
        ends: list[int] = json.loads(zlib.decompress(mark.commands))
    except (ValueError, zlib.error) as error:
        raise Fault("the mark of the archive cannot be read") from error
    whole = type(ends) is list and len(ends) == mark.version and all(type(e) is int for e in ends)
    if not whole or not all(v <= end <= len(ends) for v, end in enumerate(ends, 1)):
        raise Fault("the mark of the archive is not of so long a log")
    return ends


def _head(row: Row[Any]) -> Head:
    head = rows.head_or_fault(row)
    if isinstance(head, BrokenHistory):
        raise Fault("the stored state cannot be read")
    return head


def _check_state(head: Head, game: Game | None) -> None:
    if type(head.game) is not type(game):
        raise Fault("the stored state is of another phase than the log leads to")
    differs = [
        name for name in head.game._fields if getattr(head.game, name) != getattr(game, name)
    ]
    if differs:
        raise Fault(f"the stored state is not what the log leads to: {', '.join(differs)}")
    if head.join_code is not None and not isinstance(game, Unstarted):
        raise Fault("the stored state has a join code, and the game has begun")


def _check_columns(row: Row[Any], head: Head) -> None:
    """What a game is found by says the same as the game. Raises: Fault."""
    played = dict(zip(rows.PLAYED, rows.played_values(head, head.updated_at), strict=True))
    told = played | dict(zip(rows.SETTLED, rows.settled_values(head), strict=True))
    found = row._mapping
    if wrong := [name for name in LOOKED_FOR if found[name] != told[name]]:
        raise Fault(f"the stored state is filed under another {', '.join(wrong)}")


def _check_snapshot(row: Row[Any], game: Game | None, replay: Replay) -> None:
    snapshot = rows.snapshot_of(row)
    if snapshot is None:
        return  # of another release: nobody reads it
    if game is None or snapshot.hash != replay.lines[row.version - 1].hash:
        raise Fault(f"the state kept of version {row.version} is of another log")
    if snapshot.game != game:
        raise Fault(f"the state kept of version {row.version} is not what the log leads to")


def _walked(replay: Replay, wanted: set[int]) -> tuple[set[tuple[Seat, str]], dict[int, Game]]:
    """Everybody who ever sat, with the seat; and the game at the versions that are wanted."""
    sat: set[tuple[Seat, str]] = set()
    then: dict[int, Game] = {}
    game: Game | None = None
    for index in range(len(replay.lines)):
        before = game and game.setup
        game = evolve(game, replay.event(index))
        if game.setup is not before:
            sat |= rows.holders(game.setup)
        if index + 1 in wanted:
            then[index + 1] = game
    return sat, then
