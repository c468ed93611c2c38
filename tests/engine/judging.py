"""
What every option of a state is worth by `engine.odds` and the rules; no bot has a hand in it.

With nobody near the target a turn is worth the points that it credits; else what `banked` and
`values` say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.bots.move import Move
from engine.choices import Sets
from engine.commands import Select, Selection
from engine.decide import transition
from engine.errors import Refusal
from engine.guards import bank, roll, take_over, wild_roll
from engine.odds.opening import opening_odds
from engine.odds.turn import turn_odds
from engine.scoring import scoring_of
from engine.state import Playing, ToRoll, ToSelect
from engine.units import Mask

Values = Callable[[Playing, Mask, int, int, Sets, bool], float]
"""
Mean of what the turn credits: the game, dice to be rolled (0: all), turn score, its protected part,
locked sets, and whether a Wild Roll is spent on it.
"""


class Worth(NamedTuple):
    of_the_move: float
    of_the_best: float


def of_ordinary_rolls(
    play: Playing, dice: Mask, score: int, protected: int, sets: Sets, wild: bool
) -> float:
    """By the odds of a turn, no Wild Roll being spent in it."""
    rules = play.setup.rules
    assert not wild
    if play.seats[play.turn.seat].on_board:
        return turn_odds(rules).value_of_rolling(dice, score, protected, sets)
    return opening_odds(rules, rules.opening).value_of_rolling(dice, score, protected, sets)


Banked = Callable[[int], float]
"""What a turn score is worth that is banked."""


def judged(
    play: Playing, move: Move, values: Values = of_ordinary_rolls, banked: Banked = float
) -> Worth:
    """What this move is worth here, and what the best."""
    best = max(worth for _, worth in options(play, values, banked))
    return Worth(worth_of(play, move, values, banked), best)


def options(
    play: Playing, values: Values = of_ordinary_rolls, banked: Banked = float
) -> list[tuple[Move, float]]:
    """Every move that the rules take, and its worth."""
    found: list[tuple[Move, float]] = []
    for move in every_move(play):
        try:
            found.append((move, worth_of(play, move, values, banked)))
        except Refusal:
            continue
    return found


def every_move(play: Playing) -> list[Move]:
    """Every selection, then roll or bank; whether the rules take it is seen when it is valued."""
    wild = play.seats[play.turn.seat].wild_rolls > 0
    if isinstance(play.turn, ToRoll):
        return [Move("roll"), Move("take-over"), *([Move("wild-roll")] if wild else [])]
    turn = play.turn
    table = scoring_of(play.setup.rules).roll_table(turn.faces, turn.rolled, turn.wild, turn.sets)
    picks = [Selection(choice.dice, choice.wild_face or None) for choice in table.choices]
    found = [Move("bank")]
    for pick in picks:
        found += [Move("roll", pick), Move("bank", pick)]
        if wild:
            found.append(Move("wild-roll", pick))
    return found


def worth_of(
    play: Playing, move: Move, values: Values = of_ordinary_rolls, banked: Banked = float
) -> float:
    """Of one move. Raises: Refusal."""
    turn, seat = play.turn, play.turn.seat
    if move.name == "take-over":
        offer = take_over(play)
        left = play.setup.rules.all_dice & ~offer.held
        return values(play, left, offer.score, 0, (), False)
    if move.select is not None:
        after = transition(play, Select(turn.began_at, seat, move.select)).game
        assert isinstance(after, Playing)
        play = after
    if move.name == "bank":
        choice = bank(play)
        assert isinstance(play.turn, ToSelect)
        return banked(play.turn.carried + play.turn.banked + choice.points)
    wild = move.name == "wild-roll"
    if wild:
        wild_roll(play)
    if isinstance(play.turn, ToRoll):
        return values(play, 0, 0, 0, (), wild)
    dice = play.setup.rules.all_dice if wild else roll(play)
    everything = dice == play.setup.rules.all_dice
    sets = () if everything else sets_locked(play, play.turn)
    return values(play, 0 if everything else dice, play.turn.score, play.turn.protected, sets, wild)


def sets_locked(play: Playing, turn: ToSelect) -> Sets:
    """What is locked once the selection on the table is."""
    rules = play.setup.rules
    if not (turn.selected and rules.set_upgrade):
        return turn.sets
    scoring = scoring_of(rules)
    dice = tuple(place for place in range(rules.dice) if turn.selected >> place & 1)
    choice = scoring.choice(dice, turn.selected, turn.faces, turn.rolled, turn.wild_face, turn.sets)
    assert choice is not None
    return scoring.sets_after(turn.sets, choice)
