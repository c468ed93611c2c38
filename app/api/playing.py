"""
What moves in a running game, as bytes: what a command leaves as it was is not made again.

`app.api.schemas.game.GamePlay` says what stands here; the members are in its order. A roll lies on
the table for two commands, seats change with a bank or a bust, a die looks the same in every game.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pydantic_core import to_json

from app.api.views import die_view, free_die, moment, offer_view, seat_views, selection_view
from app.ports import Head
from engine.choices import Choice
from engine.deadlines import game_deadline, turn_deadline
from engine.legal import Legal, legal
from engine.rules import Rules
from engine.state import Place, Playing, SeatState, ToSelect
from engine.units import Dice, Face, Millis, Points

MOST_GAMES = 1_024
"""Whose seats are kept as they were last, about 700 bytes each."""
MOST_ROLLS = 256
"""Whose selections are, about 1 KiB each: for the two commands that one lies on the table."""
MOST_SELECTIONS = 4_096
"""Of all rolls, about 300 bytes each; the dice of farkle make up some hundreds."""

MOST_PLAYED = 64
"""Games kept whole as they were last, about 2 KiB each: a frame follows the answer it goes with."""

_NULL = b"null"


class _Played(NamedTuple):
    at: Playing
    names: tuple[str | None, ...]
    written: bytes


_played_kept: dict[str, _Played] = {}
"""By game."""


def playing(head: Head, at: Playing) -> bytes:
    """The members of the object, without the braces."""
    game_id = at.setup.game_id
    kept = _played_kept.get(game_id)
    if kept is not None and kept.at is at and kept.names == head.names:
        return kept.written
    written = _playing(head, at)
    _played_kept.pop(game_id, None)  # to the end: its frame is asked for next
    _played_kept[game_id] = _Played(at, head.names, written)
    if len(_played_kept) > MOST_PLAYED:
        del _played_kept[next(iter(_played_kept))]
    return written


def _playing(head: Head, at: Playing) -> bytes:
    may, final = legal(at), at.final_round
    return (
        b'"seats":%b,"game_deadline":%b,"turn":%b,"take_over":%b,"final_round":%b,"legal":%b,'
        b'"result":null,"rematch":null'
    ) % (
        _seats(head, at),
        _moment(game_deadline(at)),
        _turn(at, may.dice_to_roll),
        _NULL if at.offer is None else to_json(offer_view(at.offer, at.setup.rules)),
        _NULL if final is None else to_json(final._asdict()),
        _legal(may),
    )


def _moment(at: Millis | None) -> bytes:
    return _NULL if at is None else to_json(moment(at))


class _Seats(NamedTuple):
    places: tuple[Place, ...]
    states: tuple[SeatState, ...]
    names: tuple[str | None, ...]
    written: bytes


_seats_kept: dict[str, _Seats] = {}
"""By game: as they were last, found by being the same objects."""


def _seats(head: Head, at: Playing) -> bytes:
    setup, states, names = at.setup, at.seats, head.names
    kept = _seats_kept.get(setup.game_id)
    if (
        kept is not None
        and kept.states is states
        and kept.names is names
        and kept.places is setup.places
    ):
        return kept.written
    written = to_json(seat_views(head))
    _seats_kept[setup.game_id] = _Seats(setup.places, states, names, written)
    if len(_seats_kept) > MOST_GAMES:
        del _seats_kept[next(iter(_seats_kept))]
    return written


def _turn(at: Playing, dice_to_roll: int) -> bytes:
    turn, rules = at.turn, at.setup.rules
    deadline = _moment(turn_deadline(at))
    if not isinstance(turn, ToSelect):
        return (
            b'{"seat":%d,"phase":"to_roll","score":0,"protected":0,"dice_to_roll":%d,'
            b'"deadline":%b,"dice":[%b]}'
        ) % (turn.seat, dice_to_roll, deadline, _free(rules.dice))
    return (
        b'{"seat":%d,"phase":"to_select","score":%d,"protected":%d,"dice_to_roll":%d,'
        b'"deadline":%b,"dice":[%b]}'
    ) % (turn.seat, turn.score, turn.protected, dice_to_roll, deadline, _dice(turn, rules))


@lru_cache
def _free(dice: int) -> bytes:
    return b",".join([to_json(free_die(die)) for die in range(dice)])


def _dice(turn: ToSelect, rules: Rules) -> bytes:
    locked, rolled, selected, faces = turn.locked, turn.rolled, turn.selected, turn.faces
    spicy = None if rules.spicy is None else rules.spicy.faces
    jester = rules.dice - 1 if turn.wild else -1
    dice = []
    for die in range(rules.dice):
        is_rolled = bool(rolled >> die & 1)
        wild = is_rolled and die == jester
        face = faces[die] or (turn.wild_face if wild else 0)
        is_spicy = spicy is not None and face == spicy[die]
        is_locked, is_selected = bool(locked >> die & 1), bool(selected >> die & 1)
        dice.append(_die(die, is_locked, is_rolled, face, is_selected, is_spicy, wild))
    return b",".join(dice)


@lru_cache(maxsize=4_096)
def _die(
    die: int, locked: bool, rolled: bool, face: int, selected: bool, spicy: bool, wild: bool
) -> bytes:
    if not locked and not rolled:
        return to_json(free_die(die))
    return to_json(die_view(die, "locked" if locked else "rolled", face, selected, spicy, wild))


def _legal(may: Legal) -> bytes:
    bank = _NULL if may.bank is None else b'{"score":%d,"total":%d}' % may.bank
    return b'{"seat":%d,"commands":%b,"selections":%b,"bank":%b}' % (
        may.seat,
        _commands(may.commands),
        _selections(may.choices),
        bank,
    )


@lru_cache(maxsize=64)
def _commands(commands: tuple[str, ...]) -> bytes:
    return to_json(commands)


_selections_kept: dict[int, tuple[tuple[Choice, ...], bytes]] = {}
"""By the identity of the choices, which are kept with them: to hash them takes longer than to
write them."""


def _selections(choices: tuple[Choice, ...]) -> bytes:
    if not choices:
        return b"[]"
    kept = _selections_kept.get(id(choices))
    if kept is None:
        each = [_selection(choice.dice, choice.points, choice.wild_face) for choice in choices]
        kept = choices, b"[%b]" % b",".join(each)
        _selections_kept[id(choices)] = kept
        if len(_selections_kept) > MOST_ROLLS:
            del _selections_kept[next(iter(_selections_kept))]
    return kept[1]


@lru_cache(maxsize=MOST_SELECTIONS)
def _selection(dice: Dice, points: Points, wild_face: Face) -> bytes:
    return to_json(selection_view(dice, points, wild_face))
