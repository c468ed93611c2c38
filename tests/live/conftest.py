"""
Server processes, with a look at each of them after every test.

Those of `served` are shared by the tests of a worker: make players and tables of your own. A test
that stops or kills a server, or counts what it holds, starts one on a `fresh_url`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.store.schema import migrate
from tests.conftest import FreshDatabase
from tests.live.server import Live, healthy
from tests.servers.postgres import APP, PostgresServer

STORES = ("sqlite", "postgres")
SETTINGS = {
    "HOTDICE_ALLOWED_HOSTS": "127.0.0.1",
    "HOTDICE_CORS_ORIGINS": "https://play.example",
}


@dataclass
class Served:
    """Server processes on one database, started as they are needed."""

    store: str
    url: str
    running: list[Live] = field(default_factory=list)

    def up(self, count: int = 1) -> list[Live]:
        """So many of them."""
        while len(self.running) < count:
            server = Live(self.url, settings=SETTINGS)
            self.running.append(server)
            server.start()
        return self.running[:count]

    def down(self) -> None:
        while self.running:
            self.running.pop().terminate()


@pytest.fixture(scope="session")
async def live_template(postgres_server: PostgresServer, worker_id: str) -> AsyncIterator[str]:
    """Name of a Postgres database at the newest revision, to copy."""
    name = f"hotdice_live_template_{worker_id}"
    postgres_server.drop_database(name)
    postgres_server.create_database(name)
    await migrate(postgres_server.owner_url(name), APP)
    yield name
    postgres_server.drop_database(name)


@pytest.fixture(scope="session")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("live") / "hotdice.db"
    served = Served("sqlite", f"sqlite+aiosqlite:///{path}")
    yield served
    served.down()


@pytest.fixture(scope="session")
def on_postgres(
    postgres_server: PostgresServer, live_template: str, worker_id: str
) -> Iterator[Served]:
    name = f"hotdice_live_{worker_id}"
    postgres_server.drop_database(name)
    postgres_server.create_database(name, live_template)
    served = Served("postgres", postgres_server.app_url(name))
    yield served
    served.down()
    postgres_server.drop_database(name)


@pytest.fixture(params=STORES)
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """Servers on each store, shared by the tests of a worker."""
    found = request.getfixturevalue(f"on_{request.param}")
    assert isinstance(found, Served)
    yield found
    for server in found.running:
        healthy(server)


@pytest.fixture(params=STORES)
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database for this test alone, on each store, at the newest revision."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    fresh: FreshDatabase = request.getfixturevalue("fresh_database")
    template: str = request.getfixturevalue("live_template")
    return fresh(template).app_url
