"""Games whose log goes into an archive while somebody reads it, and those that are there."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest

from app.archiving.moving import Moved, archive, restore
from app.ports import Recorded
from app.store.queries import SqlEventStore
from tests.live.player import Player
from tests.live.wire import NoAnswer
from tests.live_streams.follower import following
from tests.live_streams.server import serving_on
from tests.store.orders import StoppedClock

MUCH_LATER = 10**14
T = TypeVar("T")


class Leaving(SqlEventStore):
    """Logs come in pages of two events, and are taken out behind a page."""

    behind = 0
    """So many pages, or commands, on; 0: never."""
    folder: Path
    url: str

    async def events(self, game_id: str, after: int, limit: int) -> list[Recorded]:
        return await self._left(await super().events(game_id, after, min(limit, 2)))

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        return await self._left(await super().commands(game_id, after, limit))

    async def _left(self, found: list[T]) -> list[T]:
        self.behind -= 1
        if self.behind == 0:
            assert await taken_out(self.url, self.folder) == Moved(1, 0)
        return found


async def taken_out(url: str, folder: Path) -> Moved:
    return await archive(url, folder, 0, StoppedClock(MUCH_LATER), lambda *_: None)


async def test_a_stream_goes_on_from_the_state_of_an_archived_game(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with serving_on(sqlite_url) as server:
        ana = await Player.make(server.port)
        game = await ana.table()
        await ana.do("POST", f"/v1/games/{game['id']}/end")
        while await server.parts.uncounted():
            pass
        assert await taken_out(sqlite_url, tmp_path) == Moved(1, 0)
        async with following(server.port, game["id"]) as whole:
            assert (await whole.next("state"))["game"]["status"] == "finished"
        async with following(server.port, game["id"], "?after=1") as late:
            assert await late.closed() == 4410
            assert late.frames[-1]["code"] == "game_archived"


async def test_a_log_that_is_taken_out_while_it_is_read_is_never_told_in_part(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving_on(sqlite_url, store_type=Leaving) as server:
        store = server.parts.games.desk.store
        assert isinstance(store, Leaving)
        store.url, store.folder = sqlite_url, tmp_path
        ana = await Player.make(server.port)
        game = await ana.table()
        path = f"/v1/games/{game['id']}"
        await ana.do("POST", f"{path}/roll")
        await ana.do("POST", f"{path}/end")
        while await server.parts.uncounted():
            pass
        whole = (await ana.ask("GET", f"{path}/export")).body

        async def put_back(behind: int) -> None:
            """And taken out once more behind so many pages."""
            file = tmp_path / f"{game['id']}.ndjson.gz"
            if file.exists():
                assert await restore(sqlite_url, [file], lambda *_: None) == Moved(1, 0)
            store.behind = behind

        last = game["version"] + 1
        for asked in ("fairness", f"states/{last}"):
            await put_back(behind=1)
            refused = await ana.ask("GET", f"{path}/{asked}")
            assert (refused.status, refused.code) == (410, "game_archived"), asked
        await put_back(behind=2)  # a look whether it is here comes first
        with pytest.raises(NoAnswer):
            await ana.ask("GET", f"{path}/export")
        await put_back(behind=2)
        async with following(server.port, game["id"], f"?after={game['version']}") as late:
            assert await late.closed() == 4410
        await put_back(behind=0)
        assert (await ana.ask("GET", f"{path}/export")).body == whole
    said = capsys.readouterr()
    assert said.out.count("answer_cut_off") == 1
    assert "rror" not in said.out + said.err, "an operator need not look into it"
