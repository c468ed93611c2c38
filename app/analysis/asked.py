"""`hotdice odds`: the rule set that was asked for, its odds, and where they go."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from app.analysis.tables import show
from app.analysis.view import report_view
from app.rulebook import Rulebook
from app.rules_asked import WronglyAsked, faults_of, given_options, rules_in_file
from engine.errors import Malformed
from engine.odds.duel import OutOfScope, duel_of
from engine.odds.report import Report, TooLong, report
from engine.odds.work import MOST_WORK, too_large, work
from engine.rules import Rules


class CannotTell(ValueError):
    """What was asked for has no answer; says why in one line."""


def rules_asked(preset: str | None, options: Sequence[str], file: Path | None) -> Rules:
    """
    A preset with options, or a rule set in a file.

    Raises: WronglyAsked.
    """
    if (preset is None) == (file is None):
        raise WronglyAsked("Name a preset or a file with a rule set, one of both.")
    if file is not None and options:
        raise WronglyAsked("A rule set of a file has no options.")
    book = Rulebook.shipped()
    try:
        if file is not None:
            return rules_in_file(book, file).rules
        return book.preset(preset or "", given_options(options), "").rules
    except Malformed as wrong:
        raise WronglyAsked(f"The rule set is malformed: {faults_of(wrong)}") from None


def odds_of(rules: Rules, console: Console) -> Report:
    """
    The odds; a bar shows how far they are.

    Raises: CannotTell.
    """
    if too_large(rules):
        raise CannotTell(f"That is too much work ({work(rules)}; the limit is {MOST_WORK}).")
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("odds", total=1.0)
        try:
            for step in report(rules):
                if isinstance(step, Report):
                    return step
                progress.update(task, completed=step)
        except TooLong:
            pass
    raise CannotTell("The values of these rules need too many steps.")


def first_seat_of(rules: Rules, compensation: int) -> float:
    """
    The chance of the first of two seats that both play for the win; minutes, to far targets.

    Raises: CannotTell.
    """
    try:
        return duel_of(rules, compensation).first
    except OutOfScope:
        pass
    try:
        from app.analysis.arrays import first_seat
    except ImportError:
        raise CannotTell("So far a target needs numpy: pip install 'hotdice[solver]'.") from None
    try:
        return first_seat(rules, compensation)
    except OutOfScope:
        raise CannotTell("Turns by these rules leave more behind than points.") from None


def tell(rules: Rules, found: Report, as_json: bool, table: Path | None, console: Console) -> None:
    """Prints the odds, as tables or as JSON; `table` gets rolling against banking as CSV."""
    if table is not None:
        with table.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(_lines(found))
    if as_json:
        console.out(json.dumps(report_view(found), indent=2), highlight=False)
    else:
        show(found, f"{rules.name}: {rules.dice} dice, target {rules.target}", console)


def _lines(found: Report) -> Iterator[tuple[object, ...]]:
    yield "dice", "sets", "at_risk", "rolling", "bank_from"
    for throw in found.turn.throws if found.turn else ():
        dice = " ".join(map(str, throw.dice))
        sets = " ".join(f"{face}:{count}" for face, count in throw.sets)
        for risk, value in throw.values:
            yield dice, sets, risk, f"{value:.10g}", throw.bank_from
