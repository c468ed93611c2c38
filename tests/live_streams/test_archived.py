"""Following a game whose log is in an archive: its state is there, what was missed is not."""

from __future__ import annotations

from pathlib import Path

from app.archiving.moving import Moved, archive
from tests.live.player import Player
from tests.live_streams.follower import following
from tests.live_streams.server import serving_on
from tests.store.orders import StoppedClock

MUCH_LATER = 10**14


async def test_a_stream_goes_on_from_the_state_of_an_archived_game(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    async with serving_on(url) as server:
        ana = await Player.make(server.port)
        game = await ana.table()
        await ana.do("POST", f"/v1/games/{game['id']}/end")
        while await server.parts.uncounted():
            pass
        clock = StoppedClock(MUCH_LATER)
        assert await archive(url, tmp_path, 0, clock, lambda *_: None) == Moved(1, 0)
        async with following(server.port, game["id"]) as whole:
            assert (await whole.next("state"))["game"]["status"] == "finished"
        async with following(server.port, game["id"], "?after=1") as late:
            assert await late.closed() == 4410
            assert late.frames[-1]["code"] == "game_archived"
