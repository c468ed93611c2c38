"""
The drivers without SQLAlchemy in between, for what every request runs.

Measured: a statement costs 19 µs on asyncpg and 17 µs in a thread with SQLite, and 110 to 130 µs
through SQLAlchemy's async layer. So the statements of a command are compiled by SQLAlchemy once and
run by the driver: on Postgres on connections that SQLAlchemy's engine opens, on SQLite as
`app.store.sqlite_lane` says. A lane is one such connection.

A lane that broke while idle is found by its first statement: nothing has been written then, so a
fresh one takes over. That saves a ping before each use.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, lru_cache
from typing import Any, Protocol

from sqlalchemy import Executable
from sqlalchemy.dialects import registry
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.errors import Overloaded
from app.store.bulk import Write, as_columns
from app.store.faults import Fault, LostRace, as_app_error, fault_of

Rows = Sequence[Sequence[Any]]
Writes = Sequence[tuple[Write, list[tuple[Any, ...]]]]
_DRIVERS = {"postgresql": "asyncpg", "sqlite": "aiosqlite"}


@cache
def _dialect(name: str) -> Any:
    """Loaded when it is used: a server has one database, and the other's driver takes 5 MiB."""
    return registry.load(f"{name}.{_DRIVERS[name]}")()


class Query:
    """A statement, compiled once; its parameters go by name."""

    def __init__(self, dialect: str, statement: Executable) -> None:
        compiled = statement.compile(dialect=_dialect(dialect))  # type: ignore[attr-defined]
        self.text: str = str(compiled)
        self._names: tuple[str, ...] = tuple(compiled.positiontup)
        self._fixed: dict[str, Any] = compiled.params

    def bind(self, **values: Any) -> tuple[Any, ...]:
        named = {**self._fixed, **values}
        return tuple([named[name] for name in self._names])


Asked = tuple[Query, tuple[Any, ...]]
"""A query and what `bind` made of its parameters."""


class Lane(Protocol):
    """One connection. A transaction is `begin`, any number of `fetch`, then one of the last two."""

    is_fresh: bool
    """It has not been used yet, so it cannot have broken since."""

    @property
    def is_broken(self) -> bool:
        """Known to be; asks nobody."""
        ...

    async def fetch(self, query: Query, values: tuple[Any, ...]) -> Rows: ...

    async def ask(self, asked: Sequence[Asked]) -> list[Rows]:
        """The rows of each query, outside of a transaction; of few rows, found by their keys."""
        ...

    async def begin(self, asked: Sequence[Asked]) -> list[Rows]:
        """Begin, and the rows of each query."""
        ...

    async def commit(self, writes: Writes) -> None:
        """Write and commit. Raises: LostRace, when a guarded row moved; then nothing is written."""
        ...

    async def commit_alone(self, writes: Writes) -> None:
        """A transaction of these writes alone. Raises: as `commit`."""
        ...

    async def rollback(self) -> None: ...

    async def close(self) -> None: ...


class PostgresLane:
    def __init__(self, connection: AsyncConnection, driver: Any) -> None:
        self._connection = connection
        self._driver = driver
        self.is_fresh = True

    @property
    def is_broken(self) -> bool:
        broken: bool = self._driver.is_closed()
        return broken

    @classmethod
    async def open(cls, engine: AsyncEngine) -> PostgresLane:
        connection = await engine.connect()
        return cls(connection, (await connection.get_raw_connection()).driver_connection)

    async def fetch(self, query: Query, values: tuple[Any, ...]) -> Rows:
        rows: Rows = await self._driver.fetch(query.text, *values)
        return rows

    async def ask(self, asked: Sequence[Asked]) -> list[Rows]:
        return [await self.fetch(query, values) for query, values in asked]

    async def begin(self, asked: Sequence[Asked]) -> list[Rows]:
        await self._driver.execute("BEGIN")
        return await self.ask(asked)

    async def commit(self, writes: Writes) -> None:
        written = [(write, rows) for write, rows in writes if rows]
        if written:
            text, values = _statement(written)
            straight = await self._driver.fetchval(text, *values)
            if straight != sum(len(rows) for write, rows in written if write.guarded):
                raise LostRace()
        await self._driver.execute("COMMIT")

    async def commit_alone(self, writes: Writes) -> None:
        written = [(write, rows) for write, rows in writes if rows]
        if not written:
            return
        guarded = sum(len(rows) for write, rows in written if write.guarded)
        try:
            # One statement is a transaction by itself; it fails as a whole where a guard does.
            text, values = _statement(written, guards=True)
            await self._driver.fetchval(text, *values, guarded)
        except Exception as error:
            if getattr(error, "sqlstate", None) == _GUARD_FAILED:
                raise LostRace() from None
            raise

    async def rollback(self) -> None:
        if self._driver.is_in_transaction():
            await self._driver.execute("ROLLBACK")
        elif self._driver.is_closed():
            raise ConnectionResetError("the server closed the connection")

    async def close(self) -> None:
        if self._driver.is_closed():
            await self._connection.invalidate()
        await self._connection.close()


