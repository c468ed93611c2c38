"""Clients that vanish in the middle of a request."""

from __future__ import annotations

import asyncio

import pytest

from tests.live.history import History
from tests.live.load import Table, exported, tables_of
from tests.live.player import gathered
from tests.live.server import Live, healthy
from tests.live.wire import Line
from tests.servers.postgres import APP, PostgresServer

POOL = 8
"""Connections to Postgres that write and that read."""
MORE = 5
TABLES = 10


class CutTable(Table):
    """Cuts each command's first connection at a random moment."""

    async def vanish(self) -> None:
        command = self._next()
        self.pending = command
        line = await Line.open(self.player.port)
        moment = self.chance.random()
        whole = len(command.raw)
        # A tenth does not even send everything; the others leave within the time of an answer.
        line.write(command.raw[: whole if moment > 0.1 else int(whole * 10 * moment)])
        await asyncio.sleep(0.04 * self.chance.random() ** 2)
        line.cut()
        command.answers.append(None)


async def _cut(table: CutTable, times: int) -> None:
    for _ in range(times):
        await table.vanish()
        await table.settle()


async def _prove(server: Live, cuts: int, seed: int) -> None:
    history = History()
    async with tables_of(server.port, TABLES, history, seed, CutTable) as tables:
        await gathered(*(_cut(table, 2) for table in tables))
        files = server.open_files()
        await gathered(*(_cut(table, cuts // TABLES) for table in tables))
    await asyncio.sleep(0.2)
    assert server.open_files() <= files + MORE
    history.check(await exported(history, server.port))
    assert all(command.was_unknown for command in history.sent)
    healthy(server)


def _counted(postgres: PostgresServer, database: str) -> tuple[int, int, int]:
    """Of the server's connections: open now, idle in a transaction, ever opened."""
    mine = f"pg_stat_activity WHERE usename = '{APP}' AND datname = '{database}'"
    now = postgres.sql(f"SELECT count(*) FROM {mine}")
    stuck = postgres.sql(f"SELECT count(*) FROM {mine} AND state LIKE 'idle in transaction%'")
    ever = postgres.sql(f"SELECT sessions FROM pg_stat_database WHERE datname = '{database}'")
    return int(now), int(stuck), int(ever)


async def _prove_on(url: str, cuts: int, request: pytest.FixtureRequest) -> None:
    with Live(url) as server:
        assert isinstance(server, Live)
        await _prove(server, cuts, seed=cuts)
        if url.startswith("postgresql"):
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            now, stuck, ever = _counted(postgres, url.rpartition("/")[2])
            assert stuck == 0
            assert now <= POOL + MORE
            assert ever <= POOL + MORE


@pytest.mark.wide
async def test_a_cut_request_leaves_nothing_behind(
    fresh_url: str, request: pytest.FixtureRequest
) -> None:
    await _prove_on(fresh_url, 500, request)


@pytest.mark.soak
async def test_2000_cut_requests_leave_nothing_behind(
    fresh_url: str, request: pytest.FixtureRequest
) -> None:
    await _prove_on(fresh_url, 2_000, request)
