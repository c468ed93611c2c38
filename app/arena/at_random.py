"""
The random legal player: of all the moves it could make, each is as likely as the others.

At a roll these are: any selection that is allowed, and then to roll on, to roll with the Jester, or
to bank it. Where a bank counts all scoring dice, whatever is selected, to bank is one move among
them; so this player plays on far more often than it stops. What is worth more is not preferred.
"""

from __future__ import annotations

from random import Random

from app.arena.minds import Mind
from engine.bots import Move
from engine.commands import Command, Entropy, Select, Selection
from engine.decide import transition
from engine.legal import legal, selections
from engine.state import Playing, ToRoll, ToSelect
from engine.units import Millis


def at_random(chance: Random, names: tuple[str, ...]) -> Mind:
    """A mind for one game; see the module."""

    def mind(play: Playing, at: Millis, entropy: Entropy) -> Command:
        turn = play.turn
        moves = _before_a_roll() if isinstance(turn, ToRoll) else _after_a_roll(play, turn)
        move = chance.choice(moves)
        while not _is_legal(play, move):
            move = chance.choice(moves)
        return move.command(at, play.turn.seat, entropy)

    return mind


def _before_a_roll() -> list[Move]:
    return [Move("roll"), Move("wild-roll"), Move("take-over")]


def _after_a_roll(play: Playing, turn: ToSelect) -> list[Move]:
    """Some of them may be illegal."""
    moves: list[Move] = []
    rules = play.setup.rules
    for choice in selections(play):
        keeps = Selection(choice.dice, choice.wild_face or None)
        moves.append(Move("roll", keeps))
        if rules.wild_rolls is not None and turn.locked | choice.mask == rules.all_dice:
            moves.append(Move("wild-roll", keeps))
        if rules.bank_takes == "selected":
            moves.append(Move("bank", keeps))
    return [*moves, Move("bank")] if rules.bank_takes == "all_scoring" else moves


def _is_legal(play: Playing, move: Move) -> bool:
    if move.name == "roll":
        return True  # of any selection that is allowed, and at the beginning
    if move.select is not None:
        after = transition(play, Select(0, play.turn.seat, move.select)).game
        return isinstance(after, Playing) and move.name in legal(after).commands
    return move.name in legal(play).commands
