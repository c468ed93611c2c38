"""Databases, processes, disks, buses that fail under load: nothing is lost, doubled or halved."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from app.store.schema import migrate
from tests.faults.disk import DISKS
from tests.faults.figures import Figures, share, show
from tests.faults.load import Load, load_on
from tests.faults.news import News
from tests.live.server import Live
from tests.servers.cluster import processes
from tests.servers.postgres import APP, PostgresServer
from tests.servers.redis import RedisServer

TABLES = 8
TEMPLATE, DATABASE = "hotdice_template", "hotdice_faults"
COMES_BACK = {"store_unavailable", "overloaded"}
"""What a command is refused with while its database is away."""

Round = Callable[[int], Awaitable[None]]


def rounds(few: int, many: int) -> pytest.MarkDecorator:
    """The size of `make faults`, and that of `make soak`."""
    return pytest.mark.parametrize(
        "times",
        [
            pytest.param(few, marks=pytest.mark.faults),
            pytest.param(many, marks=[pytest.mark.soak, pytest.mark.timeout(1_800)]),
        ],
    )


@pytest.fixture(scope="module")
async def own_postgres() -> AsyncIterator[PostgresServer]:
    """One that may be killed, and writes to the disk what it says it does."""
    server = PostgresServer.launch()
    server.create_database(TEMPLATE)
    await migrate(server.owner_url(TEMPLATE), APP)
    yield server
    server.stop("immediate")


@pytest.fixture
def url(own_postgres: PostgresServer) -> str:
    """A new database in it, as the role that plays."""
    own_postgres.drop_database(DATABASE)
    own_postgres.create_database(DATABASE, TEMPLATE)
    return own_postgres.app_url(DATABASE)


@pytest.fixture
def pair(url: str) -> Iterator[list[Live]]:
    with processes(Live, url) as servers:
        yield servers


async def _befall(load: Load, times: int, trouble: Round) -> list[float]:
    """So many troubles, each when all tables play again; how long that took them."""
    recoveries = []
    for number in range(times):
        await asyncio.sleep(0.5 + 0.5 * load.tables[0].chance.random())
        await trouble(number)
        recoveries.append(await load.recovered(time.monotonic()))
    return recoveries


@rounds(4, 20)
@pytest.mark.parametrize("how", ["kill -9", "immediate"])
async def test_a_postgres_that_dies(
    own_postgres: PostgresServer,
    pair: list[Live],
    url: str,
    times: int,
    how: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def dies(_: int) -> None:
        if how == "immediate":
            await asyncio.to_thread(own_postgres.stop, how)
        else:
            await asyncio.to_thread(own_postgres.kill)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(own_postgres.start)

    async with load_on(pair, TABLES, seed=times) as load:
        recoveries = await _befall(load, times, dies)
    await load.proved(url)
    show(capsys, Figures(f"Postgres, {how}", times, recoveries, load))
    assert set(load.away()) <= COMES_BACK


@rounds(4, 20)
async def test_a_postgres_that_stands_still(
    own_postgres: PostgresServer,
    pair: list[Live],
    url: str,
    times: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def stands_still(_: int) -> None:
        own_postgres.pause()
        await asyncio.sleep(3)
        own_postgres.resume()

    async with load_on(pair, TABLES, seed=times) as load:
        recoveries = await _befall(load, times, stands_still)
    await load.proved(url)
    show(capsys, Figures("Postgres, SIGSTOP for 3 s", times, recoveries, load))
    assert set(load.away()) <= COMES_BACK


@rounds(4, 20)
async def test_a_process_that_stands_still(
    pair: list[Live], url: str, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other one plays on meanwhile."""
    beside = []

    async def stands_still(number: int) -> None:
        process, began = pair[number % 2].process, time.monotonic()
        process.pause()
        await asyncio.sleep(3)
        beside.append(len(load.answered(began)))
        process.resume()

    async with load_on(pair, TABLES, seed=times) as load:
        recoveries = await _befall(load, times, stands_still)
    await load.proved(url)
    more = f"at least {min(beside)} commands at the other process meanwhile"
    show(capsys, Figures("a process, SIGSTOP for 3 s", times, recoveries, load, more))
    assert min(beside) > 0


@rounds(4, 20)
async def test_a_process_that_is_killed(
    pair: list[Live], url: str, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async def dies(number: int) -> None:
        server = pair[number % 2]
        server.kill()
        await asyncio.to_thread(server.start)

    async with load_on(pair, TABLES, seed=times) as load:
        recoveries = await _befall(load, times, dies)
    await load.proved(url)
    show(capsys, Figures("one of two processes, kill -9", times, recoveries, load))


@rounds(4, 40)
@pytest.mark.parametrize("kind", DISKS)
async def test_a_full_disk(
    tmp_path: Path, kind: str, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with DISKS[kind](tmp_path / "disk") as disk:
        url = f"sqlite+aiosqlite:///{disk.folder / 'hotdice.db'}"

        async def is_full(_: int) -> None:
            before = load.away()["store_unavailable"]
            disk.fill(server)
            try:
                async with asyncio.timeout(30):
                    while load.away()["store_unavailable"] < before + TABLES:  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
                game = load.tables[0].game
                assert game is not None
                found = await load.tables[0].player.ask("GET", f"/v1/games/{game['id']}")
                assert found.ok  # what is there can be read
            finally:
                disk.clear(server)

        with processes(Live, url, folders=[None]) as [server]:
            async with load_on([server], TABLES, seed=times) as load:
                recoveries = await _befall(load, times, is_full)
            await load.proved(url)
            show(capsys, Figures(f"full disk, SQLite ({kind})", times, recoveries, load))
    assert set(load.away()) == {"store_unavailable"}


@rounds(2, 5)
async def test_a_bus_that_is_away(url: str, times: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Commands go on as fast; news at the other process is late by a second at most."""
    redis = RedisServer.launch()
    away_s = 8 if times < 5 else 60
    usual: list[float] = []
    meanwhile: list[float] = []

    async def is_away(number: int) -> None:
        began = time.monotonic()
        await asyncio.sleep(away_s / 2)
        usual.extend(load.answered(began))
        began = time.monotonic()
        await asyncio.to_thread(redis.kill if number % 2 else redis.stop)
        news.outage(began, began + away_s)
        await asyncio.sleep(away_s)
        meanwhile.extend(load.answered(began))
        await asyncio.to_thread(redis.start)

    with processes(Live, url, redis.url) as servers:
        async with load_on(servers, TABLES, seed=times) as load, News.of(load) as news:
            recoveries = await _befall(load, times, is_away)
        await load.proved(url)
    redis.stop()
    news.proved()
    more = (
        f"p99 of a command {share(sorted(usual), 0.99):.0f} ms, meanwhile "
        f"{share(sorted(meanwhile), 0.99):.0f} ms; news there after {news.latest():.1f} s at most"
    )
    show(capsys, Figures(f"Redis away for {away_s} s", times, recoveries, load, more))
    assert not load.away()
