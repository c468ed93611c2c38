"""Connections that send no whole request: each is ended in time, whatever it sends instead."""

from __future__ import annotations

import asyncio

import pytest

from app.live.http import HotdiceHttp
from tests.live.player import SOLO, Player
from tests.live.wire import request
from tests.live_streams.bare import bare
from tests.live_streams.server import serving_on

JSON = b"POST /v1/players HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
LIVE = request("GET", "/health/live")

UNFINISHED = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "half a line": b"GET /v1",
    "half a head": b"GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    "half a body": JSON + b'Content-Length: 50\r\n\r\n{"name": ',
    "half a chunk": JSON + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "half a second one": LIVE + b"GET /v1 HTTP/1.1\r\n",
    "half a handshake": b"GET /v1/lobby/stream HTTP/1.1\r\nUpgrade: websocket\r\n",
}


class Hasty(HotdiceHttp):
    whole_within_s = 0.5


@pytest.mark.parametrize("what", UNFINISHED)
async def test_who_does_not_come_to_an_end_is_cut_off(sqlite_url: str, what: str) -> None:
    async with serving_on(sqlite_url, http=Hasty) as server, bare(server.port) as line:
        line.say(UNFINISHED[what])
        said = await line.rest()
        assert said.count(b"HTTP/1.1 ") == UNFINISHED[what].startswith(LIVE)
        assert not server.uvicorn.server_state.connections


async def test_who_has_asked_may_wait(sqlite_url: str) -> None:
    """For an answer, and on a stream; and between two requests as long as ever."""
    async with serving_on(sqlite_url, http=Hasty) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        poll = f"/v1/games/{game['id']}/events?wait=2&after={game['version']}"
        assert (await ana.ask("GET", poll)).ok
        async with bare(server.port) as line:
            line.say(LIVE)
            await asyncio.sleep(2 * Hasty.whole_within_s)
            line.say(LIVE + request("GET", "/health/live", headers={"Connection": "close"}))
            assert (await line.rest()).count(b"HTTP/1.1 200 ") == 3
