"""
`cautious`: takes every scoring die, gets on the board at the first chance, banks small turns.

Where its last turn is due it goes on until it would win. With an exact target it takes what does
not pass it. Wild Rolls of the game are spent on the way to the board and on hot dice; a purse
never is.
"""

from __future__ import annotations

from engine.bots.luck import Luck
from engine.bots.move import Move
from engine.bots.standing import counted, fitting, has_wild_roll, settled
from engine.choices import Choice
from engine.commands import Selection
from engine.state import Playing, ToRoll, ToSelect

ENOUGH = 300
"""Points it does not put at risk again."""
FEW_DICE = 3
"""With so few left it does not roll on; of six dice, three bust in 28 of 100 rolls."""
SAFE_DICE = 4
"""A take-over must roll as many."""


def cautious(play: Playing, luck: Luck) -> Move:
    """The move of the seat that is to move; it leaves nothing to luck."""
    turn = play.turn
    if isinstance(turn, ToRoll):
        return _begin(play)
    kept = max(fitting(play, turn), key=lambda choice: (len(choice.dice), choice.points))
    keeps = Selection(kept.dice, kept.wild_face or None)
    if _stops(play, turn, counted(play, kept), kept):
        return Move("bank", keeps)
    hot = turn.locked | kept.mask == play.setup.rules.all_dice
    return Move("wild-roll" if hot and has_wild_roll(play) else "roll", keeps)


def _begin(play: Playing) -> Move:
    offer, rules, seat = play.offer, play.setup.rules, play.seats[play.turn.seat]
    if offer is not None and offer.seat == play.turn.seat:
        dice = rules.dice - offer.held.bit_count()
        fits = rules.exact == "off" or seat.score + offer.score <= rules.target
        if dice >= SAFE_DICE and fits:
            return Move("take-over")
    return Move("wild-roll" if not seat.on_board and has_wild_roll(play) else "roll")


def _stops(play: Playing, turn: ToSelect, counts: Choice, kept: Choice) -> bool:
    """
    Whether to bank.

    Args:
        counts: what the bank would count of this roll; `kept`: what a roll would lock of it.
    """
    no_choice = settled(play, turn, counts, kept)
    if no_choice is not None:
        return no_choice
    score = turn.carried + turn.banked + counts.points
    rules, seat = play.setup.rules, play.seats[turn.seat]
    left = (rules.all_dice & ~(turn.locked | counts.mask)).bit_count()
    return not seat.on_board or score >= ENOUGH or 0 < left <= FEW_DICE
