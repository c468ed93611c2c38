"""
`hotdice serve | migrate | export-spec | build-docs | replay | verify | rebuild-heads
| rebuild-statistics | check-purses | archive | restore | odds | arena`.

A failure is one line on standard error and an exit status: 1 what was asked failed, 2 it was asked
wrongly, 3 the server could not start (`app.cli`). Imports stand inside the commands, so that each
loads only what it needs.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer

from app.archiving.command import archive, restore
from app.arena.command import arena
from app.cli import ASKED_WRONGLY, FAILED, say
from app.cli import serve as serving
from app.verifying.command import verify

if TYPE_CHECKING:
    from app.settings import Settings

T = TypeVar("T")

cli = typer.Typer(
    name="hotdice",
    help="A game server for dice games of the Farkle family.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@cli.command()
def serve() -> None:
    """Serve the API, as HOTDICE_* says."""
    raise typer.Exit(serving())


@cli.command()
def migrate() -> None:
    """Bring the database up to date, as its owner (HOTDICE_DATABASE_OWNER_URL)."""
    from app.store.schema import migrate

    settings = _settings()
    owner_url = settings.database_owner_url or settings.database_url
    _run(migrate(owner_url, settings.playing_role))
    typer.echo("The database is up to date.")


@cli.command("export-spec")
def export_spec(
    path: Annotated[Path | None, typer.Argument(help="A file; standard output without.")] = None,
    streams: Annotated[
        bool, typer.Option("--async", help="That of the streams: AsyncAPI, as YAML.")
    ] = False,
    schema: Annotated[
        str | None, typer.Option(help="A JSON Schema of /schemas: rule-set or export.")
    ] = None,
) -> None:
    """Write the OpenAPI document, the AsyncAPI one, or a JSON Schema."""
    import json

    from app.api import asyncapi
    from app.api.file_schemas import NAMES, file_schema
    from app.api.openapi import document
    from app.main import routes

    if schema is not None and schema not in NAMES:
        raise typer.BadParameter(f"--schema is one of {', '.join(NAMES)}")
    made = document(routes()) if schema is None else file_schema(schema)
    text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    if streams:
        text = asyncapi.as_yaml(asyncapi.document(made))
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


@cli.command("build-docs")
def build_docs(folder: Annotated[Path, typer.Argument(help="Where to; made if missing.")]) -> None:
    """Write the docs site as files for any web server; this one serves it at /docs itself."""
    from app.api.openapi import document
    from app.main import routes
    from app.site.writing import write

    typer.echo(f"Pages written: {write(folder, document(routes()))}")


@cli.command()
def replay(
    game: Annotated[str, typer.Argument(help="Id of the game.")],
    database_url: Annotated[
        str | None, typer.Option(help="Instead of HOTDICE_DATABASE_URL.")
    ] = None,
) -> None:
    """Fold a game's log anew, check its chain, and compare the outcome with what is stored."""
    from app.replaying import Differs, NoSuchGame, replayed

    settings = _settings()
    try:
        text = _run(replayed(database_url or settings.database_url, game))
    except (Differs, NoSuchGame) as error:
        _fail(str(error), FAILED)
    typer.echo(text)


@cli.command("rebuild-statistics")
def rebuild_statistics(
    database_url: Annotated[
        str | None, typer.Option(help="Instead of HOTDICE_DATABASE_URL.")
    ] = None,
) -> None:
    """Count every game again from its log: figures and ladders as if counted the first time."""
    from app.recounting import recounted

    settings = _settings()
    games = _run(recounted(database_url or settings.database_url))
    typer.echo(f"Counted anew. Games looked at: {games}")


@cli.command("rebuild-heads")
def rebuild_heads(
    database_url: Annotated[
        str | None, typer.Option(help="Instead of HOTDICE_DATABASE_URL.")
    ] = None,
) -> None:
    """Fold every game's state anew from its log, which is the truth."""
    from app.refolding import rebuilt

    settings = _settings()
    found = _run(rebuilt(database_url or settings.database_url))
    typer.echo(f"Folded anew. Games: {found.games}; put right: {found.differed}")
    if found.broken:
        _fail(f"Logs that do not fold: {', '.join(found.broken)}", FAILED)


@cli.command("check-purses")
def check_purses(
    mend: Annotated[bool, typer.Option(help="Make them what their journals say.")] = False,
    database_url: Annotated[
        str | None, typer.Option(help="Instead of HOTDICE_DATABASE_URL.")
    ] = None,
) -> None:
    """Compare every purse with its journal, which is the truth."""
    from app.purse_check import checked

    settings = _settings()
    found = _run(checked(database_url or settings.database_url, mend=mend))
    for line in found:
        typer.echo(line)
    if found and not mend:
        _fail(f"Purses that differ from their journals: {len(found)}.", FAILED)
    typer.echo(f"Mended: {len(found)}." if found else "Every purse is what its journal says.")


@cli.command()
def odds(
    preset: Annotated[
        str | None, typer.Argument(help="A shipped game: farkle, house or jester.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the preset, as name=value; may be given again."),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option(help="Instead of a preset: a file with a rule set in JSON.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables.")] = False,
    csv: Annotated[
        Path | None, typer.Option(help="A file for rolling on against banking, value by value.")
    ] = None,
    two_seats: Annotated[
        bool, typer.Option(help="Only how often the first of two seats wins; may take minutes.")
    ] = False,
    compensation: Annotated[
        int, typer.Option(min=0, help="With --two-seats: what the second one starts with.")
    ] = 0,
) -> None:
    """Tell the odds of a rule set: rolls, turns, and when to bank."""
    from rich.console import Console

    from app.analysis.asked import CannotTell, first_seat_of, odds_of, rules_asked, tell
    from app.rules_asked import WronglyAsked

    try:
        chosen = rules_asked(preset, option or (), rules)
    except WronglyAsked as error:
        _fail(str(error), ASKED_WRONGLY)
    try:
        if two_seats:
            typer.echo(f"{first_seat_of(chosen, compensation):.10f}")
            return
        found = odds_of(chosen, Console(stderr=True))
    except CannotTell as error:
        _fail(str(error), FAILED)
    tell(chosen, found, as_json, csv, Console())


cli.command()(archive)
cli.command()(restore)
cli.command()(arena)
cli.command()(verify)


def _settings() -> Settings:
    from app.settings import UnsafeSettings, read_settings

    try:
        return read_settings()
    except UnsafeSettings as error:
        _fail(str(error), ASKED_WRONGLY)


def _run(work: Coroutine[object, object, T]) -> T:
    from sqlalchemy.exc import SQLAlchemyError

    from app.errors import AppError
    from app.store.database import UnfitDatabase
    from engine.errors import GameError

    try:
        return asyncio.run(work)
    except SQLAlchemyError as error:  # its text may hold the address
        _fail(f"The database refuses ({type(error).__name__}).", FAILED)
    except (AppError, GameError, UnfitDatabase, OSError) as error:
        _fail(str(error) or type(error).__name__, FAILED)


def _fail(sentence: str, status: int) -> NoReturn:
    say(sentence)
    raise typer.Exit(status)
