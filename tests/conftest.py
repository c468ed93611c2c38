"""
The servers that tests may ask for; fixtures about the product itself live in the sub-folders.

A server starts when the first test asks for it. All xdist workers share one Postgres, each in
databases of its own; a test that stops or kills a server launches one with
`PostgresServer.launch()` or `RedisServer.launch()`.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import structlog

from tests.canary.canary import CANARY
from tests.servers.postgres import PostgresServer
from tests.servers.redis import RedisServer
from tests.servers.rig import RUN_FOLDER, Rig
from tests.spec.answers import spec

# Here, before any folder imports another one's helpers: it would be too late after that.
pytest.register_assert_rewrite(
    *("tests.live.player", "tests.live.history"),
    *("tests.live_streams.follower", "tests.live_streams.watching"),
    *("tests.store.contract", "tests.store.orders"),
)

_run: list[Rig] = []


def pytest_configure(config: pytest.Config) -> None:
    """The process that starts the workers owns the run's servers: it outlives them all."""
    # The default draws a picture of every traceback, locals and all: seconds of work in the loop of
    # a server that runs in the test's process.
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain, _looked_at])
    if not hasattr(config, "workerinput"):
        rig = Rig.open()
        _run.append(rig)
        os.environ[RUN_FOLDER] = str(rig.folder)


def _looked_at(_logger: object, _level: str, line: Any) -> Any:
    CANARY.look(str(line).encode(errors="replace"), "a line of the log")
    return line


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Whatever a test was about: no secret went out while it ran, nor what no document tells."""
    yield
    hits, CANARY.hits[:] = sorted({*CANARY.hits}), ()
    if hits:
        pytest.fail("secrets were told: " + "; ".join(hits), pytrace=False)
    faults, spec().faults[:] = sorted({*spec().faults}), ()
    if faults:
        pytest.fail("answers that the document does not tell: " + "; ".join(faults), pytrace=False)


def pytest_unconfigure() -> None:
    while _run:
        _run.pop().close()
        os.environ.pop(RUN_FOLDER, None)


@dataclass(frozen=True)
class Database:
    """A Postgres database, by the addresses of its two roles."""

    name: str
    owner_url: str
    app_url: str


FreshDatabase = Callable[..., Database]
"""`fresh_database(template=None)`: a new database, dropped after the test."""


@pytest.fixture(scope="session")
def postgres_server() -> PostgresServer:
    """The run's Postgres. Shared: do not stop it."""
    return PostgresServer.shared()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A Redis for this worker."""
    if given := RedisServer.given():
        yield given
        return
    server = RedisServer.launch()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def worker_database(postgres_server: PostgresServer, worker_id: str) -> Iterator[Database]:
    """One database for all tests of this worker that can share one."""
    name = f"hotdice_{worker_id}_{os.getpid()}"
    postgres_server.create_database(name)
    yield Database(name, postgres_server.owner_url(name), postgres_server.app_url(name))
    postgres_server.drop_database(name)


@pytest.fixture(scope="session")
def _database_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def fresh_database(
    postgres_server: PostgresServer, worker_id: str, _database_numbers: Iterator[int]
) -> Iterator[FreshDatabase]:
    """A factory of databases for this test alone, empty or copied from a template by name."""
    made: list[str] = []

    def make(template: str | None = None) -> Database:
        name = f"hotdice_{worker_id}_{os.getpid()}_{next(_database_numbers)}"
        postgres_server.create_database(name, template)
        made.append(name)
        return Database(name, postgres_server.owner_url(name), postgres_server.app_url(name))

    yield make
    for name in made:
        postgres_server.drop_database(name)
