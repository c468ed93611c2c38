"""
The folded head of a game as two stored documents: `setup` and `play`.

`setup` is what the table was laid with. It never changes once the game runs, so it is written
rarely, and decoded once per process. `play` is the rest, read and written by every command: lists
by position, in the order of the fields in `engine.state`. Both name their format. A later release
that cannot read one refolds it from the log.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from sys import intern
from typing import Any

from pydantic_core import to_json

from app.store.parts import DECODERS, ENCODERS, canonical
from engine.errors import BrokenHistory
from engine.state import (
    FinalRound,
    Finished,
    Game,
    Lobby,
    Offer,
    Playing,
    Result,
    Reveal,
    Sealing,
    SeatState,
    Setup,
    ToRoll,
    ToSelect,
    Turn,
)

OLDEST = 1
"""What is still read: it lacks the last fields of seats and of games, which have their defaults."""
FORMAT = 2
"""Raised by a release that changes the fields of `engine.state` or their order."""

_KEYS = tuple("seats" if field == "places" else field for field in Setup._fields)
_LOBBY, _SEALING = "lobby", "sealing"
_PLAYING, _FINISHED = "playing", "finished"
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def encode_setup(setup: Setup) -> bytes:
    data: dict[str, Any] = dict(zip(_KEYS, setup, strict=True))
    for key, convert in ENCODERS.items():
        data[key] = convert(data[key])
    return canonical({"format": FORMAT, **data}).encode()


MOST_SETUPS = 2_048
"""Set-ups that stay as they were decoded, about 1 KiB each. They are found by a digest of the
document, which is twice as long."""

_decoded: dict[bytes, Setup] = {}


def decode_setup(data: bytes | str) -> Setup:
    """The same object for the same bytes. SQLite gives text back where somebody put text in."""
    if isinstance(data, str):
        data = data.encode()
    key = blake2b(data, digest_size=16).digest()
    setup = _decoded.pop(key, None) or _setup(data)
    _decoded[key] = setup
    if len(_decoded) > MOST_SETUPS:
        _decoded.pop(next(iter(_decoded)), None)
    return setup


def _setup(data: bytes) -> Setup:
    fields = json.loads(data)
    _check(fields.pop("format"))
    for key, convert in DECODERS.items():
        fields[key] = convert(fields[key])
    fields["server_commits"] = tuple(fields["server_commits"])
    # As in `parts`: a text that many tables have is there once.
    for key in ("preset", "host", "visibility"):
        fields[key] = fields[key] and intern(fields[key])
    return Setup._make(fields[key] for key in _KEYS)


def encode_play(game: Game) -> bytes | None:
    """None in a lobby in which nobody contributes to the dice."""
    if isinstance(game, Lobby):
        if game == Lobby(game.setup):
            return None
        return _dumps((FORMAT, _LOBBY, *game[1:])).encode()
    if isinstance(game, Sealing):
        return _dumps((FORMAT, _SEALING, *game[1:])).encode()
    if isinstance(game, Playing):
        _, seats, turn, offer, final, *rest = game
        # Named tuples as plain ones: told apart from records of other kinds, they take twice as
        # long, and this is written with each command.
        parts = (tuple(map(tuple, seats)), tuple(turn), offer and tuple(offer))
        return to_json((FORMAT, _PLAYING, *parts, final and tuple(final), *rest))
    return _dumps((FORMAT, _FINISHED, *game[1:])).encode()


def decode_game(setup: Setup, play: bytes | None) -> Game:
    """
    The head again.

    Raises: BrokenHistory, when another release wrote it.
    """
    if play is None:
        return Lobby(setup)
    data = json.loads(play)
    _check(data[0])
    if data[1] == _PLAYING:
        _, _, seats, turn, offer, final, reached, rolls, script, epoch, seal, *rest = data
        started_at, credited, turn_credits, gap, touched_at, *mixed = rest
        return Playing(
            setup,
            tuple([SeatState(*seat) for seat in seats]),
            _turn(turn),
            None if offer is None else Offer(offer[0], offer[1], offer[2], tuple(offer[3])),
            None if final is None else FinalRound(final[0], tuple(final[1])),
            tuple(reached),
            rolls,
            tuple(map(tuple, script)) if script else (),
            epoch,
            seal,
            started_at,
            credited,
            turn_credits,
            gap,
            touched_at,
            *map(tuple, mixed),
        )
    if data[1] == _LOBBY:
        if data[0] == OLDEST:
            return Lobby(setup)
        epoch, commits, failed, resigned = data[2:]
        return Lobby(setup, epoch, _pairs(commits), tuple(failed), tuple(resigned))
    if data[1] == _SEALING:
        epoch, commits, closed_at, reveal_by, reveals, failed, resigned, gap, seal, mixed = data[2:]
        return Sealing(
            setup,
            epoch,
            _pairs(commits),
            closed_at,
            reveal_by,
            tuple(Reveal._make(each) for each in reveals),
            tuple(failed),
            tuple(resigned),
            gap,
            seal,
            tuple(mixed),
        )
    _, _, seats, result, rolls, epoch, seal, started_at, ended_at, seeds, rematch, *mixed = data
    return Finished(
        setup,
        tuple([SeatState(*seat) for seat in seats]),
        Result(result[0], tuple(result[1]), tuple(map(tuple, result[2]))),
        rolls,
        epoch,
        seal,
        started_at,
        ended_at,
        tuple(seeds),
        rematch,
        *map(tuple, mixed),
    )


def _pairs(data: list[Any]) -> tuple[Any, ...]:
    return tuple(map(tuple, data))


def _turn(data: list[Any]) -> Turn:
    if len(data) == len(ToRoll._fields):
        return ToRoll._make(data)
    data[2] = tuple(data[2])
    data[-1] = tuple(map(tuple, data[-1])) if data[-1] else ()
    return ToSelect._make(data)


def _check(version: int) -> None:
    if not OLDEST <= version <= FORMAT:
        raise BrokenHistory(f"a head of format {version}; this release reads up to {FORMAT}")
