"""What every character asks of a position, whatever it makes of the answer."""

from __future__ import annotations

from engine import guards
from engine.choices import Choice
from engine.guards import overshoots
from engine.legal import selections
from engine.state import Playing, ToSelect
from engine.units import Points


def has_wild_roll(play: Playing) -> bool:
    """Whether the seat to move has one of the game's own; no character spends from a purse."""
    return play.setup.rules.wild_rolls is not None and play.seats[play.turn.seat].wild_rolls > 0


def fitting(play: Playing, turn: ToSelect) -> tuple[Choice, ...]:
    """
    What may be selected; with an exact target only what hits it, or else what stays below it, as
    long as there is any such selection.
    """
    rules, found = play.setup.rules, selections(play)
    if rules.exact == "off":
        return found
    room = rules.target - play.seats[turn.seat].score - turn.carried - turn.banked
    hits = tuple(choice for choice in found if choice.points == room)
    return hits or tuple(choice for choice in found if choice.points < room) or found


def counted(play: Playing, choice: Choice) -> Choice:
    """What a bank with this selection would count of the roll."""
    if play.setup.rules.bank_takes == "all_scoring":
        return guards.counted(play)
    return choice


def bank_is_accepted(play: Playing, turn: ToSelect, counts: Choice) -> bool:
    """Whether the rules take a bank that counts this; it may overshoot."""
    rules, seat = play.setup.rules, play.seats[turn.seat]
    score = turn.carried + turn.banked + counts.points
    if rules.reaches(seat.score + score):
        return True
    if not seat.on_board and score < rules.opening:
        return False
    return rules.bank_on_hot_dice or turn.locked | counts.mask != rules.all_dice


def settled(play: Playing, turn: ToSelect, counts: Choice, kept: Choice) -> bool | None:
    """
    Whether to bank, where the rules or the end of the game leave no choice; None: as one likes.

    Args:
        counts: what the bank would count of this roll; `kept`: what a roll would lock of it.
    """
    total = play.seats[turn.seat].score + turn.carried + turn.banked + counts.points
    if not bank_is_accepted(play, turn, counts):
        return False
    if is_enough(play, total):
        return True
    if overshoots(play, total):
        return overshoots(play, total - counts.points + kept.points)  # lost in any case
    if play.final_round is not None:
        return not falls_short(play, total)
    return None


def is_enough(play: Playing, total: Points) -> bool:
    """Whether a turn that ends with this total has done all that the target asks of it."""
    rules = play.setup.rules
    if not rules.reaches(total):
        return False
    last_turn_of_a_race = play.final_round is not None and rules.winner == "highest"
    return rules.exact != "off" or not last_turn_of_a_race or not falls_short(play, total)


def falls_short(play: Playing, total: Points) -> bool:
    """Whether a last turn that ends with this total, and has not reached the target, loses."""
    if play.setup.rules.winner == "last_to_reach":
        return True
    mine = play.turn.seat
    others = (s.score for seat, s in enumerate(play.seats) if s.active and seat != mine)
    return total <= max(others, default=0)
