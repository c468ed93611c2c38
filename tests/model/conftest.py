"""A database for each store, emptied for each run of the model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.store.schema import migrate
from app.store.tables import metadata
from tests.conftest import FreshDatabase
from tests.model.server import Store
from tests.servers.postgres import APP


@pytest.fixture(scope="session")
async def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "empty.db"
    await migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_store(tmp_path: Path, empty_sqlite: Path) -> Store:
    path = tmp_path / "hotdice.db"

    async def wipe() -> None:
        for rest in ("-wal", "-shm"):
            path.with_name(path.name + rest).unlink(missing_ok=True)
        shutil.copy(empty_sqlite, path)

    return Store(f"sqlite+aiosqlite:///{path}", wipe)


@pytest.fixture
async def postgres_store(fresh_database: FreshDatabase) -> Store:
    database = fresh_database()
    await migrate(database.owner_url, APP)
    names = ", ".join(sorted(metadata.tables))

    async def wipe() -> None:
        engine = create_async_engine(database.owner_url, poolclass=NullPool)
        async with engine.begin() as connection:
            await connection.execute(text(f"TRUNCATE {names}"))
        await engine.dispose()

    return Store(database.app_url, wipe)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    found = request.getfixturevalue(f"{request.param}_store")
    assert isinstance(found, Store)
    return found
