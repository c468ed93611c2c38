"""`hotdice verify --all`: every game of a database on the command line."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import typer
from sqlalchemy.exc import SQLAlchemyError

from app.archiving import files
from app.errors import AppError
from app.settings import UnsafeSettings, read_settings
from app.store.database import UnfitDatabase
from app.verifying.stored import ARCHIVED, NOT_OVER, FileOf, judged_all

INVALID = 1
FAILED = 2
"""The database could not be asked, or not to the end."""


def verify_all(database_url: str | None, as_json: bool, archive: Path | None = None) -> int:
    """
    A line for each game that is not right, or with JSON for each game; then how many there are.

    Args:
        archive: the folder with the logs of archived games; None: they are left out.
    Returns: the exit status: 0 nothing is wrong, 1 something is, 2 the database cannot be asked.
    """
    counts: Counter[str] = Counter()
    try:
        url = database_url or read_settings().database_url
        asyncio.run(_tell(url, as_json, counts, None if archive is None else files.of(archive)))
    except (AppError, UnsafeSettings, UnfitDatabase, OSError) as error:
        typer.echo(f"hotdice: {str(error) or type(error).__name__}", err=True)
        return FAILED
    except SQLAlchemyError as error:  # its text may hold the address
        typer.echo(f"hotdice: The database refuses ({type(error).__name__}).", err=True)
        return FAILED
    if not as_json:
        names = ("valid", NOT_OVER, *((ARCHIVED,) if counts[ARCHIVED] else ()), "invalid")
        told = ", ".join(f"{name}: {counts[name]}" for name in names)
        typer.echo(f"Games: {counts.total()}; {told}")
    return INVALID if counts["invalid"] else 0


async def _tell(url: str, as_json: bool, counts: Counter[str], file_of: FileOf | None) -> None:
    async for report in judged_all(url, file_of):
        known = report.reason if report.reason in (NOT_OVER, ARCHIVED) else None
        counts[known or report.verdict] += 1
        if as_json:
            typer.echo(json.dumps(report.as_json()))
        elif report.verdict == "invalid":
            where = "" if report.version is None else f" at version {report.version}"
            typer.echo(f"{report.game_id}: invalid{where}: {report.reason}")
