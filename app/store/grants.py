"""
What the role that plays may do on Postgres: add to logs and journals, and nothing else to them.

Granted after every migration, to whatever role is named then: new tables are covered, and a role
that is new to an old database too. On SQLite triggers keep the log append-only,
INSERT OR REPLACE included.
"""

from __future__ import annotations

import logging

from sqlalchemy import Connection, text

from app.store import tables

APPEND_ONLY = (tables.events, tables.seeds, tables.operator_calls, tables.purse_journal)
OWNERS = (tables.archived,)
"""What only the owner writes."""

_log = logging.getLogger(__name__)


def grant(connection: Connection, role: str | None) -> None:
    """Give `role` its rights; None, or the owner itself, needs none."""
    owner = connection.execute(text("SELECT current_user")).scalar_one()
    if role is None or role == owner:
        _log.warning("the database has one role: nothing but the hash chain guards its log")
        return
    quote = connection.dialect.identifier_preparer.quote_identifier
    to = quote(role)
    connection.execute(text(f"GRANT USAGE ON SCHEMA {quote(_schema(connection))} TO {to}"))
    connection.execute(text(f"GRANT SELECT ON alembic_version TO {to}"))
    for table in tables.metadata.sorted_tables:
        rights = "SELECT, INSERT" if table in APPEND_ONLY else "SELECT, INSERT, UPDATE, DELETE"
        if table in OWNERS:
            rights = "SELECT"
        connection.execute(text(f"REVOKE ALL ON {quote(table.name)} FROM {to}"))
        connection.execute(text(f"GRANT {rights} ON {quote(table.name)} TO {to}"))


def _schema(connection: Connection) -> str:
    name: str = connection.execute(text("SELECT current_schema()")).scalar_one()
    return name
