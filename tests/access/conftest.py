"""A stage on each store, laid once for the tests of a worker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.live.timing import Timing
from app.store.schema import migrate
from tests.access.stage import OPERATOR, ShiftedClock, Stage
from tests.conftest import FreshDatabase
from tests.live.wire import Line
from tests.live_streams.server import serving_on
from tests.servers.postgres import APP


@asynccontextmanager
async def staged(url: str) -> AsyncIterator[Stage]:
    clock = ShiftedClock()
    async with serving_on(
        url,
        timing=Timing(auth=0.05),
        clock=clock,
        operator_token=(OPERATOR,),
        body_limit=65_536,
        bot_tables=1_000,
        series_per_player=1_000,
    ) as server:
        line = await Line.open(server.port)
        stage = Stage(server, clock, line)
        await stage.lay()
        yield stage
        await stage.line.close()


@pytest.fixture(scope="session")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """Shared by the tests of a worker: leave it as it is."""
    path = tmp_path_factory.mktemp("access") / "hotdice.db"
    async with staged(f"sqlite+aiosqlite:///{path}") as laid:
        yield laid


@pytest.fixture
async def own_stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with staged(f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}") as laid:
        yield laid


@pytest.fixture
async def stage_on_postgres(fresh_database: FreshDatabase) -> AsyncIterator[Stage]:
    made = fresh_database()
    await migrate(made.owner_url, APP)
    async with staged(made.app_url) as laid:
        yield laid
