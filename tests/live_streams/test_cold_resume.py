"""Coming back to a game that nobody follows costs what was missed, not the length of the game."""

from __future__ import annotations

from typing import Any

import pytest

from app.clock import SystemClock
from app.ports import EventStore
from app.store.queries import SqlEventStore
from app.store.rows import SNAPSHOT_EVERY
from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.server import Serving, until
from tests.store.orders import long_lobby

LENGTH = 5 * SNAPSHOT_EVERY
WRITTEN_AT_ONCE = 40


class Counting:
    """A store that counts the events it is asked for."""

    def __init__(self, store: EventStore) -> None:
        self.read = 0
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def events(self, *how: Any) -> Any:
        found = await self._store.events(*how)
        self.read += len(found)
        return found

    async def commands(self, *how: Any) -> Any:
        found = await self._store.commands(*how)
        self.read += sum(map(len, found))
        return found


async def lobby(server: Serving) -> str:
    """With a long past, and yet so new that nobody closes it."""
    store = server.parts.store
    assert isinstance(store, SqlEventStore)
    return await long_lobby(store, LENGTH, at=SystemClock().now())


async def test_a_cold_resume_reads_what_is_missing(
    server: Serving, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = await lobby(server)
    log = await all_events(ana, game_id)
    for missing, fold in ((0, 0), (1, SNAPSHOT_EVERY), (300, SNAPSHOT_EVERY)):
        counting, after = Counting(server.parts.store), len(log) - missing
        with monkeypatch.context() as counted:
            counted.setattr(server.parts.live.source, "store", counting)
            async with following(server.port, game_id, f"?after={after}") as follower:
                await follower.next("resumed")
                await follower.until(len(log))
                await follower.next("presence")
        follower.prove()
        assert follower.events == log[after:]
        assert counting.read <= fold + WRITTEN_AT_ONCE + missing
        await until(lambda: game_id not in server.hub.channels)


async def test_a_state_of_long_ago_reads_little(
    server: Serving, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = await lobby(server)
    counting = Counting(server.parts.store)
    monkeypatch.setattr(server.parts.games.reads, "_store", counting)
    version = LENGTH - 100
    game = await ana.do("GET", f"/v1/games/{game_id}/states/{version}")
    assert game["version"] == version
    assert 0 < counting.read <= SNAPSHOT_EVERY + WRITTEN_AT_ONCE
