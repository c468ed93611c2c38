from __future__ import annotations

from pathlib import Path

import pytest

from app.store.schema import migrate
from tests.archiving.games import Place
from tests.conftest import FreshDatabase
from tests.servers.postgres import APP


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.wide)])
async def place(
    request: pytest.FixtureRequest, tmp_path: Path, fresh_database: FreshDatabase
) -> Place:
    if request.param == "sqlite":
        url = f"sqlite+aiosqlite:///{tmp_path / 'h.db'}"
        await migrate(url)
        return Place(url, url)
    made = fresh_database()
    await migrate(made.owner_url, APP)
    return Place(made.owner_url, made.app_url)
