"""
Migrations, run from code: no ini file, and found in a checkout as in an installed wheel.

Alembic is imported by who migrates. Whether there is anything to migrate is found without it: it
takes 10 MiB of a server's memory and a third of a second of its start.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, NullPool, event, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

import app
from app.store.database import Database, database_url
from app.store.grants import grant

if TYPE_CHECKING:
    from alembic.config import Config

_REVISION = re.compile(r'^revision = "(.+)"$', re.MULTILINE)
_BEFORE = re.compile(r'^down_revision = "(.+)"$', re.MULTILINE)

_ONE_AT_A_TIME = 7_407_351
"""Key of the advisory lock under which Postgres is migrated; any number of our own will do."""


class SchemaOutdated(Exception):
    """The database is not at the revision that this release is written for."""

    def __init__(self, current: str | None, needed: str) -> None:
        self.current = current
        self.needed = needed
        super().__init__(
            f"The database is at revision {current or 'none'}, this release needs {needed}: "
            "run `hotdice migrate`."
        )


_PACKAGE = Path(app.__file__).parent


def migrations_folder(package: Path = _PACKAGE) -> Path:
    """In a wheel inside the package, in a checkout beside it."""
    installed = package / "_migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's settings; its commands then work on this connection, inside its transaction."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(year)d_%%(month).2d_%%(day).2d_%%(slug)s")
    config.attributes["connection"] = connection
    return config


@cache
def needed_revision() -> str:
    """The newest revision of this release: the one that no other comes after."""
    texts = [file.read_text("utf-8") for file in (migrations_folder() / "versions").glob("*.py")]
    before = {name for text in texts for name in _BEFORE.findall(text)}
    newest: set[str] = {name for text in texts for name in _REVISION.findall(text)} - before
    if len(newest) != 1:
        raise FileNotFoundError(f"no one newest migration in {migrations_folder()}")
    return newest.pop()


async def migrate(url: str | URL, app_role: str | None = None) -> None:
    """
    Bring the database up to date, whole or not at all; `url` is the owner's address.

    Args:
        app_role: on Postgres the role that plays; it is granted what it needs.
    """
    await _alembic(url, "head", app_role)


async def downgrade(url: str | URL, revision: str) -> None:
    """Back to a revision; `base` is before the first."""
    await _alembic(url, revision, None, down=True)


async def _alembic(
    url: str | URL, revision: str, app_role: str | None, *, down: bool = False
) -> None:
    address = database_url(url)
    on_sqlite = address.get_backend_name() == "sqlite"
    # Without the foreign keys of an ordinary connection: SQLite alters a table by replacing it.
    engine = create_async_engine(
        address,
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={"isolation_level": None, "timeout": 30} if on_sqlite else {},
    )
    if on_sqlite:

        @event.listens_for(engine.sync_engine, "begin")
        def begun(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    import alembic.command

    def run(connection: Connection) -> None:
        if not on_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
        command = alembic.command.downgrade if down else alembic.command.upgrade
        command(alembic_config(connection), revision)
        if not on_sqlite and not down:
            grant(connection, app_role)

    try:
        async with engine.begin() as connection:
            await connection.run_sync(run)
    finally:
        await engine.dispose()


async def check_schema(database: Database) -> None:
    """
    Raises: SchemaOutdated; StoreUnavailable, Overloaded.
    """
    async with database.reading() as connection:
        current = await _current_revision(connection)
    needed = needed_revision()
    if current != needed:
        raise SchemaOutdated(current, needed)


async def _current_revision(connection: AsyncConnection) -> str | None:
    if not await connection.run_sync(lambda sync: inspect(sync).has_table("alembic_version")):
        return None
    found = await connection.execute(text("SELECT version_num FROM alembic_version"))
    return found.scalar()
