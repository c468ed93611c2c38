"""What a serving process has in memory: what it needs to serve, and nothing that others need."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

from app.store.schema import migrate
from tests.servers.hotdice import ROOT

STARTS = """
import asyncio, json, sys
import app.cli
from app.serving import config
from app.settings import read_settings
from app.wiring import build_parts

async def start():
    settings = read_settings()
    parts = await build_parts(settings)
    config(settings, parts)
    await parts.close()

asyncio.run(start())
print(json.dumps(sorted(sys.modules)))
"""
NOT_TO_SERVE = {
    "alembic": "who migrates",
    "app.arena": "who plays without a server",
    "asyncpg": "a server on Postgres",
    "mako": "alembic",
    "markdown_it": "who reads a page of the docs",
    "matplotlib": "the arena's plots",
    "numpy": "the analysis, in processes of its own",
    "plotly": "the arena's plots",
    "pygments": "who reads a page of the docs",
    "redis": "several processes",
    "rich": "tables and progress on a terminal",
    "scipy": "the arena",
    "sqlalchemy.dialects.postgresql": "a server on Postgres",
    "typer": "every other command",
    "watchfiles": "who develops with uvicorn's reloader",
}
"""By module: who needs it."""


def test_a_server_on_a_database_that_is_there_loads_only_what_serves(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    asyncio.run(migrate(url))
    env = {k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")}
    env |= {"HOTDICE_DATABASE_URL": url, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", STARTS], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert {"fastapi", "sqlalchemy", "structlog"} <= loaded
    assert loaded & NOT_TO_SERVE.keys() == set()
