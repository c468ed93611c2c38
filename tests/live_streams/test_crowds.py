"""Many at once who want nothing: they are bounded, they go, and others come and play meanwhile."""

from __future__ import annotations

import asyncio
import itertools
import resource
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from tests.live.player import SOLO, Player
from tests.live.server import Live, healthy
from tests.live_streams.bare import CUT, Bare, bare
from tests.live_streams.corpus.build import TEXT, frame, text
from tests.live_streams.corpus.handshakes import LINES, request
from tests.live_streams.follower import code_of, following
from tests.live_streams.metrics import comes_down, streams

ADDRESSES = 100
OF_EACH = 20
WAITING = 200
"""What is allowed by default: streams of an address, and in all of those without a token."""


def address(number: int) -> str:
    """One of many addresses of this machine."""
    return f"127.0.{1 + number // 200}.{1 + number % 200}"


def handshake(game_id: str) -> bytes:
    return request(*LINES, path=f"/v1/games/{game_id}/stream".encode())


@asynccontextmanager
async def crowd(port: int, *say: bytes) -> AsyncIterator[list[Bare]]:
    """Two thousand connections, all open, none of which says more than one of these."""
    async with AsyncExitStack() as stack:
        lines = []
        for number in range(ADDRESSES):
            opened = (bare(port, source=address(number)) for _ in range(OF_EACH))
            lines += await asyncio.gather(*map(stack.enter_async_context, opened))
        for line, said in zip(lines, itertools.cycle(say), strict=False):
            line.say(said)
        yield lines


@pytest.fixture(autouse=True)
def _many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def ended(line: Bare) -> int | None:
    """The close code of one that reads, and says nothing either at the end."""
    if await line.answered() != 101:
        return None
    await line.until()
    return line.code


@pytest.mark.wide
async def test_two_thousand_who_do_not_say_who_they_are() -> None:
    with Live(rate_limits=True) as server:
        assert isinstance(server, Live)
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        private = await ana.table(SOLO | {"visibility": "private"})
        async with crowd(server.port, handshake(private["id"])) as lines:
            reading = [asyncio.create_task(ended(line)) for line in lines]
            async with following(server.port, game["id"], token=ana.token) as follower:
                await follower.next("state")
                await ana.do("POST", f"/v1/games/{game['id']}/roll")
                await follower.next("played")
                assert await streams(server) > WAITING / 2, "they are there"
            codes = Counter(await asyncio.gather(*reading))
            assert codes.keys() == {4401, 4429}
            assert codes[4401] >= WAITING, "more, where the first had to go before the last came"
            assert codes.total() == len(lines)
            await comes_down(server, "streams")
        healthy(server)


@pytest.mark.wide
async def test_two_thousand_who_say_nothing_or_half_a_word() -> None:
    with Live(rate_limits=True) as server:
        assert isinstance(server, Live)
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        sockets = server.open_sockets()
        async with crowd(server.port, b"", handshake(game["id"])[:-2]) as lines:
            async with following(server.port, game["id"], token=ana.token) as follower:
                await follower.next("state")
                await ana.do("POST", f"/v1/games/{game['id']}/roll")
                await follower.next("played")
            assert server.open_sockets() > len(lines) / 2, "they are there"
            assert not any(await asyncio.gather(*(line.rest() for line in lines)))
        assert server.open_sockets() <= sockets
        healthy(server)


async def test_at_the_limit_sockets_are_refused_and_calls_are_served() -> None:
    with Live(rate_limits=True, settings={"HOTDICE_SOCKETS_ADDRESS": "3"}) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with AsyncExitStack() as stack:
            held = [
                await stack.enter_async_context(following(server.port, game["id"]))
                for _ in range(3)
            ]
            for follower in held:
                await follower.next("state")
            for _ in range(20):
                assert await code_of(server.port, game["id"], token=ana.token) == 4429
            await ana.do("POST", f"/v1/games/{game['id']}/roll")
            assert (await ana.ask("GET", f"/v1/games/{game['id']}")).ok
            for follower in held:
                await follower.next("played")


SOCKETS = 300
MOST_MIB = 30.0


async def test_three_hundred_sockets_cost_little() -> None:
    """Each with nearly the longest message half sent; one that is too long is refused."""
    with Live() as server:
        assert isinstance(server, Live)
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with following(server.port, game["id"]) as follower:
            await follower.next("state")
        before = server.resident_mib()
        async with AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(bare(server.port)) for _ in range(SOCKETS)]
            for line in lines:
                await line.shake(handshake(game["id"]))
                await line.next()
                line.say(frame(TEXT, b" " * 16_000, fin=False))
            assert await streams(server) == SOCKETS
            assert server.resident_mib() - before < MOST_MIB
            for line in lines:
                line.say(frame(0, b" " * 1_000, fin=False))
            await asyncio.gather(*(line.until() for line in lines))
            assert {line.code for line in lines} == {1009}
            async with bare(server.port) as line:
                await line.shake(handshake(game["id"]))
                line.say(text(" " * 17 * 1024))
                await line.until()
                assert line.code == 1009 != CUT
