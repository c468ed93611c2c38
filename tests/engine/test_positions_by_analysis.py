"""
The right decision of every golden position, derived again without the bots.

Far from the target it follows from the values of `engine.odds`; with Wild Rolls left from the
turns to come, in which those that are kept may be spent; in a final round, and in a race of two,
from following the turn roll by roll for what every total is worth. A bank that wins at once needs
no more than the referee. What none of these tells stands in `BY_REASONING`: the position itself
says why.
"""

from __future__ import annotations

import pytest

from engine.bots.move import Move
from engine.commands import Bank, Selection
from engine.decide import transition
from engine.odds.reach import reach_odds
from engine.state import Finished, Playing
from tests.engine.endings import ending_of, is_far
from tests.engine.judging import Worth, judged
from tests.engine.wild_prices import Prices
from tests.golden.positions import Position, positions

BY_REASONING = {
    "it is hit though the other seat is close",
    "a bank that reaches the target may stop on hot dice",
    "those that could not all be spent later are free",
    "the last one is spent before it is too late",
}
ALL = list(positions())


def derived(position: Position) -> Worth | None:
    """What the position's decision is worth, and what the best one is; None: nothing tells."""
    play = position.play
    seat, rules = play.seats[play.turn.seat], play.setup.rules
    move = Move(position.command, None)  # type: ignore[arg-type]  # a word of the file
    if position.dice is not None:
        move = move._replace(select=Selection(position.dice))
    if (least := least_of_a_bank(play, move)) is not None:
        return Worth(least, 1.0)
    if is_far(play):
        if rules.wild_rolls and seat.wild_rolls:
            missing = rules.target - seat.score
            return judged(play, move, Prices(rules, missing, seat.wild_rolls))
        return judged(play, move)
    ending = ending_of(play)
    return judged(play, move, ending, ending.banked) if ending else None


def least_of_a_bank(play: Playing, move: Move) -> float | None:
    """The chance to win of a bank that makes the game all but won; None: it is none."""
    if move.name != "bank":
        return None
    after = transition(play, Bank(play.turn.began_at, play.turn.seat, move.select)).game
    if isinstance(after, Finished):
        return float(after.result.winners == (play.turn.seat,))
    assert isinstance(after, Playing)
    if after.final_round is None or after.setup.rules.winner != "last_to_reach":
        return None
    [other] = after.final_round.waiting
    missing = after.setup.rules.target - after.seats[other].score
    least = 1 - reach_odds(after.setup.rules).chance(0, missing)
    return least if least > 0.999 else None


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(
            position,
            id=f"{position.topic}: {position.name}",
            # Without grouping rolls that are nearly alike spicy dice take half a minute.
            marks=pytest.mark.soak if position.play.setup.rules.spicy else pytest.mark.wide,
        )
        for position in ALL
        if position.name not in BY_REASONING
    ],
)
def test_the_right_decision_of_a_position_follows_without_the_bots(position: Position) -> None:
    worth = derived(position)
    assert worth is not None
    assert worth.of_the_move >= 0.999 * worth.of_the_best


@pytest.mark.wide
def test_what_is_left_to_reasoning_is_what_nothing_tells() -> None:
    assert {p.name for p in ALL if p.name in BY_REASONING and derived(p) is None} == BY_REASONING
