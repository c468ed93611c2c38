"""The time by the database: the one clock that all processes share."""

from __future__ import annotations

from sqlalchemy import ColumnElement, literal_column, select

from app.store.bulk import Dialect


def now_of(dialect: Dialect) -> ColumnElement[int]:
    """Milliseconds; as time passes, also within a transaction."""
    if dialect == "postgresql":
        return literal_column("(extract(epoch from clock_timestamp()) * 1000)::bigint")
    return literal_column("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)")


def moment_of(dialect: Dialect) -> ColumnElement[int]:
    """
    Milliseconds; one moment for all rows of a query, so that an index finds them.

    What may change from row to row is held against every row: on Postgres a look for what is due
    went through all that is ever due.
    """
    return select(now_of(dialect)).scalar_subquery()