_GUARD_FAILED = "22012"  # division_by_zero


FEW = 3
"""Rows that go value by value: beyond, arrays need fewer statements, and cost less."""


def _statement(written: Writes, guards: bool = False) -> tuple[str, list[Any]]:
    """What `_together` makes of these, and its parameters."""
    counts = tuple([len(rows) if len(rows) <= FEW else None for _, rows in written])
    values: list[Any] = []
    for _, rows in written:
        if len(rows) <= FEW:
            for row in rows:
                values += row
        else:
            values += as_columns(rows)
    return _together(tuple([write for write, _ in written]), counts, guards), values


@lru_cache(maxsize=512)
def _together(writes: tuple[Write, ...], counts: tuple[int | None, ...], guards: bool) -> str:
    """
    One statement for several writes to different tables; gives how many guarded rows it set.

    Args:
        counts: as `Write.postgres` takes them.
        guards: it fails where that is not what the last parameter says.
    """
    parts, guarded, first = [], ["0"], 1
    for number, (write, count) in enumerate(zip(writes, counts, strict=True)):
        text = write.postgres(first, count)
        first += text.count("::")
        if write.guarded:
            text += " RETURNING 1"
            guarded.append(f"(SELECT count(*) FROM part_{number})")  # noqa: S608 — a number of ours
        parts.append(f"part_{number} AS ({text})")
    found = " + ".join(guarded)
    if guards:
        found = f"1 / (CASE WHEN {found} = ${first}::bigint THEN 1 ELSE 0 END)"
    return f"WITH {', '.join(parts)} SELECT {found}"


class Lanes:
    """At most so many lanes; the last one used is used next."""

    def __init__(
        self, size: int, timeout_s: float, open_lane: Callable[[], Awaitable[Lane]]
    ) -> None:
        self._free = asyncio.Semaphore(size)
        self._timeout_s = timeout_s
        self.open = open_lane
        self._idle: list[Lane] = []

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """
        The right to use one connection.

        Raises: Overloaded, when none becomes free in time.
        """
        if self._free.locked():
            try:
                async with asyncio.timeout(self._timeout_s):
                    await self._free.acquire()
            except TimeoutError:
                raise Overloaded() from None
        else:
            await self._free.acquire()
        try:
            yield
        finally:
            self._free.release()

    @asynccontextmanager
    async def lane(self) -> AsyncIterator[Lane]:
        """A lane; what an exception leaves open in it is rolled back."""
        async with self.turn():
            lane = await self._whole()
            try:
                yield lane
            except BaseException:
                if await asyncio.shield(_rolled_back(lane)):
                    self._idle.append(lane)
                raise
            lane.is_fresh = False
            self._idle.append(lane)

    async def _whole(self) -> Lane:
        """One that is not known to be broken."""
        while self._idle:
            lane = self._idle.pop()
            if not lane.is_broken:
                return lane
            with suppress(Exception):
                await lane.close()
        return await self.open()

    async def fetch(self, query: Query, **values: Any) -> Rows:
        """The rows of a query that stands for itself."""
        bound = query.bind(**values)
        while True:
            fresh = True
            try:
                async with self.lane() as lane:
                    fresh = lane.is_fresh
                    return await lane.fetch(query, bound)
            except Exception as error:
                if fresh or fault_of(error) is not Fault.UNAVAILABLE:
                    raise as_app_error(error) from error

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().close()


async def _rolled_back(lane: Lane) -> bool:
    """Whether the lane can be used again; closed if not."""
    try:
        await lane.rollback()
    except Exception:
        with suppress(Exception):
            await lane.close()
        return False
    return True
