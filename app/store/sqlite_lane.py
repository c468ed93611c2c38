"""
SQLite's lane: one connection, and a thread for what may take long.

What a batch of commands writes is handed to SQLite in the loop itself: it goes to pages in memory,
some 10 µs a row. From a thread each row would take the interpreter from the loop and give it back,
which costs more than the row. What waits goes to the thread: the commit, which writes the pages and
has them on the disk before it returns, now and then with a checkpoint; reading what is not at hand;
and the turn of another process that is writing.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from app.store.faults import LostRace
from app.store.lanes import Asked, Query, Rows, Writes

T = TypeVar("T")
BUSY_MS = 5_000
"""How long the end of another process' transaction is waited for."""


class SqliteLane:
    def __init__(self, thread: _Worker, driver: sqlite3.Connection) -> None:
        self._thread = thread
        self._driver = driver
        self.is_fresh = True
        self.is_broken = False

    @classmethod
    async def open(cls, path: str, pragmas: dict[str, str]) -> SqliteLane:
        def connect() -> sqlite3.Connection:
            driver = sqlite3.connect(
                path, isolation_level=None, cached_statements=256, check_same_thread=False
            )
            for name, value in pragmas.items():
                driver.execute(f"PRAGMA {name}={value}").fetchall()
            return driver

        thread = _Worker()
        try:
            driver = await thread.do(connect)
        except BaseException:
            thread.end()
            raise
        return cls(thread, driver)

    async def fetch(self, query: Query, values: tuple[Any, ...]) -> Rows:
        return await self._thread.do(lambda: self._driver.execute(query.text, values).fetchall())

    async def ask(self, asked: Sequence[Asked]) -> list[Rows]:
        return self._asked(asked)

    async def begin(self, asked: Sequence[Asked]) -> list[Rows]:
        def work() -> list[Rows]:
            self._begin_in_turn()
            return self._asked(asked)

        return await self._thread.do(work)

    def _asked(self, asked: Sequence[Asked]) -> list[Rows]:
        return [self._driver.execute(query.text, values).fetchall() for query, values in asked]

    async def commit(self, writes: Writes) -> None:
        def work() -> None:
            self._write(writes)
            self._commit()

        await self._thread.do(work)

    async def commit_alone(self, writes: Writes) -> None:
        if not any(rows for _, rows in writes):
            return
        if self._begin_at_once():
            self._write(writes)
            await self._thread.do(self._commit)
            return

        def work() -> None:
            # In one go: where others write too, nobody holds them up until its loop has time.
            self._begin_in_turn()
            self._write(writes)
            self._commit()

        await self._thread.do(work)

    def _begin_at_once(self) -> bool:
        """False where another process is writing."""
        try:
            self._driver.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

    def _begin_in_turn(self) -> None:
        """Waits for whoever is writing. Raises: sqlite3.OperationalError, after `BUSY_MS`."""
        if self._begin_at_once():
            return
        self._driver.execute(f"PRAGMA busy_timeout={BUSY_MS}").fetchall()
        try:
            self._driver.execute("BEGIN IMMEDIATE")
        finally:
            self._driver.execute("PRAGMA busy_timeout=0").fetchall()

    def _write(self, writes: Writes) -> None:
        for write, rows in writes:
            if rows:
                done = self._driver.executemany(write.sqlite, rows)
                if write.guarded and done.rowcount != len(rows):
                    raise LostRace()

    def _commit(self) -> None:
        self._driver.execute("COMMIT")

    async def rollback(self) -> None:
        def work() -> None:
            if self._driver.in_transaction:
                self._driver.execute("ROLLBACK")

        await self._thread.do(work)

    async def close(self) -> None:
        await self._thread.do(self._driver.close)
        self._thread.end()


class _Worker:
    """A thread that does one thing after another; what comes of each is told to the loop."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="hotdice-sqlite", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def told() -> None:
            try:
                tell = partial(_give, done, work())
            except BaseException as error:
                tell = partial(_fail, done, error)
            with suppress(RuntimeError):  # the loop has gone, and nobody waits
                loop.call_soon_threadsafe(tell)

        self._asked.put(told)
        return done

    def end(self) -> None:
        """Returns when what was asked for is done."""
        self._asked.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            asked()
            del asked  # what it holds is not to wait for the next


def _give(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
