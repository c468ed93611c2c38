"""Each message of the document is one that the server sends, from a table's opening to its end."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from app.live.timing import Timing
from tests.asyncapi.checked import FRAMES, committed
from tests.live.player import Json, Player
from tests.live_streams.commander import commanding
from tests.live_streams.server import serving_on
from tests.live_streams.test_sse import listening
from tests.live_streams.watching import watching_lobby, watching_mine

PUBLIC: Json = {"rules": {"preset": "farkle"}, "visibility": "public"}


async def test_every_message_of_the_document_is_sent(tmp_path: Path) -> None:
    before = FRAMES.seen.copy()
    url, timing = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}", Timing(heartbeat=0.1, tick=0.05)
    async with serving_on(url, timing=timing) as serving, AsyncExitStack() as stack:
        ana, bo = await Player.make(serving.port), await Player.make(serving.port, "Bo")
        enter = stack.enter_async_context
        mine = await enter(watching_mine(serving.port, ana))
        his = await enter(watching_mine(serving.port, bo))
        lobby = await enter(watching_lobby(serving.port))
        game = await ana.table(PUBLIC, start=False)
        path = f"/v1/games/{game['id']}"
        await mine.next("seated")
        await lobby.next("opened")
        await ana.do("PATCH", path, {"advice": False})
        await lobby.next("changed")
        await bo.do("POST", f"{path}/join")
        await lobby.next("filled")
        await his.next("seated")
        own = await enter(commanding(ana, game["id"]))
        events = await enter(listening(serving.port, game["id"]))
        assert await own.code_of("roll") == "not_started"
        await own.do("start")
        await lobby.next("started")
        await mine.next("your_turn")
        await own.do("roll")
        await mine.next("moved")
        for stream in (own, mine, lobby):
            await stream.send({"type": "ping"})
            await stream.next("pong")
            await stream.next("heartbeat")
        async with commanding(ana, game["id"], "?after=0") as again:
            await again.next("played")
        await events.next("played")
        async with listening(serving.port, game["id"], "?after=0") as resumed:
            await resumed.next("played")
        await own.do("end")
        await mine.next("ended")
        other = await ana.table(PUBLIC, bo, start=False)
        await his.next("seated")
        await bo.do("POST", f"/v1/games/{other['id']}/leave")
        await his.next("unseated")
        await ana.do("POST", f"/v1/games/{other['id']}/end")
        await lobby.next("closed")
        serving.stop()
        for stream in (own, mine, lobby):
            assert await stream.closed() == 1012
        await events.next("error")
    document = committed()
    sent = {
        (channel["$ref"].rpartition("/")[2], message["$ref"].rpartition("/")[2])
        for operation in document["operations"].values()
        if operation["action"] == "send"
        for channel in [operation["channel"]]
        for message in operation["messages"]
    }
    assert set(FRAMES.seen - before) == sent
