"""The contract on a real SQLite file, and what only SQLite needs."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.store.database import (
    SQLITE_READERS,
    Database,
    UnfitDatabase,
    check_file,
    open_database,
)
from app.store.queries import SqlEventStore
from app.store.sqlite_lane import BUSY_MS
from tests.store import orders
from tests.store.contract import Contract
from tests.store.kept_contract import moves, running, watched
from tests.store.orders import StoppedClock, a_column, done, journal, new_id, open_lobby, play


class TestSqlite(Contract):
    @pytest.fixture
    def url(self, sqlite_url: str) -> str:
        return sqlite_url

    async def test_every_connection_has_its_pragmas(self, database: Database) -> None:
        async def check(engine: AsyncEngine, number: int, query_only: int) -> None:
            async with AsyncExitStack() as stack:
                for _ in range(number):
                    connection = await stack.enter_async_context(engine.connect())
                    found = {
                        name: (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar()
                        for name in (
                            *("journal_mode", "synchronous", "foreign_keys", "busy_timeout"),
                            *("wal_autocheckpoint", "query_only"),
                        )
                    }
                    assert found == {
                        "journal_mode": "wal",
                        "synchronous": 2,  # FULL
                        "foreign_keys": 1,
                        "busy_timeout": 5000,
                        "wal_autocheckpoint": 20000,
                        "query_only": query_only,
                    }

        await check(database.writer, 1, 0)
        await check(database.reader, SQLITE_READERS, 1)

    async def test_what_fails_after_its_caller_has_gone_is_no_noise(
        self, database: Database
    ) -> None:
        """An unseen exception is logged when the collector comes by, in the midst of anything."""
        noise: list[object] = []
        loop, cut = asyncio.get_running_loop(), asyncio.Event()
        loop.set_exception_handler(lambda _, context: noise.append(context))

        async def work() -> None:
            await cut.wait()
            raise ValueError("too late for anybody")

        try:
            caller = asyncio.create_task(database.to_the_end(work()))
            await asyncio.sleep(0)
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            cut.set()
            for _ in range(3):
                await asyncio.sleep(0)
            del caller
            gc.collect()
        finally:
            loop.set_exception_handler(None)
        assert noise == []

    async def test_nothing_is_left_running_once_disposed(self, url: str) -> None:
        before = set(threading.enumerate())
        for _ in range(3):
            database = open_database(url)
            store = SqlEventStore(database, StoppedClock())
            game_id = await open_lobby(store)
            await asyncio.gather(*(store.head(game_id) for _ in range(8)))
            await database.dispose()
        assert set(threading.enumerate()) <= before

    @pytest.mark.parametrize("table", ["events", "seeds", "operator_calls", "purse_journal"])
    @pytest.mark.parametrize("deed", ["DELETE FROM {}", "UPDATE {} SET {} = 'x'"])
    async def test_logs_and_journals_are_append_only(
        self, store: SqlEventStore, database: Database, table: str, deed: str
    ) -> None:
        await open_lobby(store)
        await journal(database)
        with pytest.raises(IntegrityError, match="append-only"):
            async with database.writer.begin() as connection:
                await connection.execute(text(deed.format(table, a_column(table))))

    async def test_readers_do_not_wait_for_the_writer(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id = await open_lobby(store)
        async with database.writer.begin() as connection:
            await connection.execute(text("UPDATE games SET version = 77"))
            head = await asyncio.wait_for(store.head(game_id), 1)
            assert head is not None
            assert head.version == 1
            await connection.rollback()
        await play(store, orders.joins(game_id, new_id(), expected=1))

    async def test_the_loop_runs_on_while_another_process_writes(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id = await running(store)
        ways = await watched(database)
        path, goes_on = str(database.writer.url.database), threading.Event()
        writes = threading.Event()

        def another() -> bool:
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                writes.set()
                heard = goes_on.wait(BUSY_MS / 1000 - 1)
                other.execute("COMMIT")
            return heard

        heard = asyncio.create_task(asyncio.to_thread(another))
        await asyncio.to_thread(writes.wait)
        waits = asyncio.create_task(store.append([moves(game_id)]))
        for _ in range(3):
            head = await store.head(game_id)
            assert head is not None
            assert head.version == 2
        assert not waits.done()
        goes_on.set()
        assert await heard, "the loop stood still until the other had given up waiting for it"
        [outcome] = await waits
        assert done(outcome).head.version == 3
        assert ways == ["at hand"], "it has waited its turn, and lost no race"
        await play(store, moves(game_id))
        assert ways == ["at hand"] * 2


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite+aiosqlite:///file::memory:?cache=shared&uri=true",
        "sqlite:///file:x?mode=memory&uri=true",
        "mysql://localhost/x",
        "postgresql+psycopg://localhost/x",
        "no address",
    ],
)
def test_an_address_that_cannot_hold_games_is_refused(url: str) -> None:
    with pytest.raises(UnfitDatabase):
        open_database(url)


def test_a_file_that_cannot_be_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "hotdice.db"):
        with pytest.raises(UnfitDatabase, match="cannot open its file"):
            check_file(f"sqlite+aiosqlite:///{path}")
    check_file(f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}")
    check_file("postgresql+asyncpg://me:pass@host/db")
