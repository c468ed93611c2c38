"""The state of a game as plain data, with the names the API gives its parts."""

from typing import Any

from tests.referee.game import Game
from tests.referee.scoring import Selection
from tests.referee.state import Turn


def view(game: Game) -> dict[str, Any]:
    """Everything the rules decide: two equal views are the same game."""
    offer, final, result = game.offer, game.final_round, game.result
    return {
        "status": game.status,
        "seats": [_seat(game, number) for number in range(len(game.seats))],
        "turn": _turn(game, game.turn) if game.turn else None,
        "take_over": offer
        and {
            "seat": offer.seat,
            "score": offer.score,
            "dice": len(game.next_throw(take_over=True).positions),
        },
        "final_round": final and {"opened_by": final.opened_by, "waiting": list(final.waiting)},
        "legal": _legal(game),
        "result": result
        and {
            "reason": result.reason,
            "winners": list(result.winners),
            "standings": [{"seat": seat, "score": total} for seat, total in result.standings],
        },
    }


def _seat(game: Game, number: int) -> dict[str, Any]:
    seat = game.seats[number]
    return {
        "seat": number,
        "score": seat.total,
        "on_board": seat.on_board,
        "wild_rolls": seat.wild_rolls if game.rules["wild_rolls"] else None,
        "purse": seat.purse if game.rules["wild_rolls"] else None,
        "active": seat.active,
    }


def _turn(game: Game, turn: Turn) -> dict[str, Any]:
    return {
        "seat": turn.seat,
        "phase": turn.phase,
        "score": turn.score,
        "protected": turn.protected,
        "dice_to_roll": len(game.dice_to_roll()),
        "dice": [_die(game, turn, die) for die in range(game.rules["dice"]["count"])],
    }


def _die(game: Game, turn: Turn, die: int) -> dict[str, Any]:
    selected = turn.selection is not None and die in turn.selection.dice
    face: int | None = turn.locked.get(die)
    state = "locked" if die in turn.locked else "rolled" if die in turn.roll else "free"
    if state == "rolled":
        face = turn.roll[die]
        if face is None and selected and turn.selection is not None:
            face = turn.selection.wild_face
    spicy = game.rules["spicy"]
    return {
        "die": die,
        "state": state,
        "face": face,
        "selected": selected,
        "spicy": bool(spicy) and face == spicy["faces"][die],
        "wild": state == "rolled" and turn.roll[die] is None,
    }


def _legal(game: Game) -> dict[str, Any] | None:
    legal = game.legal()
    if legal is None:
        return None
    return {
        "seat": legal.seat,
        "commands": list(legal.commands),
        "selections": [_selection(selection) for selection in legal.selections],
        "bank": legal.bank and legal.bank._asdict(),
    }


def _selection(selection: Selection) -> dict[str, Any]:
    shown: dict[str, Any] = {"dice": list(selection.dice), "points": selection.points}
    if selection.wild_face is not None:
        shown["wild_face"] = selection.wild_face
    return shown
