"""The time by the database: the one clock that all processes share."""

from __future__ import annotations

from sqlalchemy import ColumnElement, literal_column

from app.store.bulk import Dialect


def now_of(dialect: Dialect) -> ColumnElement[int]:
    """Milliseconds; as time passes, also within a transaction."""
    if dialect == "postgresql":
        return literal_column("(extract(epoch from clock_timestamp()) * 1000)::bigint")
    return literal_column("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)")
