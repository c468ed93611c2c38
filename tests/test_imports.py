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
from tests.servers.process import free_port

STARTS = """
import asyncio, gc, json, sys
import app.cli
from app.serving import Server, config
from app.settings import read_settings
from app.wiring import build_parts

async def start():
    settings = read_settings()
    parts = await build_parts(settings)
    server = Server(config(settings, parts), parts)
    serving = asyncio.create_task(server.serve())
    while not (server.started or serving.done()):
        await asyncio.sleep(0.01)
    print(json.dumps({"loaded": sorted(sys.modules), "frozen": gc.get_freeze_count()}))
    server.should_exit = True
    await serving
    await parts.close()

asyncio.run(start())
"""
NOT_TO_SERVE = {
    "alembic": "who migrates",
    "app.arena": "who plays without a server",
    "mako": "alembic",
    "markdown_it": "who reads a page of the docs",
    "matplotlib": "the arena's plots",
    "numpy": "the analysis, in processes of its own",
    "plotly": "the arena's plots",
    "pygments": "who reads a page of the docs",
    "redis": "several processes",
    "rich": "tables and progress on a terminal",
    "scipy": "the arena",
    "sqlalchemy.orm": "nobody here: the store maps no objects",
    "typer": "every other command",
    "watchfiles": "who develops with uvicorn's reloader",
}
"""By module: who needs it."""
OF_SQLITE = {"aiosqlite", "sqlalchemy.dialects.sqlite"}
OF_POSTGRES = {"asyncpg", "sqlalchemy.dialects.postgresql"}


def started(url: str) -> tuple[set[str], int]:
    """What a server on this database has loaded once it is ready, and how many objects it froze."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")}
    env |= {"HOTDICE_DATABASE_URL": url, "HOTDICE_PORT": str(free_port()), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", STARTS], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return set(found["loaded"]), found["frozen"]


def test_a_server_on_a_database_that_is_there_loads_only_what_serves(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    asyncio.run(migrate(url))
    loaded, frozen = started(url)
    assert {"fastapi", "structlog", "uvicorn"} | OF_SQLITE <= loaded
    assert loaded & (NOT_TO_SERVE.keys() | OF_POSTGRES) == set()
    assert frozen > 100_000, "no collection looks again at what is there from the start"


@pytest.mark.wide
def test_so_does_one_on_postgres(fresh_database: FreshDatabase) -> None:
    made = fresh_database()
    asyncio.run(migrate(made.owner_url, APP))
    loaded, _ = started(made.app_url)
    assert {"fastapi", "structlog", "uvicorn"} | OF_POSTGRES <= loaded
    assert loaded & (NOT_TO_SERVE.keys() | OF_SQLITE) == set()


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
