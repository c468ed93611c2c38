"""
A head as a row of `games`, and back.

Beside the two documents a row repeats what is looked for: status, seat to move, who sits where.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, Select, select

from app.matching import is_waiting, match_key
from app.ports import BotName, Head, Snapshot
from app.series.model import Recorded
from app.store import tables
from app.store.heads import decode_game, decode_setup, encode_play, encode_setup
from engine.errors import BrokenHistory, Malformed
from engine.state import Game, Lobby, Playing, Sealing, Setup
from engine.units import Millis, Seat

Status = Literal["lobby", "sealing", "playing", "finished"]

_g = tables.games.c
_u = tables.setups.c
_SETUP = (
    select(_u.setup)
    .where(_u.game_id == _g.id)
    .correlate(tables.games)
    .scalar_subquery()
    .label("setup")
)
HEAD_COLUMNS = (
    _g.id,
    _g.version,
    _g.hash,
    _SETUP,
    _g.play,
    _g.names,
    _g.join_code,
    _g.created_at,
    _g.updated_at,
)
"""What `head_of` takes, in this order, as one statement finds it in `games`."""

MOVED = ("version", "hash", "play", "to_move", "updated_at")
"""What changes with every command of a running game."""
PLAYED = (*MOVED, "status")
"""And what its end changes; an index is made of it, which SQLite writes whenever it is named."""
SETTLED = ("names", "join_code", "visibility", "preset", "listed", "match_key")
"""What rarely does."""
OPENED = ("id", "created_at")
"""What never does."""
SNAPSHOT = ("game_id", "version", "hash", "setup", "play")

SNAPSHOT_EVERY = 256
"""Events. To know a game at any version, no more than these need folding, and a command's."""


def heads() -> Select[Any]:
    return select(*HEAD_COLUMNS)


def locked_heads(*more: ColumnElement[Any]) -> Select[Any]:
    """
    The same, and more, with both rows of each game locked.

    Both, since Postgres reads anew, once it has waited for a lock, only the rows that it locks.
    """
    columns = [_u.setup if column is _SETUP else column for column in HEAD_COLUMNS]
    both = tables.games.join(tables.setups, _u.game_id == _g.id)
    return select(*columns, *more).select_from(both).with_for_update()


def head_of(row: Row[Any] | Sequence[Any]) -> Head:
    """
    The head in a row that begins with `HEAD_COLUMNS`.

    Raises: BrokenHistory, when another release wrote it, or no release.
    """
    _, version, digest, setup, play, names, join_code, created_at, updated_at = row[:9]
    try:
        game = decode_game(decode_setup(setup), play)
    except (AttributeError, LookupError, Malformed, TypeError, ValueError) as wrong:
        raise BrokenHistory("the stored state of a game cannot be read") from wrong
    return Head(game, version, digest, names_of(names), join_code, created_at, updated_at)


def head_or_fault(row: Row[Any] | Sequence[Any]) -> Head | BrokenHistory:
    """One damaged game must not fail those that are read with it."""
    try:
        return head_of(row)
    except BrokenHistory as fault:
        return fault


@lru_cache(maxsize=2048)
def names_of(data: str) -> tuple[str | None, ...]:
    return tuple(BotName(n["bot"]) if isinstance(n, dict) else n for n in json.loads(data))


def names_text(names: tuple[str | None, ...]) -> str:
    """A list; the name of a bot account is `{"bot": name}` there."""
    marked = [{"bot": name} if isinstance(name, BotName) else name for name in names]
    return json.dumps(marked, ensure_ascii=False, separators=(",", ":"))


def moved_values(head: Head, updated_at: Millis) -> tuple[Any, ...]:
    """In the order of `MOVED`."""
    game = head.game
    return head.version, head.hash, encode_play(game), seat_to_move(game), updated_at


def played_values(head: Head, updated_at: Millis) -> tuple[Any, ...]:
    """In the order of `PLAYED`."""
    return *moved_values(head, updated_at), status_of(head.game)


def settled_values(head: Head) -> tuple[Any, ...]:
    """In the order of `SETTLED`."""
    setup = head.game.setup
    return (
        names_text(head.names),
        head.join_code,
        setup.visibility,
        setup.preset,
        setup.visibility == "public" and setup.dice.kind == "fair",
        match_key(setup) if is_waiting(head.game) else None,
    )


def snapshot_values(
    game_id: str, game: Game, version: int, digest: bytes
) -> tuple[str, int, bytes, bytes, bytes | None]:
    """In the order of `SNAPSHOT`."""
    return game_id, version, digest, encode_setup(game.setup), encode_play(game)


def snapshot_of(row: Row[Any] | Sequence[Any]) -> Snapshot | None:
    """Of a row (version, hash, setup, play); None where another release wrote it."""
    version, digest, setup, play = row[:4]
    try:
        return Snapshot(decode_game(decode_setup(setup), play), version, digest)
    except BrokenHistory:
        return None


def settled(head: Head) -> tuple[object, ...]:
    """Equal for two heads whose `SETTLED` are equal; quick where they share one set-up."""
    return head.game.setup, head.names, head.join_code, is_waiting(head.game)


def same_settled(before: Head, head: Head) -> bool:
    """Whether the `SETTLED` of two heads are equal."""
    if (
        before.game.setup is head.game.setup
        and before.names is head.names
        and isinstance(before.game, Playing)
        and before.join_code is head.join_code
    ):  # as after nearly every command
        return True
    return settled(before) == settled(head)


def status_of(game: Game) -> Status:
    if isinstance(game, Lobby):
        return "lobby"
    if isinstance(game, Sealing):
        return "sealing"
    return "playing" if isinstance(game, Playing) else "finished"


def seat_to_move(game: Game) -> Seat | None:
    return game.turn.seat if isinstance(game, Playing) else None


def holders(setup: Setup | None) -> set[tuple[Seat, str]]:
    """(seat, player) of every seat that a player holds."""
    if setup is None:
        return set()
    return {(seat, place.player_id) for seat, place in enumerate(setup.places) if place.player_id}


def result_text(result: Recorded) -> str:
    """How a game of a series ended, as `series_games` has it."""
    return json.dumps(result, separators=(",", ":"))
