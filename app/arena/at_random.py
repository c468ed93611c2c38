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
from engine.state import Playing, ToRoll
from engine.units import Millis


def at_random(chance: Random, names: tuple[str, ...]) -> Mind:
    """A mind for one game; see the module."""

    def mind(play: Playing, at: Millis, entropy: Entropy) -> Command:
        moves = _before_a_roll(play) if isinstance(play.turn, ToRoll) else _after_a_roll(play)
        move = chance.choice(moves)
        while not _is_legal(play, move):
            move = chance.choice(moves)
        return move.command(at, play.turn.seat, entropy)

    return mind


def _before_a_roll(play: Playing) -> list[Move]:
    return [Move("roll"), Move("wild-roll"), Move("take-over")]


def _after_a_roll(play: Playing) -> list[Move]:
    kept = [Selection(choice.dice, choice.wild_face or None) for choice in selections(play)]
    moves = [Move("roll", selection) for selection in kept]
    if play.setup.rules.wild_rolls is not None:
        moves += [Move("wild-roll", selection) for selection in kept]
    if play.setup.rules.bank_takes == "all_scoring":
        return [*moves, Move("bank")]
    return moves + [Move("bank", selection) for selection in kept]


def _is_legal(play: Playing, move: Move) -> bool:
    if move.name == "roll":
        return True  # of any selection that is allowed, and at the beginning
    if move.select is not None:
        after = transition(play, Select(0, play.turn.seat, move.select)).game
        return isinstance(after, Playing) and move.name in legal(after).commands
    return move.name in legal(play).commands
