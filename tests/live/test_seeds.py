"""Seeds that a process of its own has drawn are looked for in all that it sent and logged."""

from __future__ import annotations

from tests.canary.canary import CANARY
from tests.canary.heard import HEARD
from tests.live.player import Player
from tests.servers.hotdice import HotdiceServer
from tests.servers.seeds import seeds_of


async def test_seeds_of_a_process_are_read_when_it_has_ended(fresh_url: str) -> None:
    server = HotdiceServer(fresh_url)
    server.start()
    player = await Player.make(server.port)
    running, over = await player.table(), await player.table()
    await player.do("POST", f"/v1/games/{over['id']}/end")
    server.terminate()
    seeds = seeds_of(fresh_url)
    assert sorted(seed.is_revealed for seed in seeds) == [False] * 3 + [True] * 3
    assert not CANARY.hits
    HEARD.note(next(seed.value for seed in seeds if not seed.is_revealed).hex().encode())
    server._looked_back()
    hits, CANARY.hits[:] = [*CANARY.hits], ()
    assert hits == [f"a seed in what was sent or logged by {server.url}"]
    assert running["status"] == "playing"
