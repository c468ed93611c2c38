"""A server killed at any moment: nothing acknowledged is lost, nothing is done by halves."""

from __future__ import annotations

import asyncio

import pytest

from app.replaying import replayed
from tests.live.history import History
from tests.live.load import Table, exported, play_on, repeat_some, settled, tables_of
from tests.live.server import Live, healthy

TABLES = 8


async def _kill_while_playing(server: Live, tables: list[Table]) -> None:
    """Under load, between two commands or in the middle of many."""
    playing = asyncio.create_task(play_on(tables))
    await asyncio.sleep(0.02 + 0.13 * tables[0].chance.random())
    server.kill()
    await playing
    for table in tables:
        table.hang_up()


async def _prove(url: str, kills: int, seed: int) -> History:
    server, history = Live(url), History()
    server.start()
    try:
        async with tables_of(server.port, TABLES, history, seed, Table) as tables:
            for _ in range(kills):
                await _kill_while_playing(server, tables)
                server.start()
                await settled(tables)
                await repeat_some(history, tables, 5)
        logs = await exported(history, server.port)
        history.check(logs)
        for game in logs:
            await replayed(url, game)
        server.cli("replay", next(iter(logs)))
        healthy(server)
    finally:
        server.kill()
    return history


@pytest.mark.wide
async def test_nothing_acknowledged_is_lost(fresh_url: str) -> None:
    history = await _prove(fresh_url, kills=5, seed=1)
    assert len(history.accepted) > 50


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(12, marks=[pytest.mark.faults]),
        pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(3_600)]),
    ],
)
async def test_nothing_acknowledged_is_lost_in_many_kills(fresh_url: str, kills: int) -> None:
    history = await _prove(fresh_url, kills=kills, seed=2)
    unknown = [command for command in history.sent if command.was_unknown]
    assert len(unknown) > kills
    assert len(history.accepted) > 10 * kills
