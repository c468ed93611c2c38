"""Servers on real ports; each store once for the tests of a worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.store.schema import migrate
from tests.conftest import Database, FreshDatabase
from tests.live.player import Player
from tests.live.server import Live, healthy
from tests.live_streams.server import Serving, serving_on
from tests.live_streams.stores import Counting
from tests.live_streams.two import Two, two_processes
from tests.servers.postgres import APP, PostgresServer

OPERATOR = "the-operators-token-of-the-shared-process"


@pytest.fixture(scope="session")
async def _on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Serving]:
    path = tmp_path_factory.mktemp("streams") / "hotdice.db"
    async with serving_on(f"sqlite+aiosqlite:///{path}", store_type=Counting) as running:
        yield running


@pytest.fixture(scope="session")
async def _on_postgres(worker_database: Database) -> AsyncIterator[Serving]:
    await migrate(worker_database.owner_url, APP)
    async with serving_on(worker_database.app_url, store_type=Counting) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Serving:
    """A shared server, on each store."""
    found = request.getfixturevalue(f"_on_{request.param}")
    assert isinstance(found, Serving)
    return found


@pytest.fixture
def sqlite_server(request: pytest.FixtureRequest) -> Serving:
    """A shared server, for what no store makes different."""
    found = request.getfixturevalue("_on_sqlite")
    assert isinstance(found, Serving)
    return found


@pytest.fixture(scope="session")
def _process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    path = tmp_path_factory.mktemp("process") / "hotdice.db"
    live = Live(
        f"sqlite+aiosqlite:///{path}",
        settings={
            "HOTDICE_ALLOWED_HOSTS": "127.0.0.1",
            "HOTDICE_LOG_LEVEL": "debug",
            "HOTDICE_OPERATOR_TOKEN": OPERATOR,
        },
    )
    live.start()
    yield live
    live.terminate()


@pytest.fixture
def process(_process: Live) -> Iterator[Live]:
    """A shared server process, whose log is looked at after the test."""
    yield _process
    healthy(_process)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"


@pytest.fixture
async def postgres_url(fresh_database: FreshDatabase) -> str:
    """A database for this test alone, as the role that plays."""
    made = fresh_database()
    await migrate(made.owner_url, APP)
    return made.app_url


@pytest.fixture(scope="session")
def _two_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    path = tmp_path_factory.mktemp("two") / "hotdice.db"
    with two_processes(f"sqlite+aiosqlite:///{path}") as two:
        yield two


@pytest.fixture(scope="session")
async def _two_on_postgres(postgres_server: PostgresServer, worker_id: str) -> AsyncIterator[Two]:
    name = f"hotdice_two_{worker_id}"
    postgres_server.drop_database(name)
    postgres_server.create_database(name)
    await migrate(postgres_server.owner_url(name), APP)
    with two_processes(postgres_server.app_url(name)) as two:
        yield two
    postgres_server.drop_database(name)


@pytest.fixture(params=["sqlite", "postgres"])
def two(request: pytest.FixtureRequest) -> Two:
    """Two shared server processes over one database, on each store."""
    found = request.getfixturevalue(f"_two_on_{request.param}")
    assert isinstance(found, Two)
    return found


@pytest.fixture
async def ana(server: Serving) -> Player:
    return await Player.make(server.port)
