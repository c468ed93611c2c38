"""
Connections: one engine that writes and one that reads, to SQLite or Postgres.

SQLite has one writing connection, whose transactions begin as `BEGIN IMMEDIATE`: a transaction that
starts by reading and then writes fails at once when another one wrote in between, whatever the busy
timeout says. Readers see the last commit and never wait for it. Acknowledged means stored:
`synchronous=FULL`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import URL, Connection, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from app.store.bulk import Dialect
from app.store.faults import as_app_error
from app.store.lanes import Lanes, PostgresLane
from app.store.sqlite_lane import SqliteLane

T = TypeVar("T")
P = ParamSpec("P")

POOL_TIMEOUT_S = 2.0
"""Past this, more waiting helps nobody: the caller is told to come back."""
CONNECT_TIMEOUT_S = 5.0
COMMAND_TIMEOUT_S = 10.0
"""Longer than the server's own limit: for a server that no longer answers at all."""
POSTGRES_SETTINGS = {
    "application_name": "hotdice",
    "statement_timeout": "5000",
    "lock_timeout": "2000",
    "idle_in_transaction_session_timeout": "10000",
    # Else the server runs on for clients that have gone.
    "client_connection_check_interval": "500",
    "jit": "off",
}
SQLITE_PRAGMAS = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "busy_timeout": "5000",
    # In pages. The default of 1 000 checkpoints so often that every hundredth command waits for it.
    "wal_autocheckpoint": "20000",
}
_AT_ONE_MOMENT = {
    "sqlite": "BEGIN",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ",
}
SQLITE_READERS = 2
"""Each is a thread, in the lanes and beside them."""
SPARE = 2
"""Postgres connections, of either kind, for statements that no command waits for."""


class UnfitDatabase(ValueError):
    """The address names no database this server can use; one sentence says why."""


def database_url(url: str | URL) -> URL:
    """
    The address with its async driver: bare `sqlite:///file` and `postgresql://` are filled in.

    Raises: UnfitDatabase.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        # Without its text: that would hold the password.
        raise UnfitDatabase("The database address cannot be read.") from None
    if address.drivername in ("sqlite", "sqlite+aiosqlite"):
        file, mode = address.database or ":memory:", address.query.get("mode")
        if ":memory:" in file or mode == "memory":
            raise UnfitDatabase("SQLite needs a file: a database in memory is one connection's.")
        return address.set(drivername="sqlite+aiosqlite")
    if address.drivername in ("postgres", "postgresql", "postgresql+asyncpg"):
        return address.set(drivername="postgresql+asyncpg")
    raise UnfitDatabase(f"No support for {address.drivername}: use sqlite or postgresql.")


def check_file(url: str | URL) -> None:
    """
    Said before a connection is tried, whose thread would speak of it after the loop has gone.

    Raises: UnfitDatabase, where SQLite can neither open nor make its file.
    """
    address = database_url(url)
    if address.get_backend_name() == "sqlite":
        try:
            sqlite3.connect(str(address.database)).close()
        except sqlite3.Error:
            raise UnfitDatabase(
                "SQLite cannot open its file: is its folder there, and may this server write in it?"
            ) from None


class Database:
    """Both engines of one database. They connect when first used."""

    def __init__(
        self,
        dialect: Dialect,
        writer: AsyncEngine,
        reader: AsyncEngine,
        writing_lanes: Lanes,
        reading_lanes: Lanes,
    ) -> None:
        self.dialect: Dialect = dialect
        self.writer = writer
        self.reader = reader
        self.writing_lanes = writing_lanes
        self.reading_lanes = reading_lanes
        self._running: set[asyncio.Task[Any]] = set()

    async def to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """
        Runs work that writes in a task of its own, which a cancelled caller does not end.

        Not only for the sake of what is half-done: SQLite's lock outlives a connection that is
        closed while a cancelled statement still lies about, until the garbage collector comes.
        """
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # seen, also when its caller has gone

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """
        A connection on which each statement stands for itself.

        Raises: StoreUnavailable, Overloaded.
        """
        try:
            async with self.reader.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise as_app_error(error) from error

    @asynccontextmanager
    async def at_one_moment(self) -> AsyncIterator[AsyncConnection]:
        """
        A connection all of whose statements see what was committed at one moment.

        Raises: StoreUnavailable, Overloaded.
        """
        async with self.reading() as connection:
            await connection.exec_driver_sql(_AT_ONE_MOMENT[self.dialect])
            try:
                yield connection
            except BaseException:
                await connection.invalidate()  # nobody else shall find it in a transaction
                raise
            await connection.exec_driver_sql("ROLLBACK")

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """
        A transaction, committed at the end unless an exception leaves it.

        Raises: StoreUnavailable, Overloaded.
        """
        # SQLite has one writer: waiting for one's turn is fairer than its busy timeout.
        turn = self.writing_lanes.turn() if self.dialect == "sqlite" else nullcontext()
        try:
            async with turn, self.writer.begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise as_app_error(error) from error

    async def ping(self) -> None:
        """Raises: StoreUnavailable, Overloaded."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    async def dispose(self) -> None:
        """Let running writes end, close every connection, and end SQLite's threads."""
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.writing_lanes.close()
        await self.reading_lanes.close()
        await self.writer.dispose()
        await self.reader.dispose()


