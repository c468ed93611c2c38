"""
Servers in-process, for tests of the API.

`live` and what hangs on it run once on SQLite and once on Postgres, and are shared by the tests of
a worker: make players and tables of your own, and count nothing that others may make too. A test
that needs other settings, or a database for itself, takes `launch`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest

from app.store.schema import migrate
from tests.api.live import OPERATOR, Guest, Live, running
from tests.conftest import Database
from tests.servers.postgres import APP

MakeGuest = Callable[..., Awaitable[Guest]]


class Launch(Protocol):
    def __call__(self, **settings: Any) -> AbstractAsyncContextManager[Live]: ...


@pytest.fixture(scope="session")
async def _on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    path = tmp_path_factory.mktemp("api") / "hotdice.db"
    async with running(f"sqlite+aiosqlite:///{path}", operator_token=(OPERATOR,)) as live:
        yield live


@pytest.fixture(scope="session")
async def _on_postgres(worker_database: Database) -> AsyncIterator[Live]:
    await migrate(worker_database.owner_url, APP)
    async with running(worker_database.app_url, operator_token=(OPERATOR,)) as live:
        yield live


@pytest.fixture(params=["sqlite", "postgres"])
def live(request: pytest.FixtureRequest) -> Live:
    """The application, on each store."""
    found = request.getfixturevalue(f"_on_{request.param}")
    assert isinstance(found, Live)
    return found


@pytest.fixture
async def client(live: Live) -> AsyncIterator[httpx.AsyncClient]:
    """A client without a token."""
    async with live.client() as client:
        yield client


@pytest.fixture
def guest(live: Live) -> MakeGuest:
    """`await guest("Ana")`: a new player with a connection of its own."""
    return live.guest


@pytest.fixture
async def ana(guest: MakeGuest) -> Guest:
    return await guest("Ana")


@pytest.fixture
async def bo(guest: MakeGuest) -> Guest:
    return await guest("Bo")


@pytest.fixture
async def cy(guest: MakeGuest) -> Guest:
    return await guest("Cy")


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    """`async with launch(rate_limits=True) as live:` a server on a SQLite file of its own."""

    def start(**settings: Any) -> AbstractAsyncContextManager[Live]:
        return running(f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}", **settings)

    return start
