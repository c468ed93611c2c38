"""Migrations: up, down and up again, equal to the tables, found from a wheel, safe at once."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from app.store.database import Database, open_database
from app.store.heads import decode_setup
from app.store.queries import SqlEventStore
from app.store.schema import (
    SchemaOutdated,
    check_schema,
    downgrade,
    migrate,
    migrations_folder,
    needed_revision,
)
from app.store.tables import metadata
from tests.conftest import FreshDatabase
from tests.servers.postgres import APP, OWNER
from tests.store import orders
from tests.store.orders import StoppedClock, done, new_id, open_lobby, play


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, as its owner."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hotdice.db'}"
    fresh: FreshDatabase = request.getfixturevalue("fresh_database")
    return fresh().owner_url


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def table_names(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


async def test_up_down_and_up(url: str, database: Database) -> None:
    tables = set(metadata.tables) | {"alembic_version"}
    await migrate(url)
    async with database.reading() as connection:
        assert await connection.run_sync(table_names) == tables
        assert await connection.run_sync(differences) == []
    await downgrade(url, "base")
    async with database.reading() as connection:
        assert await connection.run_sync(table_names) == {"alembic_version"}
    await migrate(url)
    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_migrating_twice_changes_nothing(url: str, database: Database) -> None:
    await migrate(url)
    async with database.writing() as connection:
        await connection.execute(
            text("INSERT INTO players (id, name, created_at) VALUES ('p', 'Ana', 1)")
        )
    await migrate(url)
    async with database.reading() as connection:
        assert (await connection.execute(text("SELECT name FROM players"))).scalar() == "Ana"


async def test_what_tables_were_laid_with_moves_along(url: str, database: Database) -> None:
    """To a table of its own and back, for every game there is."""
    await migrate(url)
    store = SqlEventStore(database, StoppedClock())
    games = [await open_lobby(store, preset=preset) for preset in ("farkle", "house", "jester")]
    await play(store, orders.starts(games[0]))
    heads = [await store.head(game_id) for game_id in games]
    assert None not in heads
    await database.dispose()
    await downgrade(url, "2026_11_30_archive_logs")
    before = open_database(url)
    async with before.reading() as connection:
        found = await connection.execute(text("SELECT id, setup FROM games"))
        stored = {game_id: decode_setup(bytes(setup)) for game_id, setup in found}
    await before.dispose()
    assert stored == {head.game.setup.game_id: head.game.setup for head in heads if head}
    await migrate(url)
    after = open_database(url)
    again = SqlEventStore(after, StoppedClock())
    assert [await again.head(game_id) for game_id in games] == heads
    assert done((await again.append([orders.joins(games[1], new_id())]))[0]).head.version == 2
    await after.dispose()


async def test_two_processes_that_start_at_once(url: str, database: Database) -> None:
    await asyncio.gather(*(migrate(url) for _ in range(4)))
    await check_schema(database)


async def test_an_old_schema_is_told(url: str, database: Database) -> None:
    with pytest.raises(SchemaOutdated, match="hotdice migrate") as outdated:
        await check_schema(database)
    assert (outdated.value.current, outdated.value.needed) == (None, needed_revision())
    await migrate(url)
    await check_schema(database)
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = 'older'"))
    with pytest.raises(SchemaOutdated) as outdated:
        await check_schema(database)
    assert outdated.value.current == "older"


async def test_the_role_that_plays_is_granted_its_rights(fresh_database: FreshDatabase) -> None:
    made = fresh_database()
    await migrate(made.owner_url, APP)
    playing = open_database(made.app_url)
    await check_schema(playing)
    async with playing.reading() as connection:
        rights = await connection.execute(
            text(
                "SELECT table_name, string_agg(privilege_type, ' ' ORDER BY privilege_type) "
                "FROM information_schema.role_table_grants WHERE grantee = :role "
                "GROUP BY table_name"
            ),
            {"role": APP},
        )
        granted = {row[0]: row[1] for row in rights}
    await playing.dispose()
    everything = "DELETE INSERT SELECT UPDATE"
    assert granted == dict.fromkeys(metadata.tables, everything) | {
        "events": "INSERT SELECT",
        "seeds": "INSERT SELECT",
        "operator_calls": "INSERT SELECT",
        "purse_journal": "INSERT SELECT",
        "archived": "SELECT",
        "alembic_version": "SELECT",
    }


@pytest.mark.parametrize("role", [None, OWNER])
async def test_one_role_for_all_is_worth_a_warning(
    fresh_database: FreshDatabase, caplog: pytest.LogCaptureFixture, role: str | None
) -> None:
    with caplog.at_level(logging.WARNING):
        await migrate(fresh_database().owner_url, role)
    assert "one role" in caplog.text


def test_an_installed_wheel_brings_its_migrations(tmp_path: Path) -> None:
    assert (migrations_folder() / "env.py").is_file()
    package = tmp_path / "app"
    assert migrations_folder(package) == tmp_path / "migrations"
    (package / "_migrations").mkdir(parents=True)
    assert migrations_folder(package) == package / "_migrations"
