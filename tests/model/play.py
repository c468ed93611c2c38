"""The referee at the table: commands as the API names them, dice as the log shows them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from tests.referee.cheats import Cheats
from tests.referee.game import Game
from tests.referee.play import Throw
from tests.referee.state import Refused
from tests.referee.view import view

Json = dict[str, Any]
Body = dict[str, Any] | None

ROLLING = ("roll", "take-over", "wild-roll")
TURN = ("roll", "select", "bank", "take-over", "wild-roll")


def refusal(
    game: Game, seat: int, verb: str, body: Body, script: Sequence[list[int]]
) -> str | None:
    """The code a turn command of this seat is refused with; it is tried on a copy."""
    trial = copied(game)
    try:
        throw = _before_roll(trial, seat, verb, body)
        if throw is None:
            _give(trial, seat, verb, ())
            return None
        _give(trial, seat, verb, (1,) * len(throw.positions))
    except Refused as refused:
        return refused.code
    if script and len(script[0]) != len(throw.positions):
        return "script_mismatch"
    return None


def play(game: Game, seat: int, verb: str, body: Body, faces: Sequence[int]) -> Throw | None:
    """A command that is not refused; the roll it makes, as it lay before the dice showed."""
    throw = _before_roll(game, seat, verb, body)
    _give(game, seat, verb, faces)
    return throw


def copied(game: Game) -> Game:
    return copy.deepcopy(game, {id(game.rules): game.rules})


def _before_roll(game: Game, seat: int, verb: str, body: Body) -> Throw | None:
    """The selection that comes with the command is made; what will be thrown then."""
    chosen = body if verb == "select" else (body or {}).get("select")
    if chosen is not None:
        game.select(seat, chosen["dice"], chosen.get("wild_face"))
    if verb not in ROLLING or game.turn is None:
        return None
    if verb == "take-over" and game.offer is None:
        return game.next_throw()
    return game.next_throw(wild=verb == "wild-roll", take_over=verb == "take-over")


def _give(game: Game, seat: int, verb: str, faces: Sequence[int]) -> None:
    match verb:
        case "roll":
            game.roll(seat, faces)
        case "wild-roll":
            game.wild_roll(seat, faces)
        case "take-over":
            game.take_over(seat, faces)
        case "bank":
            game.bank(seat)
        case "select":
            pass
        case _:
            raise ValueError(f"no command of a turn: {verb}")


def cheats_of(cheats: Json | None, seat: int) -> Cheats:
    """What a seat plays with."""
    if cheats is None:
        return Cheats()
    return Cheats(
        loaded=seat in cheats["loaded"],
        light=cheats["light"].get(str(seat)),
        always_score=seat in cheats["always_score"],
    )


def shown(game: Game) -> Json:
    """The referee's state as the API shows it."""
    seen = view(game)
    wild = game.rules["wild_rolls"]
    for seat in seen["seats"]:
        if not wild or not wild["purse"]:
            seat["purse"] = None
    if game.result:
        seen["final_round"] = None  # over, and shown no more
    if seen["turn"]:
        seen["turn"]["deadline"] = None
    return seen
