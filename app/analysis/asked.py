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
from engine.errors import MalformedRules
from engine.odds.duel import OutOfScope, duel_of
from engine.odds.report import Report, TooLong, report
from engine.odds.work import MOST_WORK, too_large, work
from engine.rules import Rules


class CannotTell(ValueError):
    """What was asked for has no answer; says why in one line."""


def rules_asked(preset: str | None, options: Sequence[str], file: Path | None) -> Rules:
    """
    A preset with options (`name=value`, values in JSON or plain words), or a rule set in a file.

    Raises: CannotTell.
    """
    if (preset is None) == (file is None):
        raise CannotTell("Name a preset or a file with a rule set, one of both.")
    if file is not None and options:
        raise CannotTell("A rule set of a file has no options.")
    book, given = Rulebook.shipped(), dict(map(_option, options))
    try:
        if file is not None:
            return book.custom(json.loads(file.read_text("utf-8")), "").rules
        return book.preset(preset or "", given, "").rules
    except MalformedRules as wrong:
        faults = "; ".join(f"{fault.pointer}: {fault.detail}" for fault in wrong.faults)
        raise CannotTell(f"The rule set is malformed: {faults}") from None
    except (OSError, ValueError) as wrong:
        raise CannotTell(f"{file}: no rule set can be read ({type(wrong).__name__}).") from None


def _option(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CannotTell(f"{text}: an option is name=value.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


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
