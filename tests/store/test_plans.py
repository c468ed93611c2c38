"""What is asked again and again finds its rows by an index, on SQLite too, whatever is stored."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from app.clock import SystemClock
from app.store.database import open_database
from app.store.queries import SqlEventStore
from app.store.schema import migrate


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
