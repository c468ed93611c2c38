"""The engine's state in the shape the referee shows its own: two equal views are the same game."""

from __future__ import annotations

from typing import Any

from engine.legal import legal
from engine.scoring import scoring_of
from engine.state import Finished, Playing, ToRoll, ToSelect
from engine.units import Position


def view(game: Playing | Finished) -> dict[str, Any]:
    play = game if isinstance(game, Playing) else None
    result = game.result if isinstance(game, Finished) else None
    offer = play.offer if play else None
    final = play.final_round if play else None
    dice = game.setup.rules.dice
    return {
        "status": "playing" if play else "finished",
        "seats": [_seat(game, number) for number in range(len(game.seats))],
        "turn": _turn(play) if play else None,
        "take_over": offer
        and {
            "seat": offer.seat,
            "score": offer.score,
            "dice": dice - offer.held.bit_count(),
        },
        "final_round": final and {"opened_by": final.opened_by, "waiting": list(final.waiting)},
        "legal": _legal(play) if play else None,
        "result": result
        and {
            "reason": result.reason,
            "winners": list(result.winners),
            "standings": [{"seat": s, "score": points} for s, points in result.standings],
        },
    }


def _seat(game: Playing | Finished, number: int) -> dict[str, Any]:
    seat, wild = game.seats[number], game.setup.rules.wild_rolls
    return {
        "seat": number,
        "score": seat.score,
        "on_board": seat.on_board,
        "wild_rolls": seat.wild_rolls if wild else None,
        "purse": seat.purse if wild else None,
        "active": seat.active,
    }


def _turn(play: Playing) -> dict[str, Any]:
    turn = play.turn
    return {
        "seat": turn.seat,
        "phase": "to_roll" if isinstance(turn, ToRoll) else "to_select",
        "score": turn.score if isinstance(turn, ToSelect) else 0,
        "protected": turn.protected if isinstance(turn, ToSelect) else 0,
        "dice_to_roll": legal(play).dice_to_roll,
        "dice": [_die(play, die) for die in range(play.setup.rules.dice)],
    }


def _die(play: Playing, die: Position) -> dict[str, Any]:
    turn = play.turn
    face: int | None = None
    state, selected, wild = "free", False, False
    if isinstance(turn, ToSelect):
        selected = bool(turn.selected >> die & 1)
        if turn.locked >> die & 1:
            state = "locked"
        elif turn.rolled >> die & 1:
            state = "rolled"
        wild = state == "rolled" and turn.wild and die == play.setup.rules.dice - 1
        face = (turn.faces[die] or (turn.wild_face if selected else 0)) or None
    scoring = scoring_of(play.setup.rules)
    return {
        "die": die,
        "state": state,
        "face": face,
        "selected": selected,
        "spicy": scoring.is_spicy(die, face or 0),
        "wild": wild,
    }


def _legal(play: Playing) -> dict[str, Any]:
    options = legal(play)
    return {
        "seat": options.seat,
        "commands": list(options.commands),
        "selections": [
            {"dice": list(c.dice), "points": c.points}
            | ({"wild_face": c.wild_face} if c.wild_face else {})
            for c in options.choices
        ],
        "bank": options.bank and options.bank._asdict(),
    }
