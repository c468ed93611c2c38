"""`hotdice verify`: exports of games on the command line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from app.verifying.report import Kept, Report

INVALID = 1
UNKNOWN = 2
"""Incomplete, or no export at all; also what is asked wrongly, as everywhere."""
_STDIN = Path("-")


def verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Exports of games, as …/export gives them; - is standard input."),
    ] = None,
    kept: Annotated[
        list[str] | None,
        typer.Option(help="VERSION:HASH of an event that you kept; may be given again."),
    ] = None,
    commit: Annotated[
        list[str] | None,
        typer.Option(help="ATTEMPT:HEX, a commitment of the server that you kept."),
    ] = None,
    own: Annotated[
        list[str] | None,
        typer.Option(help="SEAT:ATTEMPT:HEX, what your seat contributed to the dice."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each game, one a line.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Instead of files: every game of the database.")
    ] = False,
    database_url: Annotated[
        str | None, typer.Option(help="With --all, instead of HOTDICE_DATABASE_URL.")
    ] = None,
    archive: Annotated[
        Path | None,
        typer.Option(help="With --all: the folder of hotdice archive, whose logs are checked too."),
    ] = None,
) -> None:
    """
    Check finished games from their exports, without a server: chain, dice, rules, bots.

    With --all the logs of a database, running games included; servers may play meanwhile.

    Exit status: 0 all are valid, 1 one is invalid; else 2: one is incomplete, or no export.
    """
    if every:
        if files or kept or commit or own:
            _wrong("--all takes no files, and nothing that you kept")
        if archive is not None and not archive.is_dir():
            _wrong(f"{archive} is no folder")
        from app.verifying.command_all import verify_all

        raise typer.Exit(verify_all(database_url, as_json, archive))
    if not files:
        _wrong("name a file")
    facts = _facts(kept or (), commit or (), own or ())
    if any(facts) and len(files) > 1:
        _wrong("what you kept belongs to one game: name one file")
    found = {_checked(file, facts, as_json, len(files) > 1) for file in files}
    raise typer.Exit(INVALID if INVALID in found else max(found))


def _checked(file: Path, facts: Kept, as_json: bool, named: bool) -> int:
    """Tells what there is to say of a file; its exit status."""
    from app.verifying.examining import verify as verified
    from app.verifying.reading import LARGEST
    from app.verifying.report import words

    name = "standard input" if file == _STDIN else str(file)
    try:
        with nullcontext(sys.stdin.buffer) if file == _STDIN else file.open("rb") as source:
            data = source.read(LARGEST + 1)
    except OSError as error:
        typer.echo(f"hotdice: {name}: {error.strerror}.", err=True)
        return UNKNOWN
    report = verified(data, facts)
    if as_json:
        typer.echo(json.dumps({"file": name, **report.as_json()}))
    elif report.game_id is not None:
        lines = words(report)
        typer.echo("\n".join([f"{name}: {lines[0]}" if named else lines[0], *lines[1:]]))
    if report.game_id is None:
        typer.echo(f"hotdice: {name} is no export of a game: {report.reason}.", err=True)
    return _status(report)


def _status(report: Report) -> int:
    if report.game_id is None or report.verdict == "incomplete":
        return UNKNOWN
    return INVALID if report.verdict == "invalid" else 0


def _facts(kept: Sequence[str], commit: Sequence[str], own: Sequence[str]) -> Kept:
    from app.verifying.report import Kept

    def parsed(name: str, texts: Sequence[str], numbers: int) -> list[tuple[list[int], str]]:
        pattern = re.compile(rf"((?:[0-9]{{1,15}}:){{{numbers}}})([0-9a-f]{{64}})")
        found = [pattern.fullmatch(text) for text in texts]
        if None in found:
            _wrong(f"--{name} takes {'NUMBER:' * numbers}HEX, 64 digits of lower-case hex")
        return [([int(n) for n in m[1].split(":")[:-1]], m[2]) for m in found if m]

    return Kept(
        tuple((version, hashed) for [version], hashed in parsed("kept", kept, 1)),
        tuple((attempt, value) for [attempt], value in parsed("commit", commit, 1)),
        tuple((seat, attempt, value) for [seat, attempt], value in parsed("own", own, 2)),
    )


def _wrong(sentence: str) -> NoReturn:
    typer.echo(f"hotdice: {sentence}.", err=True)
    raise typer.Exit(UNKNOWN)
