"""A world on each store; the databases are those of the store's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from app.store.database import Database, open_database
from tests.clocks.world import World, end_processes
from tests.store.conftest import postgres_template, postgres_url, sqlite_template, sqlite_url

__all__ = ["postgres_template", "postgres_url", "sqlite_template", "sqlite_url"]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = open_database(url)
    yield opened
    await end_processes(opened)
    await opened.dispose()


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


@pytest.fixture
def fragile(database: Database) -> World:
    """One in which nobody serves unless somebody polls."""
    return World(database, away=True)
