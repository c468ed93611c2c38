"""The rig keeps its promises: real servers, two roles, data that survives a kill, nothing left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import redis.asyncio

from tests.conftest import Database, FreshDatabase
from tests.servers.hotdice import ROOT
from tests.servers.postgres import APP, OWNER, PostgresServer
from tests.servers.process import ServerDidNotStart
from tests.servers.reaper import is_running
from tests.servers.redis import RedisServer


async def run(url: str, *statements: str) -> Any:
    """The first value of the last statement's answer."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        *first, last = statements
        for statement in first:
            await connection.execute(statement)
        return await connection.fetchval(last)
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[PostgresServer]:
    server = PostgresServer.launch()
    yield server
    server.stop("immediate")


async def test_both_roles_log_in_as_themselves(fresh_database: FreshDatabase) -> None:
    database = fresh_database()
    assert await run(database.owner_url, "SELECT current_user") == OWNER
    assert await run(database.app_url, "SELECT current_user") == APP


async def test_the_app_role_may_only_what_it_was_granted(fresh_database: FreshDatabase) -> None:
    database = fresh_database()
    await run(database.owner_url, "CREATE TABLE log (n int)", "SELECT 1")
    for forbidden in ("CREATE TABLE mine (n int)", "SELECT count(*) FROM log", "DROP TABLE log"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await run(database.app_url, forbidden)
    await run(database.owner_url, f"GRANT SELECT ON log TO {APP}", "SELECT 1")
    assert await run(database.app_url, "SELECT count(*) FROM log") == 0


async def test_a_database_can_be_copied_from_a_template(fresh_database: FreshDatabase) -> None:
    template = fresh_database()
    await run(template.owner_url, "CREATE TABLE log AS SELECT 7 AS n", "SELECT 1")
    assert await run(fresh_database(template.name).owner_url, "SELECT n FROM log") == 7


async def test_the_workers_database_is_there(worker_database: Database) -> None:
    assert await run(worker_database.app_url, "SELECT current_database()") == worker_database.name


def test_the_shared_server_cannot_be_stopped_by_a_second_holder() -> None:
    PostgresServer.shared()
    second = PostgresServer.shared()
    with pytest.raises(ServerDidNotStart):
        second.kill()


async def test_data_survives_a_kill_and_a_restart(own_postgres: PostgresServer) -> None:
    own_postgres.create_database("killed")
    url = own_postgres.owner_url("killed")
    assert await run(url, "SHOW fsync") == "on"
    await run(url, "CREATE TABLE log (n int)", "INSERT INTO log VALUES (42)", "SELECT 1")

    own_postgres.kill()
    with pytest.raises(OSError, match="Connect call failed"):
        await run(url, "SELECT 1")

    own_postgres.start()
    assert await run(url, "SELECT n FROM log") == 42


@pytest.mark.parametrize("mode", ["smart", "fast", "immediate"])
async def test_it_stops_and_starts_on_the_same_port(
    own_postgres: PostgresServer, mode: str
) -> None:
    own_postgres.stop(mode)
    own_postgres.start()
    assert own_postgres.sql("SELECT 1") == "1"


async def test_redis_answers_and_starts_again_after_a_kill() -> None:
    server = RedisServer.launch()
    async with redis.asyncio.Redis.from_url(server.url) as client:
        assert await client.set("key", "value")
    server.kill()
    server.start()
    async with redis.asyncio.Redis.from_url(server.url) as client:
        assert await client.get("key") is None
    server.stop()


async def test_the_workers_redis_answers(redis_server: RedisServer) -> None:
    async with redis.asyncio.Redis.from_url(redis_server.url) as client:
        assert await client.echo("hello") == b"hello"


ORPHAN_MAKER = """
import time
from tests.servers.redis import RedisServer
server = RedisServer.launch()
print(server._process.pid, server._folder.parent, flush=True)
time.sleep(60)
"""


def test_servers_end_with_a_run_that_is_killed() -> None:
    env = {k: v for k, v in os.environ.items() if k != "HOTDICE_TEST_RUN_FOLDER"}
    with subprocess.Popen(
        [sys.executable, "-c", ORPHAN_MAKER], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
    ) as maker:
        assert maker.stdout is not None
        pid, folder = maker.stdout.readline().split()
        assert is_running(int(pid))
        maker.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while (is_running(int(pid)) or Path(folder).exists()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(int(pid))
    assert not Path(folder).exists()