class _OnDatabase(Protocol):
    _database: Database


S = TypeVar("S", bound=_OnDatabase)


def to_the_end(
    method: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """For methods that write: a cancelled caller does not cut them short."""

    @wraps(method)
    async def run(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.to_the_end(method(self, *args, **kwargs))

    return run


def open_existing(url: str) -> Database:
    """
    As `open_database`, for who only wants what is there: SQLite would make its file.

    Raises: UnfitDatabase, where that is not there.
    """
    address = database_url(url)
    file = address.database or ""
    if address.get_backend_name() == "sqlite" and not Path(file).is_file():
        raise UnfitDatabase(
            f"There is no database {file} here: HOTDICE_DATABASE_URL names another, "
            "`hotdice migrate` makes it."
        )
    return open_database(url)


def open_database(url: str | URL, *, writers: int = 4, readers: int = 4) -> Database:
    """
    The database at this address, not yet connected to.

    Args:
        writers, readers: connections for the requests of this process, on Postgres; as many again
            as `SPARE` serve what is rare.
    Raises: UnfitDatabase.
    """
    address = database_url(url)
    if address.get_backend_name() == "sqlite":
        path = str(address.database)

        def lanes(size: int, **more: str) -> Lanes:
            pragmas = SQLITE_PRAGMAS | more
            return Lanes(size, POOL_TIMEOUT_S, lambda: SqliteLane.open(path, pragmas))

        return Database(
            "sqlite",
            _sqlite(address, 1),
            _sqlite(address, SQLITE_READERS, read_only=True),
            lanes(1, busy_timeout="0"),
            lanes(SQLITE_READERS, query_only="ON"),
        )
    writer = _postgres(address, writers + SPARE)
    reader = _postgres(address, readers + SPARE, read_only=True)
    return Database(
        "postgresql",
        writer,
        reader,
        Lanes(writers, POOL_TIMEOUT_S, lambda: PostgresLane.open(writer)),
        Lanes(readers, POOL_TIMEOUT_S, lambda: PostgresLane.open(reader)),
    )


def _engine(address: URL, size: int, read_only: bool, **options: Any) -> AsyncEngine:
    if read_only:
        # No transaction around a single statement, so none to roll back either.
        options |= {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
    return create_async_engine(
        address,
        pool_size=size,
        max_overflow=0,
        pool_timeout=POOL_TIMEOUT_S,
        # Parameters are people's names, tokens' hashes and seeds: not for logs.
        hide_parameters=True,
        **options,
    )


def _postgres(address: URL, size: int, *, read_only: bool = False) -> AsyncEngine:
    settings = POSTGRES_SETTINGS | ({"default_transaction_read_only": "on"} if read_only else {})
    return _engine(
        address,
        size,
        read_only,
        pool_pre_ping=True,
        connect_args={
            "timeout": CONNECT_TIMEOUT_S,
            "command_timeout": COMMAND_TIMEOUT_S,
            "server_settings": settings,
        },
    )


def _sqlite(address: URL, size: int, *, read_only: bool = False) -> AsyncEngine:
    # isolation_level None: the driver begins nothing by itself.
    engine = _engine(address, size, read_only, connect_args={"isolation_level": None})

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        for name, value in SQLITE_PRAGMAS.items():
            cursor.execute(f"PRAGMA {name}={value}")
        if read_only:
            cursor.execute("PRAGMA query_only=ON")
        cursor.close()

    if not read_only:

        @event.listens_for(engine.sync_engine, "begin")
        def begun(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
