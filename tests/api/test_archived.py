"""Games whose log is in an archive: what they still tell, and how the rest is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

from app.archiving.moving import Moved, archive, restore
from tests.api.conftest import Launch
from tests.api.live import OPERATOR, Live
from tests.api.series import create
from tests.api.table import refused, started
from tests.store.orders import StoppedClock

MUCH_LATER = 10**14


async def test_an_archived_game_tells_its_state_and_refuses_what_needs_its_log(
    launch: Launch, tmp_path: Path
) -> None:
    async with launch(operator_token=(OPERATOR,)) as live:
        ana = await live.guest("Ana")
        table = await started(ana)
        log = await table.log()
        await table.do("end")
        whole = await table.log()
        await counted(live)
        before = (await ana.get(table.path)).json()
        url = live.settings.database_url
        assert await archived(live, tmp_path) == Moved(1, 0)

        assert (await ana.get(table.path)).json() | {"now": ""} == before | {"now": ""}
        [listed] = (await ana.get("/v1/players/me/games")).json()["items"]
        assert (listed["id"], listed["status"]) == (before["id"], "finished")
        for path in ("events", "export", "fairness", "states/2"):
            refused(await ana.get(f"{table.path}/{path}"), 410, "game_archived")
        past = {"params": {"after": before["version"]}}
        assert (await ana.get(f"{table.path}/events", **past)).json()["items"] == []
        refused(await table.ask("rematch", by=ana), 410, "game_archived")
        async with live.client(OPERATOR) as operator:
            answer = await operator.post(f"/v1/operator{table.path.removeprefix('/v1')}/void")
        refused(answer, 410, "game_archived")
        refused(await table.ask("roll", by=ana), 409, "game_over")

        file = tmp_path / f"{before['id']}.ndjson.gz"
        assert await restore(url, [file], lambda *_: None) == Moved(1, 0)
        assert await table.log() == whole
        assert whole[: len(log)] == log
        assert (await table.ask("rematch", by=ana)).status_code == 201


async def test_the_logs_of_a_series_are_refused_where_one_is_archived(
    launch: Launch, tmp_path: Path
) -> None:
    async with launch() as live:
        ana, bo = await live.guest("Ana"), await live.guest("Bo")
        series = await create(ana, bo, games=2)
        await series.play_all()
        await counted(live)
        whole = await ana.get(f"{series.path}/export")
        assert await archived(live, tmp_path) == Moved(2, 0)
        url = live.settings.database_url
        first, last = (tmp_path / f"{g['game_id']}.ndjson.gz" for g in await series.games())
        assert await restore(url, [first], lambda *_: None) == Moved(1, 0)
        refused(await ana.get(f"{series.path}/export"), 410, "game_archived")
        assert await restore(url, [last], lambda *_: None) == Moved(1, 0)
        assert (await ana.get(f"{series.path}/export")).text == whole.text


async def counted(live: Live) -> None:
    """Archived are games that have been counted."""
    for _ in range(1000):
        if not await live.app.state.parts.uncounted():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("games that ended were not counted")


async def archived(live: Live, folder: Path) -> Moved:
    """Every game that is over."""
    clock = StoppedClock(MUCH_LATER)
    return await archive(live.settings.database_url, folder, 0, clock, lambda *_: None)
