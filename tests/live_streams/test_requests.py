"""
Connections that send no whole request, take no answer, or ask without end: each is ended in time.
"""

from __future__ import annotations

import asyncio
import re
import socket

import pytest

from app.live.http import MOST_WAITING, WHOLE, HotdiceHttp
from tests.live.player import SOLO, Player
from tests.live.wire import request
from tests.live_streams.bare import bare
from tests.live_streams.server import serving_on, until

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


async def test_addresses_and_heads_have_their_most(sqlite_url: str) -> None:
    longest = "/health/live?" + "a" * (2**16 - 1 - len("/health/live?"))
    asked = {
        request("GET", longest, headers={"Connection": "close"}): 200,
        request("GET", longest + "a"): 400,
        LIVE.removesuffix(b"\r\n") + b"X-Long: " + b"a" * 200_000: 431,
    }
    async with serving_on(sqlite_url) as server:
        for sent, status in asked.items():
            async with bare(server.port) as line:
                line.say(sent)
                said = await line.rest()
            assert said.startswith(b"HTTP/1.1 %d " % status)
            assert (b"text/plain" in said) is (status != 200)


class InTwo(HotdiceHttp):
    """Every answer goes the way of uvicorn, in two messages."""

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.scope["extensions"].pop(WHOLE, None)


async def test_an_answer_in_one_piece_is_the_one_in_two(sqlite_url: str) -> None:
    heads: list[set[bytes]] = []
    for http in (HotdiceHttp, InTwo):
        async with serving_on(sqlite_url, http=http, rate_limits=True) as server:
            ana = await Player.make(server.port)
            game = await ana.table(SOLO)
            path = f"/v1/games/{game['id']}"
            calls = request("POST", f"{path}/roll", token=ana.token)
            calls += request(
                "POST", f"{path}/end", token=ana.token, headers={"Connection": "close"}
            )
            async with bare(server.port) as line:
                line.say(calls)
                first, second = (b"HTTP" + part for part in (await line.rest()).split(b"HTTP")[1:])
        for answer, closes in ((first, False), (second, True)):
            head, _, body = answer.partition(b"\r\n\r\n")
            lines = set(head.split(b"\r\n"))
            assert b"content-length: %d" % len(body) in lines
            assert (b"connection: close" in lines) == closes
            heads.append({VOLATILE.sub(rb"\1", each) for each in lines})
    assert heads[:2] == heads[2:]
    assert any(each.startswith(b"etag: ") for each in heads[0])
    assert b"ratelimit-remaining" in heads[0]


VOLATILE = re.compile(rb"(x-request-id|date|content-length|ratelimit-(?:remaining|reset)): .*")

PAGE = request("GET", "/verify/verify.js")
"""The largest answer that costs nothing to make."""


class Narrow(HotdiceHttp):
    """Little waits in the kernel, for this test to be over soon."""

    taken_within_s = 0.5

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        own = transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        super().connection_made(transport)


def narrow_line(port: int) -> socket.socket:
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.connect(("127.0.0.1", port))
    line.setblocking(False)
    return line


@pytest.mark.parametrize("last", [b"", b"Connection: close\r\n"])
async def test_who_takes_no_answer_is_cut_off(sqlite_url: str, last: bytes) -> None:
    """Also when the answer has been made, and the connection waits for nothing but its end."""
    loop = asyncio.get_running_loop()
    async with serving_on(sqlite_url, http=Narrow) as server:
        with narrow_line(server.port) as line:
            await loop.sock_sendall(line, PAGE[:-2] + last + b"\r\n")
            open_now = server.uvicorn.server_state.connections
            await until(lambda: open_now)
            [connection] = open_now
            assert isinstance(connection, Narrow)
            assert await until(connection.transport.get_write_buffer_size) < 5
            assert await until(lambda: not open_now, 5) >= 0.4


async def test_who_takes_its_answer_slowly_gets_all_of_it(sqlite_url: str) -> None:
    loop = asyncio.get_running_loop()
    async with serving_on(sqlite_url, http=Narrow) as server:
        with narrow_line(server.port) as line:
            await loop.sock_sendall(line, PAGE[:-2] + b"Connection: close\r\n\r\n")
            began, taken = loop.time(), b""
            while part := await loop.sock_recv(line, 4_096):
                taken += part
                await asyncio.sleep(0.1)
        assert loop.time() - began > 2 * Narrow.taken_within_s
        head, _, body = taken.partition(b"\r\n\r\n")
        assert b"content-length: %d" % len(body) in head


async def test_who_asks_on_and_on_without_waiting_is_cut_off(sqlite_url: str) -> None:
    """What a quarter of a megabyte asks for would take hundreds of megabytes to remember."""
    closing = request("GET", "/x", headers={"Connection": "close"})
    async with serving_on(sqlite_url) as server:
        async with bare(server.port) as line:
            line.say(request("GET", "/x") * MOST_WAITING + closing)
            assert (await line.rest()).count(b"HTTP/1.1 404 ") == MOST_WAITING + 1
        async with bare(server.port) as line:
            line.say(request("GET", "/x") * 9_000)
            assert (await line.rest()).count(b"HTTP/1.1 404 ") <= MOST_WAITING
        async with bare(server.port) as line:
            line.say(request("GET", "/x") * (MOST_WAITING + 1) + closing)
            assert (await line.rest()).count(b"HTTP/1.1 404 ") <= MOST_WAITING
        assert not server.uvicorn.server_state.connections
