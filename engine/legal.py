"""
What the seat to move may do now, from the very guards that `decide` refuses by.

It feeds the API's `legal`, the bots and the random games of the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine import guards
from engine.choices import Choice
from engine.errors import Refusal
from engine.scoring import scoring_of
from engine.state import Playing, ToSelect
from engine.units import Points, Seat

COMMANDS = ("roll", "select", "bank", "take-over", "wild-roll")
"""The five commands of a turn, as they are called in the API."""


class BankPreview(NamedTuple):
    score: Points
    """What the bank would credit; 0 when it overshoots."""
    total: Points
    """The seat's total after it."""


class Legal(NamedTuple):
    seat: Seat
    commands: tuple[str, ...]
    choices: tuple[Choice, ...]
    """Every selection `select` would accept."""
    bank: BankPreview | None
    """None where bank would be refused."""
    dice_to_roll: int


def legal(play: Playing) -> Legal:
    """Everything open to the seat to move."""
    choices = selections(play)
    turn, rules = play.turn, play.setup.rules
    # No guard is asked where its answer is plain: a refusal takes longer to word.
    rolled = isinstance(turn, ToSelect)
    selected = isinstance(turn, ToSelect) and bool(turn.selected)
    countable = selected if rules.bank_takes == "selected" else rolled
    preview = bank_preview(play) if countable else None
    wild = rules.wild_rolls is not None and (selected or not rolled)
    accepted = {
        "roll": (selected or not rolled) and _accepted(guards.roll, play),
        "select": bool(choices),
        "bank": preview is not None,
        "take-over": play.offer is not None and _accepted(guards.take_over, play),
        "wild-roll": wild and _accepted(guards.wild_roll, play),
    }
    return Legal(
        play.turn.seat,
        tuple(name for name in COMMANDS if accepted[name]),
        choices,
        preview,
        guards.to_be_rolled(play).bit_count(),
    )


def selections(play: Playing) -> tuple[Choice, ...]:
    """Every selection of the current roll that is allowed, by positions, then wild face."""
    turn = play.turn
    if not isinstance(turn, ToSelect):
        return ()
    table = scoring_of(play.setup.rules).roll_table(turn.faces, turn.rolled, turn.wild, turn.sets)
    return table.within(guards.limit(play))


def bank_preview(play: Playing) -> BankPreview | None:
    """What banking now would do; None where it would be refused."""
    try:
        choice = guards.bank(play)
    except Refusal:
        return None
    turn = guards.after_roll(play)
    score = turn.carried + turn.banked + choice.points
    before = play.seats[turn.seat].score
    if not guards.overshoots(play, before + score):
        return BankPreview(score, before + score)
    return BankPreview(0, before)


def _accepted(guard: Callable[[Playing], object], play: Playing) -> bool:
    try:
        guard(play)
    except Refusal:
        return False
    return True
