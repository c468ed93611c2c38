"""Short words for the tests of games."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.referee.game import Game
from tests.referee.rulebook import RuleSet
from tests.referee.state import Refused, Turn
from tests.referee.view import view


@contextmanager
def refused(game: Game, code: str) -> Iterator[None]:
    """The command inside is refused with this code and changes nothing."""
    before = view(game)
    with pytest.raises(Refused) as refusal:
        yield
    assert refusal.value.code == code
    assert view(game) == before


def two(rules: RuleSet, *, on_board: bool = True, total: int = 0) -> Game:
    """Two seats; the first begins, on the board and with a total if need be."""
    game = Game(rules, [True, True], head_start={0: total})
    game.seats[0].on_board = on_board
    return game


def keep(game: Game, seat: int, faces: Sequence[int], dice: Sequence[int]) -> None:
    """Rolls and selects."""
    game.roll(seat, faces)
    game.select(seat, dice)


def bank(game: Game, seat: int, faces: Sequence[int], dice: Sequence[int]) -> None:
    """Rolls, selects and banks."""
    keep(game, seat, faces, dice)
    game.bank(seat)


def turn_of(game: Game) -> Turn:
    assert game.turn is not None
    return game.turn


def totals(game: Game) -> list[int]:
    return [seat.total for seat in game.seats]


def outcome(game: Game) -> tuple[str, list[int]] | None:
    """Reason and winners; None while the game goes on."""
    return (game.result.reason, list(game.result.winners)) if game.result else None


def last_turn(game: Game) -> tuple[str, int, int]:
    """How the turn before this one ended: what happened, to which seat, points credited."""
    return game.history[-1]


def waiting(game: Game) -> list[int] | None:
    """Whose last turn is not over; None before a final round."""
    return list(game.final_round.waiting) if game.final_round else None


def on_board(game: Game) -> list[bool]:
    return [seat.on_board for seat in game.seats]
