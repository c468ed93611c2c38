"""What must hold through a proxy: addresses, streams as they come, one reading of each byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.asyncapi.checked import FRAMES
from tests.live.corpus import framing, headers, paths
from tests.live.corpus.build import Case
from tests.live.player import SOLO, Player
from tests.live.server import Live, healthy
from tests.live.test_corpus import Arena, play
from tests.live.wire import Line, Reply, ask_once, request
from tests.proxies.proxy import KINDS, Proxy, binary, is_valid
from tests.spec.answers import spec

GUESTS = 5
WAITS_S = 0.5
AT_ONCE = 10
"""Requests; a proxy that waits for more of one does not hold up the next."""
BOTH = ("both lengths", "both, reversed")
"""
Of a length and chunks Caddy takes the chunks, drops the length, and reads what follows as the next
request of the same connection (RFC 9112, 6.3): two requests to the server too, each with its own
token. nginx refuses both lengths, as the server does.
"""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "nginx" and binary(name) is None:
        pytest.skip("nginx is in no package of Python's; CI installs it before the tests")
    assert binary(name), f"there is no {name}, which comes with the test tools"
    return name


@pytest.fixture
def behind(kind: str) -> Iterator[tuple[Live, Proxy]]:
    """A server that counts calls, and the proxy in front of it."""
    settings = {
        "HOTDICE_TRUSTED_PROXY_HOPS": "1",
        "HOTDICE_ALLOWED_HOSTS": "127.0.0.1",
        "HOTDICE_LIMIT_GUESTS": str(GUESTS),
    }
    with Live(settings=settings, rate_limits=True) as server:
        assert isinstance(server, Live)
        proxy = Proxy(kind, server.port)
        try:
            yield server, proxy
            spec().faults.clear()  # a proxy adds headers, and refuses in words of its own
            healthy(server)
        finally:
            proxy.stop()


def test_the_proxy_takes_the_file_that_is_shipped(kind: str) -> None:
    taken, said = is_valid(kind)
    assert taken, said


@pytest.mark.wide
async def test_a_forged_address_counts_for_its_sender(behind: tuple[Live, Proxy]) -> None:
    _, proxy = behind
    answers = [
        await ask_once(
            proxy.port,
            request(
                *("POST", "/v1/players", {"name": "Ana"}),
                headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.{number}"},
            ),
        )
        for number in range(GUESTS + 1)
    ]
    assert [answer.status for answer in answers] == [201] * GUESTS + [429]
    assert answers[-1].code == "rate_limited"


@pytest.mark.wide
async def test_streams_come_through_as_they_are_sent(behind: tuple[Live, Proxy]) -> None:
    _, proxy = behind
    ana = await Player.make(proxy.port)
    game = await ana.table(SOLO)
    path = f"/v1/games/{game['id']}"
    bearer = {"Authorization": f"Bearer {ana.token}"}
    line = await Line.open(proxy.port)
    asked = ana.raw("GET", f"{path}/events?after={game['version']}", accept="text/event-stream")
    line.write(asked)
    url = f"ws://127.0.0.1:{proxy.port}{path}/stream"
    async with connect(url, additional_headers=bearer, proxy=None) as socket:
        first: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 20))
        FRAMES.check(first, path + "/stream")
        assert first["version"] == game["version"]
        rolled = await ana.do("POST", f"{path}/roll")
        frame = first
        async with asyncio.timeout(20):
            while frame["type"] != "played":
                frame = json.loads(await socket.recv())
                FRAMES.check(frame, path + "/stream")
        assert frame["events"] == rolled["events"]
    told = b""
    async with asyncio.timeout(20):
        while b"dice_rolled" not in told:
            told += await line._reader.read(4_096)
    assert told.startswith(b"HTTP/1.1 200")
    line.cut()


@pytest.mark.wide
async def test_the_server_says_what_is_too_large(behind: tuple[Live, Proxy]) -> None:
    _, proxy = behind
    for size, code in ((16_385, "body_too_large"), (100_000, None)):
        body = b'{"name": "%b"}' % (b"a" * size)
        answer = await ask_once(proxy.port, request("POST", "/v1/players", body))
        assert answer.status == 413
        assert code is None or answer.code == code


async def _through(arena: Arena, case: Case) -> Reply | None:
    """None also where the proxy waits for more, as it may for half a minute."""
    try:
        async with asyncio.timeout(WAITS_S):
            return await play(arena, case)
    except TimeoutError:
        return None


@pytest.mark.wide
async def test_no_request_is_read_in_two_ways(behind: tuple[Live, Proxy], kind: str) -> None:
    """
    Whatever bytes arrive: the logs stay as they are, and whoever asks next gets its own answer.

    Refusals are the proxy's own where it does not take a request, also 501 and
    502, and without a code; the server broke nowhere.
    """
    _, proxy = behind
    through: Any = SimpleNamespace(port=proxy.port)
    arena = await Arena.open(through)
    before = await arena.logs()
    mine_body = (await arena.stranger.ask("GET", "/v1/players/me")).body
    wrong: dict[str, str] = {}
    every = (*framing.CASES, *headers.CASES, *paths.CASES)
    cases = [case for case in every if kind != "caddy" or case.name not in BOTH]
    for first in range(0, len(cases), AT_ONCE):
        some = cases[first : first + AT_ONCE]
        replies = await asyncio.gather(*(_through(arena, case) for case in some))
        for case, reply in zip(some, replies, strict=True):
            if reply is not None and reply.status >= 500 and reply.code is not None:
                wrong[case.name] = f"{reply.status} {reply.body[:200]!r}"
        next_answers = [await arena.stranger.ask("GET", "/v1/players/me") for _ in some]
        if any(answer.body != mine_body for answer in next_answers):
            wrong[f"{some[0].name} … {some[-1].name}"] = f"the next callers got {next_answers}"
    assert not wrong, wrong
    assert await arena.logs() == before
