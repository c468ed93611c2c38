"""What operators did, a line for each call; on both databases lines can only be added."""

from __future__ import annotations

from sqlalchemy import insert, select

from app.operators import OperatorCall
from app.store import tables
from app.store.database import Database, to_the_end

_c = tables.operator_calls.c


class SqlOperatorJournal:
    """`app.operators.OperatorJournal` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @to_the_end
    async def add(self, call: OperatorCall) -> None:
        async with self._database.writing() as connection:
            await connection.execute(insert(tables.operator_calls), call._asdict())

    async def calls(self, before: str | None, limit: int) -> list[OperatorCall]:
        """The newest first; those with a lower id than `before`."""
        query = select(*(_c[name] for name in OperatorCall._fields))
        if before is not None:
            query = query.where(_c.id < before)
        async with self._database.reading() as connection:
            found = await connection.execute(query.order_by(_c.id.desc()).limit(limit))
            return [OperatorCall(*row) for row in found]
