"""Buses that tests may break: a Redis of their own, or the connections to the run's Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack

import pytest

from app.store.schema import migrate
from tests.cluster.buses import Bus, PostgresBus, RedisBus
from tests.cluster.pairs import Pair, Pairs
from tests.conftest import FreshDatabase
from tests.live.server import healthy
from tests.servers.postgres import APP, PostgresServer
from tests.servers.redis import RedisServer

BUSES = ("redis", "postgres")


@pytest.fixture(scope="session")
def own_redis() -> Iterator[RedisServer]:
    """One that may be killed; whoever does starts it again."""
    server = RedisServer.launch()
    yield server
    server.stop()


@pytest.fixture(scope="session")
async def cluster_template(postgres_server: PostgresServer, worker_id: str) -> AsyncIterator[str]:
    """Name of a database at the newest revision, to copy."""
    name = f"hotdice_cluster_{worker_id}"
    postgres_server.drop_database(name)
    postgres_server.create_database(name)
    await migrate(postgres_server.owner_url(name), APP)
    yield name
    postgres_server.drop_database(name)


@pytest.fixture
def own_redis_bus(own_redis: RedisServer) -> RedisBus:
    """For what needs no database."""
    own_redis.start()
    return RedisBus("", own_redis)


@pytest.fixture(params=BUSES)
def bus(
    request: pytest.FixtureRequest,
    postgres_server: PostgresServer,
    cluster_template: str,
    fresh_database: FreshDatabase,
) -> Bus:
    """A database of one's own, and each bus over it."""
    database = fresh_database(cluster_template)
    if request.param == "postgres":
        return PostgresBus(database.app_url, postgres_server, database.name)
    redis: RedisServer = request.getfixturevalue("own_redis")
    redis.start()
    return RedisBus(database.app_url, redis)


@pytest.fixture(scope="session")
def _pairs(
    postgres_server: PostgresServer, cluster_template: str, worker_id: str
) -> Iterator[Pairs]:
    name = f"hotdice_pair_{worker_id}"
    postgres_server.drop_database(name)
    postgres_server.create_database(name, cluster_template)
    with ExitStack() as stack:
        yield Pairs(stack, postgres_server, name)
    postgres_server.drop_database(name)


@pytest.fixture(params=BUSES)
def pair(request: pytest.FixtureRequest, _pairs: Pairs) -> Iterator[Pair]:
    """Two processes over one database, shared by the tests of a worker; the bus may be broken."""
    if request.param == "redis":
        request.getfixturevalue("own_redis").start()
    found = _pairs.over(request.param, lambda: request.getfixturevalue("own_redis"))
    yield found
    healthy(found.one)
    healthy(found.other)
