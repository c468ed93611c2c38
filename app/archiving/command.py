"""`hotdice archive` and `hotdice restore`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from app.archiving.moving import Moved
    from app.settings import Settings

FAILED = 1
"""Something stays where it is, or the database refuses."""
WRONG = 2
DAYS = 90
HOUR_MS = 3_600_000


def archive(
    folder: Annotated[Path, typer.Argument(help="For a file each; must be there.")],
    days: Annotated[
        int, typer.Option(help="For so long a game has been over; no less than answers are kept.")
    ] = DAYS,
) -> None:
    """
    Move the logs of finished games from the database to compressed exports, as its owner.

    States, results, profiles and leaderboards stay. Each file is checked before a log is deleted.
    """
    from app.archiving import moving
    from app.clock import SystemClock

    settings = _settings()
    if not folder.is_dir():
        _fail(f"{folder} is no folder.", WRONG)
    if 24 * days < settings.answers_kept_h:
        hours = settings.answers_kept_h
        _fail(f"Answers to games are kept for {hours} h (HOTDICE_ANSWERS_KEPT_H): no less.", WRONG)
    age = 24 * days * HOUR_MS
    _told("Archived", moving.archive(_url(settings), folder, age, SystemClock(), _stays))


def restore(
    files: Annotated[list[Path], typer.Argument(help="Files that hotdice archive has made.")],
) -> None:
    """Move logs from compressed exports back to the database, as its owner. The files stay."""
    from app.archiving import moving

    for file in files:
        if not file.is_file():
            _fail(f"{file} is no file.", WRONG)
    _told("Restored", moving.restore(_url(_settings()), files, _stays))


def _told(done: str, work: Coroutine[object, object, Moved]) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    from app.errors import AppError
    from app.store.database import UnfitDatabase
    from engine.errors import GameError

    try:
        moved, stayed = asyncio.run(work)
    except SQLAlchemyError as error:  # its text may hold the address
        _fail(f"The database refuses ({type(error).__name__}).", FAILED)
    except (AppError, GameError, UnfitDatabase, OSError) as error:
        _fail(str(error) or type(error).__name__, FAILED)
    typer.echo(f"{done}: {moved}; left as they are: {stayed}")
    if stayed:
        raise typer.Exit(FAILED)


def _stays(name: str, reason: str) -> None:
    typer.echo(f"hotdice: {name}: {reason}.", err=True)


def _settings() -> Settings:
    from app.settings import UnsafeSettings, read_settings

    try:
        return read_settings()
    except UnsafeSettings as error:
        _fail(str(error), WRONG)


def _url(settings: Settings) -> str:
    return settings.database_owner_url or settings.database_url


def _fail(sentence: str, status: int) -> NoReturn:
    typer.echo(f"hotdice: {sentence}", err=True)
    raise typer.Exit(status)
