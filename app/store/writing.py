"""The rows that a batch writes, table by table."""

from __future__ import annotations

from typing import Any

from app.ports import Head
from app.series.model import Recorded
from app.store import rows, tables
from app.store.batch import Batch
from app.store.bulk import Delete, GuardedUpdate, Insert, Update, Write
from app.store.heads import encode_setup
from app.store.lanes import Writes
from engine.state import Finished
from engine.units import Millis

_EVENTS = Insert(tables.events, ("game_id", "version", "data", "hash", "command"))
_SETUPS = Insert(tables.setups, ("game_id", "setup"), replaces=("setup",))
_SNAPSHOTS = Insert(tables.snapshots, rows.SNAPSHOT, replaces=("hash", "setup", "play"))
_SEEDS = Insert(tables.seeds, ("game_id", "epoch", "seed"))
ANSWER_COLUMNS = (
    *("player_id", "key", "fingerprint", "game_id"),
    *("status", "body", "version", "location", "created_at"),
)
_ANSWERS = Insert(tables.answers, ANSWER_COLUMNS)
_STANDING = ("holds", "running")
_SEATS = Insert(tables.seats, ("game_id", "seat", "player_id", *_STANDING), replaces=_STANDING)
_CLOCK = ("due_at", "bots_of")
_CLOCKS = Insert(tables.clocks, ("game_id", *_CLOCK), replaces=_CLOCK)
_NO_CLOCKS = Delete(tables.clocks, key="game_id")
_ENDED = Insert(tables.ended, ("game_id", "version"), replaces=("version",))
_VOIDED = Update(tables.series_games, ("result",), key="game_id")
_OPENED = Insert(tables.games, (*rows.OPENED, *rows.PLAYED, *rows.SETTLED))
_MOVED = GuardedUpdate(tables.games, rows.MOVED, key="id", guard="version")
_PLAYED = GuardedUpdate(tables.games, rows.PLAYED, key="id", guard="version")
_CHANGED = GuardedUpdate(tables.games, (*rows.PLAYED, *rows.SETTLED), key="id", guard="version")


def writes_of(batch: Batch) -> Writes:
    """In an order that no two batches can wait for each other in."""
    opened: list[tuple[Any, ...]] = []
    played: list[tuple[Head, Head, Millis]] = []
    changed: list[tuple[Any, ...]] = []
    setups: list[tuple[Any, ...]] = []
    clocks = batch.clock_rows
    ended: list[tuple[Any, ...]] = []
    snapshots: list[tuple[Any, ...]] = []
    voided: list[tuple[Any, ...]] = []
    for game_id, before, head, updated_at in batch.moves():
        if isinstance(head.game, Finished):
            if head.game.setup.counts:
                ended.append((game_id, head.version))
            # A game of a series may have been recorded long since, with the result it had.
            if head.game.setup.host is None and head.game.result.reason == "voided":
                voided.append((rows.result_text(Recorded.of(head.game)), game_id))
        setup = head.game.setup
        if before is None or (before.game.setup is not setup and before.game.setup != setup):
            setups.append((game_id, encode_setup(setup)))
        past = 0 if before is None else before.version // rows.SNAPSHOT_EVERY
        if head.version // rows.SNAPSHOT_EVERY > past:
            snapshots.append(rows.snapshot_values(game_id, *head[:3]))
        if before is None:
            values = rows.played_values(head, updated_at)
            opened.append((game_id, head.created_at, *values, *rows.settled_values(head)))
        elif rows.same_settled(before, head):
            played.append((before, head, updated_at))
        else:
            values = rows.played_values(head, updated_at)
            changed.append((*values, *rows.settled_values(head), game_id, before.version))
    return (
        (_OPENED, opened),
        _played(played),
        (_CHANGED, sorted(changed, key=_id)),
        (_SETUPS, sorted(setups)),
        (_EVENTS, batch.event_rows),
        (_SNAPSHOTS, snapshots),
        (_SEEDS, batch.seed_rows),
        # In the order of their keys, so that no two batches wait for each other in a circle.
        (_ANSWERS, sorted(batch.answer_rows)),
        (_SEATS, [(*key, *standing) for key, standing in sorted(batch.seats.items())]),
        (_CLOCKS, [(game, *row) for game, row in sorted(clocks.items()) if row is not None]),
        (_NO_CLOCKS, sorted((game,) for game, row in clocks.items() if row is None)),
        *batch.purses.writes(),
        *(() if batch.notices is None else batch.notices.writes()),
        (_ENDED, ended),
        (_VOIDED, sorted(voided, key=lambda row: row[1])),
    )


def _played(moves: list[tuple[Head, Head, Millis]]) -> tuple[Write, list[tuple[Any, ...]]]:
    """Of games in which nothing but play has happened; all in one statement, in order."""
    goes_on = all(type(before.game) is type(head.game) for before, head, _ in moves)
    write, values_of = (_MOVED, rows.moved_values) if goes_on else (_PLAYED, rows.played_values)
    found = [
        (*values_of(head, at), head.game.setup.game_id, before.version)
        for before, head, at in moves
    ]
    return write, sorted(found, key=_id)


def _id(row: tuple[Any, ...]) -> str:
    """Of a guarded update."""
    found: str = row[-2]
    return found
