"""
`cautious`: takes every scoring die, gets on the board at the first chance, banks small turns.

Where its last turn is due it goes on until it would win. With an exact target it takes what does
not pass it. Wild Rolls of the game are spent on the way to the board and on hot dice; a purse
never is.
"""

from __future__ import annotations

from engine import guards
from engine.bots.move import Move
from engine.commands import Selection
from engine.legal import selections
from engine.scoring import Choice
from engine.state import Playing, ToRoll, ToSelect
from engine.units import Points

ENOUGH = 300
"""Points it does not put at risk again."""
FEW_DICE = 3
"""With so few left it does not roll on; of six dice, three bust in 28 of 100 rolls."""
SAFE_DICE = 4
"""A take-over must roll as many."""


def cautious(play: Playing) -> Move:
    """The move of the seat that is to move."""
    turn = play.turn
    if isinstance(turn, ToRoll):
        return _begin(play)
    choice = _choice(play, turn)
    keeps = Selection(choice.dice, choice.wild_face or None)
    counted = choice
    if play.setup.rules.bank_takes == "all_scoring":
        counted = guards.counted(play)
    if _stops(play, turn, counted, choice):
        return Move("bank", keeps)
    hot = turn.locked | choice.mask == play.setup.rules.all_dice
    return Move("wild-roll" if hot and _has_wild_roll(play) else "roll", keeps)


def _begin(play: Playing) -> Move:
    offer, rules, seat = play.offer, play.setup.rules, play.seats[play.turn.seat]
    if offer is not None and offer.seat == play.turn.seat:
        dice = rules.dice - offer.held.bit_count()
        fits = rules.exact == "off" or seat.score + offer.score <= rules.target
        if dice >= SAFE_DICE and fits:
            return Move("take-over")
    return Move("wild-roll" if not seat.on_board and _has_wild_roll(play) else "roll")


def _has_wild_roll(play: Playing) -> bool:
    """One of the game's own."""
    return play.setup.rules.wild_rolls is not None and play.seats[play.turn.seat].wild_rolls > 0


def _choice(play: Playing, turn: ToSelect) -> Choice:
    """All scoring dice; with an exact target what hits it, or at least does not pass it."""
    rules, found = play.setup.rules, selections(play)
    if rules.exact != "off":
        room = rules.target - play.seats[turn.seat].score - turn.carried - turn.banked
        hits = [choice for choice in found if choice.points == room]
        found = tuple(hits or [choice for choice in found if choice.points < room] or found)
    return max(found, key=lambda choice: (len(choice.dice), choice.points))


def _stops(play: Playing, turn: ToSelect, counted: Choice, kept: Choice) -> bool:
    """
    Whether to bank.

    Args:
        counted: what the bank would count of this roll; `kept`: what a roll would lock of it.
    """
    rules, seat = play.setup.rules, play.seats[turn.seat]
    score = turn.carried + turn.banked + counted.points
    total = seat.score + score
    if rules.reaches(total):
        return True
    if not seat.on_board and score < rules.opening:
        return False
    left = (rules.all_dice & ~(turn.locked | counted.mask)).bit_count()
    if not left and not rules.bank_on_hot_dice:
        return False
    if guards.overshoots(play, total):
        return guards.overshoots(play, total - counted.points + kept.points)  # lost in any case
    if play.final_round is not None:
        return not _falls_short(play, total)
    return not seat.on_board or score >= ENOUGH or 0 < left <= FEW_DICE


def _falls_short(play: Playing, total: Points) -> bool:
    """Whether a last turn that ends with this total does not win."""
    if play.setup.rules.winner == "last_to_reach":
        return True  # what reaches the target has been banked before
    mine = play.turn.seat
    others = (s.score for seat, s in enumerate(play.seats) if s.active and seat != mine)
    return total <= max(others, default=0)
