"""Databases at the newest revision, one for each test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.store.database import Database, open_database
from app.store.schema import migrate
from tests.conftest import FreshDatabase
from tests.servers.postgres import APP, PostgresServer


@pytest.fixture(scope="session")
async def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "hotdice.db"
    await migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "hotdice.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture(scope="session")
async def postgres_template(postgres_server: PostgresServer, worker_id: str) -> AsyncIterator[str]:
    name = f"hotdice_template_{worker_id}"
    postgres_server.drop_database(name)
    postgres_server.create_database(name)
    await migrate(postgres_server.owner_url(name), APP)
    yield name
    postgres_server.drop_database(name)


@pytest.fixture
def postgres_url(fresh_database: FreshDatabase, postgres_template: str) -> str:
    """As the role that plays."""
    return fresh_database(postgres_template).app_url


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """`url` is the test class's: SQLite or Postgres."""
    opened = open_database(url)
    yield opened
    await opened.dispose()
