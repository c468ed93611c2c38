"""SIGTERM under load: running commands end, the process goes, what was acknowledged is stored."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

from tests.live.history import History
from tests.live.load import Table, exported, play_on, settled, tables_of
from tests.live.player import Player
from tests.live.server import Live, healthy
from tests.live.wire import NoAnswer, Reply

MOST_S = 10.0
FINE = (0, -signal.SIGTERM)
"""Ended by itself, or by the signal it was sent, once everything was done."""


async def _follow(player: Player, game: str, version: int) -> Reply | None:
    path = f"/v1/games/{game}/events?after={version}&wait=25"
    try:
        return await player.ask("GET", path)
    except (NoAnswer, OSError):
        return None


@pytest.mark.wide
async def test_an_orderly_stop_loses_nothing(fresh_url: str) -> None:
    server, history = Live(fresh_url), History()
    server.start()
    try:
        async with tables_of(server.port, 8, history, 5, Table) as tables:
            follower = await Player.make(server.port)
            quiet = await follower.table()
            following = asyncio.create_task(_follow(follower, quiet["id"], quiet["version"]))
            playing = asyncio.create_task(play_on(tables))
            await asyncio.sleep(0.5)
            began = time.monotonic()
            status = await asyncio.to_thread(server.terminate)
            assert time.monotonic() - began <= MOST_S
            assert status in FINE
            await playing
            told = await following
            assert told is not None, "a long-poll is answered before the stop"
            assert told.json()["items"] == []
            server.start()
            await settled(tables)
        history.check(await exported(history, server.port))
        healthy(server)
    finally:
        server.kill()
