"""`hotdice arena`: many games between strategies, in processes of this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from app.arena.contest import Contest
    from app.arena.minds import Failure

FAILED = 1
ASKED_WRONGLY = 2
INTERRUPTED = 130
"""As shells say it: ended by SIGINT."""

USUAL_GAMES = 1_000
STDOUT = Path("-")


def arena(
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            help="One for each seat: a character, random, module:function or file.py:function."
        ),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="A shipped game; the first of them unless said.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="Of the preset: target=5000, spicy.")
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(help="JSON file: `rules` as a table of the API takes them, or a rule set."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(min=1, max=10_000_000, help="1000 unless said; with --table 10000 a pairing."),
    ] = None,
    first: Annotated[
        int, typer.Option(min=0, max=10**12 - 1, help="Number of the first game.")
    ] = 0,
    seed: Annotated[str, typer.Option(help="The same seed, the same games.")] = "1",
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes; one a core unless said.")
    ] = None,
    limit: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds an outside decision may take.")
    ] = 5.0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the results there; - is standard output.")
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Write a line a game there; - is standard output.")
    ] = None,
    plot: Annotated[
        bool | None, typer.Option(help="Distributions as text; on a terminal unless said.")
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="The match table: every pairing on every preset.")
    ] = False,
) -> None:
    """Play many games between strategies, on all cores, and say who is better."""
    from app.arena.workers import cores
    from app.rules_asked import faults_of
    from engine.errors import Malformed

    crew = workers or cores()
    if table:
        if rules or preset or option or csv_file or first:
            _fail("--table has its own rules, and prints no single games.", ASKED_WRONGLY)
        _table(strategies or [], games, seed, limit, crew, json_file)
        return
    try:
        contest = _contest(strategies or [], preset, option or [], rules, seed, limit)
    except Malformed as wrong:
        _fail(faults_of(wrong), ASKED_WRONGLY)
    _play(contest, first, games or USUAL_GAMES, crew, (json_file, csv_file), plot)


def _table(
    strategies: list[str],
    games: int | None,
    seed: str,
    limit: float,
    crew: int,
    json_file: Path | None,
) -> None:
    """The match table."""
    import json

    from app.arena import matches
    from app.arena.game import StrategyFailed
    from app.arena.minds import NotLoaded
    from app.arena.seats import UnknownStrategy

    rows: list[matches.Row] = []
    status = 0
    try:
        matches.print_table(strategies, games or matches.USUAL_GAMES, seed, limit, crew, rows)
    except (UnknownStrategy, NotLoaded) as wrong:
        _fail(str(wrong), ASKED_WRONGLY)
    except StrategyFailed as failed:
        _tell(failed.contest, failed.failure)
    except KeyboardInterrupt:
        _say(f"hotdice: Interrupted after {len(rows)} pairings.")
        status = INTERRUPTED
    if json_file is not None:
        with _opened(json_file) as file:
            file.write(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    raise typer.Exit(status)


def _contest(
    strategies: list[str],
    preset: str | None,
    options: list[str],
    rules: Path | None,
    seed: str,
    limit: float,
) -> Contest:
    """What is asked for, checked. Raises: MalformedRules, MalformedSettings."""
    from app.arena.contest import Contest
    from app.arena.minds import NotLoaded
    from app.arena.seats import UnknownStrategy, names
    from app.arena.watch import Watch
    from app.arena.workers import sitters_of
    from app.rulebook import Rulebook
    from app.rules_asked import WronglyAsked, given_options, rules_in_file

    if not strategies:
        _fail(f"Name a strategy for each seat: {', '.join(names())}.", ASKED_WRONGLY)
    book = Rulebook.shipped()
    try:
        if rules is not None:
            if options or preset:
                raise WronglyAsked("--rules stands alone, without --preset and --option.")
            chosen = rules_in_file(book, rules)
        else:
            name = preset or next(iter(book.presets))
            chosen = book.preset(name, given_options(options), "")
        contest = Contest(tuple(strategies), chosen.rules, chosen.preset, seed, limit)
        sitters = sitters_of(contest, Watch(limit))
    except (WronglyAsked, UnknownStrategy, NotLoaded) as wrong:
        _fail(str(wrong), ASKED_WRONGLY)
    contest.opening(0, tuple(sitter.place for sitter in sitters))
    return contest


def _play(
    contest: Contest,
    first: int,
    games: int,
    crew: int,
    files: tuple[Path | None, Path | None],
    plot: bool | None,
) -> None:
    """
    Args:
        files: for JSON, for CSV.
    """
    import shutil
    from contextlib import ExitStack, closing

    from app.arena.game import StrategyFailed
    from app.arena.progress import shown
    from app.arena.report import GameRows, plots, table, write_json
    from app.arena.tally import Tally
    from app.arena.workers import all_played, warm

    tally, interrupted = Tally(contest.names()), False
    with ExitStack() as stack:
        json_out, csv_out = (
            None if path is None else stack.enter_context(_opened(path)) for path in files
        )
        rows = GameRows(csv_out, contest) if csv_out else None
        try:
            warm(contest)
            playing = stack.enter_context(closing(all_played(contest, first, games, crew)))
            for game in shown(playing, games):
                tally.add(game)
                if rows is not None:
                    rows.write(game)
        except StrategyFailed as failed:
            _tell(failed.contest, failed.failure)
        except KeyboardInterrupt:
            interrupted = True
        if json_out is not None:
            write_json(json_out, contest, tally, first)
    if STDOUT not in files:
        typer.echo(table(contest, tally))
        if plot or (plot is None and sys.stdout.isatty()):
            typer.echo("\n" + plots(tally, shutil.get_terminal_size().columns))
    if interrupted:
        typer.echo(f"hotdice: Interrupted after {tally.games} of {games} games.", err=True)
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    if path == STDOUT:
        yield sys.stdout
        return
    try:
        file = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        _fail(f"{path} cannot be written ({error.strerror}).", FAILED)
    with file:
        yield file


def _tell(contest: Contest, failure: Failure) -> NoReturn:
    """A strategy failed: in which game, what it saw, and how to see it again."""
    import json
    import shlex

    who = "A strategy" if failure.participant is None else contest.strategies[failure.participant]
    _say(f"hotdice: {who} {failure.did}, in game {failure.number}.")
    if failure.state is not None:
        seat = contest.seating(failure.number).index(failure.participant or 0)
        _say(f"It sat at seat {seat} and saw: {json.dumps(failure.state, ensure_ascii=False)}")
    if failure.trace:
        _say(failure.trace.rstrip())
    again = [*contest.strategies, "--seed", contest.seed, "--first", str(failure.number)]
    _say(f"That game alone, with the same rules: {shlex.join(again)} --games 1")
    raise typer.Exit(FAILED)


def _say(text: str) -> None:
    typer.echo(text, err=True)


def _fail(sentence: str, status: int) -> NoReturn:
    _say(f"hotdice: {sentence}")
    raise typer.Exit(status)
