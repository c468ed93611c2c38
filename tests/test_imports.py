"""What a serving process has in memory: what it needs to serve, and nothing that others need."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.store.schema import migrate
from tests.conftest import FreshDatabase
from tests.servers.hotdice import ROOT
from tests.servers.postgres import APP

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
    "sqlalchemy.orm": "nobody here: the store maps no objects",
    "typer": "every other command",
    "watchfiles": "who develops with uvicorn's reloader",
}
"""By module: who needs it."""
ON_POSTGRES = {"asyncpg", "sqlalchemy.dialects.postgresql"}
NOT_ON_POSTGRES = {"aiosqlite", "sqlalchemy.dialects.sqlite"}


def loaded_by_a_server(url: str) -> set[str]:
    """The modules of one that has just started there."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")}
    env |= {"HOTDICE_DATABASE_URL": url, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", STARTS], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_server_on_a_database_that_is_there_loads_only_what_serves(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    asyncio.run(migrate(url))
    loaded = loaded_by_a_server(url)
    assert {"fastapi", "sqlalchemy", "structlog"} <= loaded
    assert loaded & NOT_TO_SERVE.keys() == set()


@pytest.mark.wide
def test_so_does_one_on_postgres(fresh_database: FreshDatabase) -> None:
    database = fresh_database()
    asyncio.run(migrate(database.owner_url, APP))
    loaded = loaded_by_a_server(database.app_url)
    assert loaded >= ON_POSTGRES
    assert loaded & (NOT_TO_SERVE.keys() - ON_POSTGRES | NOT_ON_POSTGRES) == set()


def test_sessions_of_sqlalchemy_come_to_who_asks_for_them() -> None:
    """The store leaves them out of what is loaded, and out of nobody's reach."""
    asks = "import app.store, sys; from sqlalchemy.ext.asyncio import AsyncSession as asked\n"
    asks += "from sqlalchemy.ext.asyncio.session import AsyncSession\n"
    asks += "assert asked is AsyncSession and 'sqlalchemy.orm' in sys.modules\n"
    asks += "import sqlalchemy.ext.asyncio as package\n"
    asks += "assert not hasattr(package, 'nothing_of_this_name')"
    done = subprocess.run(
        [sys.executable, "-c", asks], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
