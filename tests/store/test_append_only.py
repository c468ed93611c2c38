"""Logs, seeds and journals only grow, whatever statement asks: every kind of one is tried."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.store.database import Database, open_database
from app.store.schema import migrate
from tests.conftest import FreshDatabase
from tests.servers.postgres import APP

TABLES = {
    "events": ("game_id, version, data, hash, command", "'g', 1, x'00', x'00', 1"),
    "seeds": ("game_id, epoch, seed", "'g', 0, x'00'"),
    "operator_calls": ("id, at, action, subject, token", "'o', 1, 'void', 'g', 't'"),
    "purse_journal": (
        "player_id, entry, kind, delta, balance, reference, at",
        "'p', 1, 'bought', 5, 5, 'r', 1",
    ),
}
"""Columns of each, and a row."""
FIRST = {"events": "game_id", "seeds": "game_id", "operator_calls": "id"} | {
    "purse_journal": "player_id"
}
KEYS = {"events": "game_id, version", "seeds": "game_id, epoch", "operator_calls": "id"} | {
    "purse_journal": "player_id, entry"
}


def row(table: str) -> str:
    """The same key again, and something else in it."""
    return (
        TABLES[table][1].replace("x'00'", "x'ff'").replace("'void'", "'x'").replace("5, 5", "9, 9")
    )


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    path = tmp_path / "hotdice.db"
    await migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def base(file: Path) -> Iterator[sqlite3.Connection]:
    """Whoever may open the file, by another program than ours; a row in each table."""
    connection = sqlite3.connect(file, isolation_level=None)
    for table, (columns, values) in TABLES.items():
        connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})")
    yield connection
    connection.close()


ON_SQLITE = (
    "DELETE FROM {table}",
    "DELETE FROM {table} WHERE {first} = 'nobody' OR 1",
    "UPDATE {table} SET {first} = 'x'",
    "UPDATE OR REPLACE {table} SET {first} = {first}",
    "UPDATE OR IGNORE {table} SET {first} = 'x'",
    "INSERT OR REPLACE INTO {table} ({columns}) VALUES ({row})",
    "REPLACE INTO {table} ({columns}) VALUES ({row})",
    "INSERT OR REPLACE INTO {table} ({columns}) SELECT {row}",
    "INSERT INTO {table} ({columns}) VALUES ({row}) ON CONFLICT ({key}) DO UPDATE SET {first} = ''",
    "WITH x AS (SELECT 1) DELETE FROM {table}",
)


@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.parametrize("table", TABLES)
def test_on_sqlite_no_statement_changes_a_row(
    base: sqlite3.Connection, table: str, recursive: str
) -> None:
    base.execute(f"PRAGMA recursive_triggers={recursive}")
    before = base.execute(f"SELECT * FROM {table}").fetchall()
    for deed in ON_SQLITE:
        asked = {"table": table, "first": FIRST[table], "key": KEYS[table], "row": row(table)}
        statement = deed.format(columns=TABLES[table][0], **asked)
        if table == "purse_journal" and statement.startswith(("INSERT", "REPLACE")):
            base.execute(statement)  # an entry that is there is left out, and what is there stays
        else:
            with pytest.raises(sqlite3.IntegrityError, match="are append-only"):
                base.execute(statement)
        assert base.execute(f"SELECT * FROM {table}").fetchall() == before, statement


@pytest.mark.parametrize(
    "key", ["'p', 2, 'bought', 5, 5, 'r', 1", "'q', 1, 'bought', 5, 5, 'r', 1"]
)
def test_no_second_key_of_a_journal_replaces_a_row(base: sqlite3.Connection, key: str) -> None:
    """A reference is unique too: replacing by it would take another entry's row away."""
    columns = TABLES["purse_journal"][0]
    before = base.execute("SELECT * FROM purse_journal").fetchall()
    base.execute(f"INSERT OR REPLACE INTO purse_journal ({columns}) VALUES ({key})")
    assert base.execute("SELECT * FROM purse_journal").fetchall() == before


