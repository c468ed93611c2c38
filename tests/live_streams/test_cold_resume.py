"""Coming back to a game that nobody follows costs what was missed, not the length of the game."""

from __future__ import annotations

from app.clock import SystemClock
from app.store.rows import SNAPSHOT_EVERY
from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.server import Serving, until
from tests.live_streams.stores import Counting
from tests.store.orders import long_lobby

LENGTH = 5 * SNAPSHOT_EVERY
WRITTEN_AT_ONCE = 40


async def lobby(server: Serving) -> tuple[str, Counting]:
    """With a long past, and yet so new that nobody closes it; and the store that it is in."""
    store = server.parts.store
    assert isinstance(store, Counting)
    return await long_lobby(store, LENGTH, at=SystemClock().now()), store


async def test_a_cold_resume_reads_what_is_missing(server: Serving, ana: Player) -> None:
    game_id, store = await lobby(server)
    log = await all_events(ana, game_id)
    for missing, fold in ((0, 0), (1, SNAPSHOT_EVERY), (300, SNAPSHOT_EVERY)):
        before, after = store.read, len(log) - missing
        async with following(server.port, game_id, f"?after={after}") as follower:
            await follower.next("resumed")
            await follower.until(len(log))
            await follower.next("presence")
        follower.prove()
        assert follower.events == log[after:]
        assert store.read - before <= fold + WRITTEN_AT_ONCE + missing
        await until(lambda: game_id not in server.hub.channels)


async def test_a_state_of_long_ago_reads_little(server: Serving, ana: Player) -> None:
    game_id, store = await lobby(server)
    before, version = store.read, LENGTH - 100
    game = await ana.do("GET", f"/v1/games/{game_id}/states/{version}")
    assert game["version"] == version
    assert 0 < store.read - before <= SNAPSHOT_EVERY + WRITTEN_AT_ONCE
