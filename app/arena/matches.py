"""
The match table: everybody against everybody, on every preset and variant, by one seed.

Claims that hold for every rule set here (docs/arena.md): `strategist` is ahead of both other
characters, and each character wins at least 90 of 100 games against a random legal player.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from contextlib import closing
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple

import typer

from app.arena.contest import Contest
from app.arena.progress import shown
from app.arena.report import interval
from app.arena.seats import RANDOM
from app.arena.tally import Tally
from app.arena.watch import Watch
from app.arena.workers import all_played, sitters_of, warm
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


def pairings(named: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Each pair once, the one of which something is claimed first; or the named with everybody."""
    if named:
        return [(one, other) for one in named for other in players() if one != other]
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


class Match(NamedTuple):
    variant: Variant
    pairing: tuple[str, str]
    tally: Tally


def played_out(asked: Contest, games: int, workers: int, what: str) -> Tally:
    """So many games of a contest. Raises: StrategyFailed."""
    warm(asked)
    tally = Tally(asked.names())
    with closing(all_played(asked, 0, games, workers)) as playing:
        for game in shown(playing, games, what):
            tally.add(game)
    return tally


Row = dict[str, object]
COLUMNS = ("pairing", "games", "first wins", "95 %", "scores", "busts", "turns a game")


def print_table(
    named: Sequence[str], games: int, seed: str, limit_s: float, workers: int, rows: list[Row]
) -> None:
    """
    The table as Markdown, each row as soon as it is there.

    Args:
        named: strategies that play against everybody; none: everybody does.
        rows: gets the same rows, for programs.
    Raises: StrategyFailed, UnknownStrategy, NotLoaded.
    """
    for variant in variants():
        head = f"\n### {variant.title}\n\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
        for pairing in pairings(named):
            asked = contest(variant, pairing, seed)._replace(limit_s=limit_s)
            sitters_of(asked, Watch(limit_s))
            what = f"{variant.title}: {' – '.join(pairing)}"
            tally = played_out(asked, games_of(pairing, games), workers, what)
            match = Match(variant, pairing, tally)
            typer.echo(f"{head}\n{line(match)}" if head else line(match))
            head = ""
            rows.append(row(match))


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


def row(match: Match) -> Row:
    return {
        "variant": match.variant.title,
        "pairing": match.pairing,
        "games": match.tally.games,
        "won": interval(match.tally.sides[0].win_rate),
        "scores": [interval(side.score) for side in match.tally.sides],
        "unfinished": match.tally.unfinished,
    }
