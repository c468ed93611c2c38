"""
Advice: every option of the seat to move, what each is worth, the best, and why, in one line.

The same evaluation that the strategist plays by, for whoever asks.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import guards
from engine.bots.knowledge import Knowledge
from engine.bots.options import Option, best_of, options_of
from engine.state import Playing
from engine.units import Points


class Advised(NamedTuple):
    """One option, as it is told."""

    option: Option
    bust: float
    """The chance that the roll it makes busts; 0 for a bank."""
    points: float | None
    """Mean of what the turn credits; None where that has no bound."""


class Advice(NamedTuple):
    options: tuple[Advised, ...]
    """The best first."""
    by_win: bool
    """Whether the best has the best chance to win; else the most points."""
    simplified: bool
    """Values are those of simpler rules made from the table's: its own are too much work."""
    why: str


def advice_of(play: Playing, known: Knowledge) -> Advice:
    """What the analysis makes of the moment."""
    options = options_of(play, known, own_purse=True, every=True)
    best = best_of(options)
    rest = sorted(
        (option for option in options if option is not best),
        key=lambda option: (-option.worth, -option.points, option.move.name),
    )
    told = tuple(_advised(play, known, option) for option in (best, *rest))
    return Advice(told, best.win is not None, known.model != known.rules, _why(play, told))


def _advised(play: Playing, known: Knowledge, option: Option) -> Advised:
    bust = 0.0
    if option.move.name != "bank":
        wild = option.move.name == "wild-roll"
        bust = known.bust(option.dice, option.sets, _limit(play, option), wild)
    certain = option.move.name == "bank"
    points = option.points if certain or known.values is not None else None
    return Advised(option, bust, points)


def _limit(play: Playing, option: Option) -> Points | None:
    """What a selection of the next roll may be worth."""
    if guards.limit(play) is None:
        return None
    total = play.seats[play.turn.seat].score + option.score
    return play.setup.rules.target - total


def _why(play: Playing, told: tuple[Advised, ...]) -> str:
    """One sentence made of facts."""
    best = told[0]
    others = [each for each in told if each.option.move.name != best.option.move.name]
    other = others[0] if others else None
    says = _words(best)
    if best.option.win is not None:
        line = f"{says} wins {_percent(best.option.win)} of games"
        if other is not None and other.option.win is not None:
            line += f"; {_words(other, small=True)} {_percent(other.option.win)}"
        return f"{line}."
    if best.option.worth == float("inf"):
        return f"{says} reaches the target."
    line = f"{says} brings {_points(best)}"
    if best.option.move.name == "bank":
        if other is not None:
            line += f" for certain; {_words(other, small=True)} {_points(other)} on average"
            line += f", and busts {_percent(other.bust)} of the time"
        return f"{line}."
    line += f" on average, though {_percent(best.bust)} of such rolls bust"
    if other is not None:
        line += f"; {_words(other, small=True)} {_points(other)}"
    elif play.setup.rules.opening and not play.seats[play.turn.seat].on_board:
        line += f"; to bank takes {play.setup.rules.opening}"
    return f"{line}."


def _words(each: Advised, small: bool = False) -> str:
    option = each.option
    dice = option.dice.bit_count()
    words = {
        "bank": f"banking {option.score}",
        "roll": f"rolling {dice} dice with {option.score}"
        if option.score
        else f"rolling {dice} dice",
        "take-over": f"taking over {option.score} and rolling {dice} dice",
        "wild-roll": "spending a Wild Roll",
    }[option.move.name]
    return words if small else words[0].upper() + words[1:]


def _points(each: Advised) -> str:
    return "no bound of points" if each.points is None else f"{each.points:.0f} points"


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f} %"
