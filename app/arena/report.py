"""What a contest came to: tables for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import Any, TextIO

from app import VERSION
from app.arena.contest import Contest
from app.arena.game import Played
from app.arena.plots import histogram
from app.arena.tally import CONFIDENCE, Estimate, Side, Tally, quantiles
from engine.rules_text import rules_to_data

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
PER_CENT = f"{100 * CONFIDENCE:g} %"
SIDE_COLUMNS = ("seat", "score", "won", "turns", "banked", "banked_points", "busted", "overshot")


def table(contest: Contest, tally: Tally) -> str:
    """Lines of text: a row for each participant, and how long games were."""
    rules, seats = contest.rules, len(contest.strategies)
    heading = f"{rules.name}, target {rules.target}: {tally.games} games, {seats} seats"
    columns = ("", "won", PER_CENT, "score", PER_CENT, "busts", "banked turn", "began and won")
    lines = [heading, "", *columned(columns, [_row(side) for side in tally.sides]), ""]
    if tally.games:
        length = tally.length
        low, median, high = quantiles(tally.turns, (0.05, 0.5, 0.95))
        lines.append(
            f"A game: {length.value:.1f} turns ({PER_CENT}: {length.low:.1f} to {length.high:.1f};"
            f" median {median}, 90 of 100 between {low} and {high}),"
            f" {tally.rolls / tally.games:.1f} rolls."
        )
    if tally.unfinished:
        lines.append(f"Stopped unfinished, won by nobody: {tally.unfinished}.")
    lines.append(f"Seed {contest.seed}. Rates: Wilson's interval; means: ± 1.96 standard errors.")
    return "\n".join(lines)


def _row(side: Side) -> tuple[str, ...]:
    won, score, busts = side.win_rate, side.score, side.bust_rate
    return (
        side.name,
        f"{100 * won.value:.2f} %",
        f"{100 * won.low:.2f}–{100 * won.high:.2f}",
        f"{score.value:.0f}",
        f"{score.low:.0f}–{score.high:.0f}",
        f"{100 * busts.value:.1f} %",
        f"{side.banked_turn:.0f}",
        f"{100 * side.first_win_rate.value:.2f} %" if side.first_games else "–",
    )


def columned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines in columns: the first to the left, figures to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines: list[str] = []
    for row in (head, *rows):
        first, *others = row
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def plots(tally: Tally, width: int) -> str:
    """Text: how final scores and lengths were spread."""
    scores = histogram("Final scores", {side.name: side.scores for side in tally.sides}, width)
    return f"{scores}\n\n{histogram('Turns of a game', {'all seats': tally.turns}, width)}"


def write_json(file: TextIO, contest: Contest, tally: Tally, first: int) -> None:
    json.dump(data(contest, tally, first), file, indent=2, ensure_ascii=False)
    file.write("\n")


def data(contest: Contest, tally: Tally, first: int) -> dict[str, Any]:
    """The same for programs, with both distributions whole; `first` is the first game's number."""
    return {
        "hotdice": VERSION,
        "seed": contest.seed,
        "first": first,
        "games": tally.games,
        "unfinished": tally.unfinished,
        "confidence": CONFIDENCE,
        "preset": contest.preset,
        "rules": rules_to_data(contest.rules),
        "participants": [_side(side) for side in tally.sides],
        "length": {
            "turns": interval(tally.length),
            "rolls": tally.rolls / max(1, tally.games),
            "quantiles": dict(
                zip(map(str, QUANTILES), quantiles(tally.turns, QUANTILES), strict=False)
            ),
            "distribution": {str(turns): count for turns, count in sorted(tally.turns.items())},
        },
        "reasons": dict(sorted(tally.reasons.items())),
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "games": side.games,
        "wins": side.wins,
        "shared": side.shared,
        "won": interval(side.win_rate),
        "first_games": side.first_games,
        "first_won": interval(side.first_win_rate),
        "score": interval(side.score),
        "turns": side.turns,
        "bust_rate": interval(side.bust_rate),
        "overshot": side.overshot,
        "banked_turn": side.banked_turn,
        "score_distribution": {str(score): n for score, n in sorted(side.scores.items())},
    }


def interval(estimate: Estimate) -> dict[str, float]:
    return {name: round(value, 6) for name, value in estimate._asdict().items()}


class GameRows:
    """Games as lines of CSV, written as they come: a game a line, participants side by side."""

    def __init__(self, file: TextIO, contest: Contest) -> None:
        self._writer = csv.writer(file)
        self._contest = contest
        own = [f"{name}: {column}" for name in contest.names() for column in SIDE_COLUMNS]
        self._writer.writerow(["game", "dice_seed", "reason", "rolls", *own])

    def write(self, game: Played) -> None:
        row: list[object] = [game.number, self._contest.seed_of_game(game.number)]
        row += [game.reason, game.rolls]
        for who, turns in enumerate(game.turns):
            won = f"{1 / len(game.winners):.6g}" if who in game.winners else "0"
            row += [game.seating.index(who), game.scores[who], won, *turns]
        self._writer.writerow(row)