@pytest.fixture
async def playing(fresh_database: FreshDatabase) -> Database:
    """A Postgres as the role that plays; a row in each table."""
    fresh = fresh_database()
    await migrate(fresh.owner_url, APP)
    database = open_database(fresh.app_url)
    async with database.writing() as connection:
        for table, (columns, values) in TABLES.items():
            told = values.replace("x'00'", "'\\x00'")
            await connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({told})"))
    return database


ON_POSTGRES = (
    "DELETE FROM {table}",
    "UPDATE {table} SET {first} = 'x'",
    "INSERT INTO {table} ({columns}) VALUES ({row}) ON CONFLICT ({key}) DO UPDATE SET {first} = ''",
    "MERGE INTO {table} USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE",
    "MERGE INTO {table} USING (SELECT 1) s ON true WHEN MATCHED THEN UPDATE SET {first} = 'x'",
    "WITH gone AS (DELETE FROM {table} RETURNING 1) SELECT count(*) FROM gone",
    "SELECT * FROM {table} FOR UPDATE",
    "TRUNCATE {table}",
    "TRUNCATE {table} CASCADE",
    "DROP TABLE {table}",
    "DROP TABLE {table} CASCADE",
    "ALTER TABLE {table} RENAME TO other",
    "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "ALTER TABLE {table} DISABLE RULE r",
    "ALTER TABLE {table} ALTER COLUMN {first} TYPE text USING 'x'",
    "ALTER TABLE {table} DROP COLUMN {first}",
    "ALTER TABLE {table} DROP CONSTRAINT {table}_pk",
    "ALTER TABLE {table} OWNER TO CURRENT_USER",
    "CREATE RULE r AS ON INSERT TO {table} DO INSTEAD NOTHING",
    "CREATE TRIGGER t BEFORE INSERT ON {table} EXECUTE FUNCTION pg_notify()",
    "CREATE POLICY p ON {table} USING (false)",
    "CREATE INDEX i ON {table} ({first})",
    "COPY {table} FROM PROGRAM 'true'",
    "COPY {table} TO '/tmp/hotdice-copy'",
    "CREATE TABLE mine (LIKE {table})",
    "CREATE TABLE part PARTITION OF {table} DEFAULT",
    "CREATE SCHEMA mine",
    "SET session_replication_role = replica",
    "SET ROLE hotdice_owner",
    "SET SESSION AUTHORIZATION hotdice_owner",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "REASSIGN OWNED BY hotdice_owner TO CURRENT_USER",
    "DROP OWNED BY hotdice_owner",
    "COMMENT ON TABLE {table} IS 'x'",
    "CLUSTER {table} USING {table}_pk",
    "REINDEX TABLE {table}",
    "LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE",
    "DO $$ BEGIN EXECUTE 'DELETE FROM {table}'; END $$",
    "CREATE FUNCTION public.f() RETURNS void LANGUAGE sql AS 'DELETE FROM {table}'",
)
DENIED = "42501"  # insufficient_privilege


@pytest.mark.parametrize("table", TABLES)
async def test_on_postgres_the_role_that_plays_may_add_and_nothing_else(
    playing: Database, table: str
) -> None:
    try:
        async with playing.reading() as connection:
            before = (await connection.execute(text(f"SELECT * FROM {table}"))).all()
        # Who has no right to give gives nothing: Postgres warns, and goes on.
        async with playing.writer.begin() as connection:
            await connection.exec_driver_sql(f"GRANT ALL ON {table} TO CURRENT_USER")
        for deed in ON_POSTGRES:
            asked = {"table": table, "first": FIRST[table], "key": KEYS[table]}
            told = row(table).replace("x'ff'", "'\\xff'")
            statement = deed.format(columns=TABLES[table][0], row=told, **asked)
            with pytest.raises(DBAPIError) as refused:
                async with playing.writer.begin() as connection:
                    await connection.exec_driver_sql(statement)
            assert getattr(refused.value.orig, "sqlstate", None) == DENIED, statement
        async with playing.reading() as connection:
            after = (await connection.execute(text(f"SELECT * FROM {table}"))).all()
        assert after == before
    finally:
        await playing.dispose()
