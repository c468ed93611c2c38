"""Coming back to a game that nobody follows costs what was missed, not the length of the game."""

from __future__ import annotations

from typing import Any

import pytest

from app.store.rows import SNAPSHOT_EVERY
from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.server import Serving, until
from tests.store.orders import long_lobby

LENGTH = 5 * SNAPSHOT_EVERY
WRITTEN_AT_ONCE = 40


async def test_a_cold_resume_reads_what_is_missing(
    server: Serving, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = server.parts.store
    game_id = await long_lobby(store, LENGTH)  # type: ignore[arg-type]
    log = await all_events(ana, game_id)
    for missing, fold in ((0, 0), (1, SNAPSHOT_EVERY), (300, SNAPSHOT_EVERY)):
        read = 0
        with monkeypatch.context() as counting:

            def count(name: str) -> Any:
                ask = getattr(store, name)

                async def asked(*how: Any) -> Any:
                    nonlocal read
                    found = await ask(*how)
                    read += sum(map(len, found)) if name == "commands" else len(found)
                    return found

                return asked

            for name in ("events", "commands"):
                counting.setattr(store, name, count(name))
            after = len(log) - missing
            async with following(server.port, game_id, f"?after={after}") as follower:
                await follower.next("resumed")
                await follower.until(len(log))
                await follower.next("presence")
            follower.prove()
            assert follower.events == log[after:]
            assert read <= fold + WRITTEN_AT_ONCE + missing
        await until(lambda: game_id not in server.hub.channels)


async def test_a_state_of_long_ago_reads_little(
    server: Serving, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = server.parts.store
    game_id = await long_lobby(store, LENGTH)  # type: ignore[arg-type]
    read, ask = 0, store.events

    async def asked(*how: Any) -> Any:
        nonlocal read
        found = await ask(*how)
        read += len(found)
        return found

    monkeypatch.setattr(store, "events", asked)
    version = LENGTH - 100
    game = await ana.do("GET", f"/v1/games/{game_id}/states/{version}")
    assert game["version"] == version
    assert 0 < read <= SNAPSHOT_EVERY + WRITTEN_AT_ONCE
