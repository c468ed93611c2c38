"""
The commands of a game, by name: what each takes, and what the service is asked for.

Over HTTP a command is a route below its game, over the game's stream a message; both are this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from pydantic import BaseModel

from app.api.asked import selection
from app.api.schemas.requests import MaySelect, ResignSeat, SelectDice, SkipSeat, StartGame
from app.api.strict import NoFields
from app.ports import Answer
from app.service import GameService
from app.service.calls import Call
from engine.commands import Selection

Run = Callable[[GameService, Call, str, Any], Awaitable[Answer]]


class Verb(NamedTuple):
    body: type[BaseModel]
    run: Run
    """With the body, or anything that has its fields."""
    may_be_empty: bool = True


def _roll(games: GameService, call: Call, game_id: str, body: MaySelect) -> Awaitable[Answer]:
    return games.play.roll(call, game_id, selection(body.select))


def _select(games: GameService, call: Call, game_id: str, body: SelectDice) -> Awaitable[Answer]:
    return games.play.select(call, game_id, Selection(tuple(body.dice), body.wild_face))


def _bank(games: GameService, call: Call, game_id: str, body: MaySelect) -> Awaitable[Answer]:
    return games.play.bank(call, game_id, selection(body.select))


def _take_over(games: GameService, call: Call, game_id: str, _: NoFields) -> Awaitable[Answer]:
    return games.play.take_over(call, game_id)


def _wild_roll(games: GameService, call: Call, game_id: str, body: MaySelect) -> Awaitable[Answer]:
    return games.play.wild_roll(call, game_id, selection(body.select))


def _resign(games: GameService, call: Call, game_id: str, body: ResignSeat) -> Awaitable[Answer]:
    return games.play.resign(call, game_id, body.seat)


def _end(games: GameService, call: Call, game_id: str, _: NoFields) -> Awaitable[Answer]:
    return games.play.end(call, game_id)


def _skip_next(games: GameService, call: Call, game_id: str, body: SkipSeat) -> Awaitable[Answer]:
    return games.play.skip_next(call, game_id, body.seat)


def _start(games: GameService, call: Call, game_id: str, body: StartGame) -> Awaitable[Answer]:
    return games.tables.start(call, game_id, body.server_committed_only)


VERBS = {
    "roll": Verb(MaySelect, _roll),
    "select": Verb(SelectDice, _select, may_be_empty=False),
    "bank": Verb(MaySelect, _bank),
    "take-over": Verb(NoFields, _take_over),
    "wild-roll": Verb(MaySelect, _wild_roll),
    "resign": Verb(ResignSeat, _resign),
    "end": Verb(NoFields, _end),
    "skip-next": Verb(SkipSeat, _skip_next, may_be_empty=False),
    "start": Verb(StartGame, _start),
}
"""By the last part of their address. Each is answered with the game, and the events it caused."""
