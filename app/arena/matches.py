"""
The match table: everybody against everybody, on every preset and variant, by one seed.

Claims that hold for every rule set here (docs/arena.md): `strategist` is ahead of both other
characters, and each character wins at least 90 of 100 games against a random legal player.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple

import typer

from app.arena.contest import Contest
from app.arena.progress import shown
from app.arena.report import interval
from app.arena.seats import RANDOM
from app.arena.tally import Tally
from app.arena.workers import all_played, warm
from app.rulebook import Rulebook
from engine.bots import CHARACTERS

USUAL_GAMES = 10_000
"""Of a pairing: intervals of ± 1 %."""
OF_RANDOM_PART = 0.4
"""Of so many against the random player: where 90 of 100 are won, 4 000 games say it as exactly."""


class Variant(NamedTuple):
    """A rule set of the table; they stand in matches.toml."""

    title: str
    preset: str
    options: dict[str, object]


def variants() -> list[Variant]:
    text = files("app.arena").joinpath("matches.toml").read_text("utf-8")
    return [
        Variant(each["title"], each["preset"], each.get("options", {}))
        for each in tomllib.loads(text)["variants"]
    ]


STRONGEST_FIRST = ("strategist", "gambler", "cautious", RANDOM)
AHEAD = 0.5
OF_RANDOM = 0.9


def players() -> list[str]:
    return [name for name in STRONGEST_FIRST if name in CHARACTERS or name == RANDOM]


def pairings() -> list[tuple[str, str]]:
    """Each pair once, the one of which something is claimed first."""
    return list(combinations(players(), 2))


def claimed(pairing: tuple[str, str]) -> float | None:
    """The least part of games that the first must win; None: nothing is claimed."""
    if pairing[1] == RANDOM:
        return OF_RANDOM
    return AHEAD if pairing[0] == "strategist" else None


def games_of(pairing: tuple[str, str], games: int) -> int:
    return round(games * OF_RANDOM_PART) if RANDOM in pairing else games


def contest(variant: Variant, pairing: tuple[str, str], seed: str) -> Contest:
    rules = Rulebook.shipped().preset(variant.preset, variant.options, "").rules
    return Contest(pairing, rules, variant.preset, f"{seed}/{variant.title}/{'/'.join(pairing)}")


def chance_of_so_few(won: float, games: int, rate: float) -> float:
    """How likely it is to win no more than this of so many games, were `rate` the true one."""
    most = int(won)
    return sum(comb(games, k) * rate**k * (1 - rate) ** (games - k) for k in range(most + 1))


class Match(NamedTuple):
    variant: Variant
    pairing: tuple[str, str]
    tally: Tally


def matches(games: int, seed: str, workers: int) -> Iterator[Match]:
    """Every pairing on every variant. Raises: StrategyFailed."""
    for variant in variants():
        for pairing in pairings():
            asked = contest(variant, pairing, seed)
            warm(asked)
            tally = Tally(asked.names())
            what = f"{variant.title}: {' – '.join(pairing)}"
            count = games_of(pairing, games)
            for game in shown(all_played(asked, 0, count, workers), count, what):
                tally.add(game)
            yield Match(variant, pairing, tally)


COLUMNS = ("pairing", "games", "first wins", "95 %", "scores", "busts", "turns a game")


def print_table(games: int, seed: str, workers: int, json_file: Path | None) -> None:
    """The table as Markdown, each row as soon as it is there; and as JSON, once it is whole."""
    rows: list[dict[str, object]] = []
    title = ""
    for match in matches(games, seed, workers):
        if match.variant.title != title:
            title = match.variant.title
            head = f"\n### {title}\n\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
            typer.echo(head)
        typer.echo(line(match))
        rows.append(row(match))
    if json_file is not None:
        json_file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def line(match: Match) -> str:
    one, other = match.tally.sides
    won = one.win_rate
    cells = (
        " – ".join(match.pairing),
        f"{match.tally.games:_}".replace("_", " "),
        f"{100 * won.value:.2f} %",
        f"{100 * won.low:.2f} to {100 * won.high:.2f}",
        f"{one.score.value:.0f} – {other.score.value:.0f}",
        f"{100 * one.bust_rate.value:.1f} % – {100 * other.bust_rate.value:.1f} %",
        f"{match.tally.length.value:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def row(match: Match) -> dict[str, object]:
    return {
        "variant": match.variant.title,
        "pairing": match.pairing,
        "games": match.tally.games,
        "won": interval(match.tally.sides[0].win_rate),
        "scores": [interval(side.score) for side in match.tally.sides],
        "unfinished": match.tally.unfinished,
    }
