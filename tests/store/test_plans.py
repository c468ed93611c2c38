"""What is asked again and again finds its rows by an index, on SQLite too, whatever is stored."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from app.clock import SystemClock
from app.store.clocks import SqlClockRows
from app.store.database import open_database
from app.store.queries import SqlEventStore
from app.store.schema import migrate
from app.store.statistics import SqlStatistics


@pytest.mark.parametrize(
    ("query", "values", "index"),
    [
        ("_sittings", {"ids": json.dumps(["a", "b"])}, "seats_running"),
        ("_lobby", {"most": 9}, "games_listed_by_status"),
        ("_waiting", {"match_key": "a"}, "games_match_key"),
        ("_sat", {"player_id": "a", "game_id": "b"}, "seats_player_id"),
        ("_by_id", {"ids": json.dumps(["a", "b"])}, "sqlite_autoindex_games_1"),
    ],
)
async def test_looks_use_their_indexes(
    tmp_path: Path, query: str, values: dict[str, object], index: str
) -> None:
    path = tmp_path / "hotdice.db"
    await migrate(f"sqlite:///{path}")
    asked = getattr(SqlEventStore(open_database(f"sqlite:///{path}"), SystemClock()), query)
    with sqlite3.connect(path) as connection:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {asked.text}", asked.bind(**values))
        plan = [row[3] for row in rows]
    connection.close()
    assert any(
        f"USING INDEX {index} " in step or f"USING COVERING INDEX {index} " in step for step in plan
    ), plan
    assert not any(step.startswith(("SCAN games", "SCAN seats", "USE TEMP")) for step in plan), plan


async def test_what_is_due_is_found_by_its_index(tmp_path: Path) -> None:
    path = tmp_path / "hotdice.db"
    await migrate(f"sqlite:///{path}")
    asked = SqlClockRows(open_database(f"sqlite:///{path}"))._due
    with sqlite3.connect(path) as connection:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {asked.text}", asked.bind(most=9))
        plan = [row[3] for row in rows]
    connection.close()
    assert "SEARCH clocks USING INDEX clocks_due_at (due_at<?)" in plan, plan


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (lambda s: s.ladder("all", below=(3, 700, "x"), limit=9), "ladders_order"),
        (lambda s: s.ladder("all", below=None, limit=9), "ladders_order"),
        (lambda s: s.past_games("x", "y", before=(1, "x"), limit=9), "results_player_id"),
        (lambda s: s.profile("x"), "sqlite_autoindex_players_1"),
    ],
)
async def test_statistics_are_found_in_order(
    tmp_path: Path, asked: Callable[[SqlStatistics], Awaitable[Any]], index: str
) -> None:
    path = tmp_path / "hotdice.db"
    await migrate(f"sqlite:///{path}")
    database = open_database(f"sqlite:///{path}")
    told: list[tuple[str, Any]] = []

    def tell(*statement: Any) -> None:
        told.append((statement[2], statement[3]))

    event.listen(database.reader.sync_engine, "before_cursor_execute", tell)
    await asked(SqlStatistics(database))
    await database.dispose()
    [(statement, values)] = [one for one in told if "SELECT" in one[0]]
    with sqlite3.connect(path) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
    connection.close()
    assert any(f"INDEX {index} " in step for step in plan), plan
    assert not any(step.startswith(("SCAN ", "USE TEMP")) for step in plan), plan
