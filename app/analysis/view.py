"""A report as plain data: what travels from the worker to the server, and on to clients."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.choices import Sets
from engine.odds.report import Report, TurnReport
from engine.odds.rolls import RollOdds

DIGITS = 10
"""Of floats; they are right to about two more."""


def report_view(report: Report) -> dict[str, Any]:
    return {
        "rolls": [_roll(row) for row in report.rolls],
        "turn": None if report.turn is None else _turn(report.turn),
        "reaches": [
            {"points": points, "chance": rounded(chance)} for points, chance in report.reaches
        ],
        "first_seat": None if report.first_seat is None else rounded(report.first_seat),
    }


def rounded(value: float) -> float:
    """A float to `DIGITS` digits, so that two machines tell the same."""
    return float(f"{value:.{DIGITS}g}")


def _roll(row: RollOdds) -> dict[str, Any]:
    return {
        "dice": list(row.dice),
        "sets": _sets(row.sets),
        "wild": row.wild,
        "rolls": row.rolls,
        "busts": row.busts,
        "bust": rounded(float(row.bust)),
        "points": row.points,
        "mean": rounded(float(row.mean)),
        "mean_exactly": _exactly(row.mean),
        "all_dice": row.clear,
        "hot": rounded(float(row.hot)),
        "instant_wins": row.instant_wins,
    }


def _turn(turn: TurnReport) -> dict[str, Any]:
    story = turn.story
    return {
        "mean": rounded(turn.mean),
        "mean_off_board": rounded(turn.off_board),
        "mean_with_wild_roll": _maybe(turn.with_wild_roll),
        "mean_without_hot_dice": _maybe(turn.without_hot_dice),
        "mean_by_rolls": [rounded(mean) for mean in turn.by_rolls],
        "bust": rounded(story.bust),
        "hot_dice": rounded(story.hot_dice),
        "instant_win": rounded(story.instant_win),
        "rolls": rounded(story.rolls),
        "scores": [
            {"points": points, "chance": rounded(chance)}
            for points, chance in story.scores
            if chance >= LEAST_CHANCE
        ],
        "throws": [
            {
                "dice": list(throw.dice),
                "sets": _sets(throw.sets),
                "bank_from": throw.bank_from,
                "values": [
                    {"at_risk": risk, "rolling": rounded(value)} for risk, value in throw.values
                ],
            }
            for throw in turn.throws
        ],
    }


LEAST_CHANCE = 1e-6
"""Turn scores less likely than this are left out."""


def _sets(sets: Sets) -> dict[str, int]:
    return {str(face): count for face, count in sets}


def _exactly(value: Fraction) -> str:
    return str(value)


def _maybe(value: float | None) -> float | None:
    return None if value is None else rounded(value)
