"""Cut off at each step of the protocol, a hundred times: nothing is left, nobody complains."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable

import pytest

from tests.live.player import SOLO, Player
from tests.live.server import Live
from tests.live.wire import ask_once
from tests.live_streams.bare import Bare, bare
from tests.live_streams.corpus.build import CLOSE, PING, TEXT, frame, text
from tests.live_streams.corpus.handshakes import LINES, request
from tests.live_streams.metrics import comes_down, metric
from tests.live_streams.test_following import LONG, play

pytestmark = pytest.mark.wide

TIMES = 100
AT_ONCE = 20

Way = Callable[[Bare], object]
WAYS: tuple[Way, ...] = (Bare.vanish, Bare.leave, Bare.say_no_more)


class Place:
    """Where a step takes place."""

    def __init__(self, port: int, ana: Player, game: str, private: str) -> None:
        self.port = port
        self.ana = ana
        self.game = game
        self._private = private

    def shake(self, path: str = "", *, is_private: bool = False, token: str = "") -> bytes:
        path = path or f"/v1/games/{self._private if is_private else self.game}/stream"
        lines = [f"Authorization: Bearer {token}".encode()] if token else []
        return request(*LINES, *lines, path=path.encode())


async def nothing_said(line: Bare, at: Place) -> None:
    """Connected."""


async def half_a_line(line: Bare, at: Place) -> None:
    line.say(at.shake()[:20])


async def half_a_handshake(line: Bare, at: Place) -> None:
    line.say(at.shake()[:-2])


async def a_handshake(line: Bare, at: Place) -> None:
    line.say(at.shake())


async def a_handshake_answered(line: Bare, at: Place) -> None:
    await line.shake(at.shake())


async def the_first_frame(line: Bare, at: Place) -> None:
    await line.shake(at.shake(token=at.ana.token))
    await line.next()


async def half_a_header(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say(text("x" * 200)[:3])


async def half_a_payload(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say(text("x" * 200)[:100])


async def half_a_message(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say(frame(TEXT, b"{", fin=False))


async def pings(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say((text('{"type": "ping"}') + frame(PING)) * 5)


async def no_token_yet(line: Bare, at: Place) -> None:
    await line.shake(at.shake(is_private=True))


async def a_token(line: Bare, at: Place) -> None:
    await line.shake(at.shake(is_private=True))
    line.say(text(f'{{"type": "auth", "token": "{at.ana.token}"}}'))


async def a_bad_token(line: Bare, at: Place) -> None:
    await line.shake(at.shake(is_private=True))
    line.say(text('{"type": "auth", "token": "x"}'))


async def a_refused_message(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say(text("{"))


async def no_protocol(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say(frame(3, b"x"))


async def a_refused_address(line: Bare, at: Place) -> None:
    line.say(at.shake(f"/v1/games/{at.game}/stream?after=x"))


async def a_refusal_read(line: Bare, at: Place) -> None:
    await line.shake(at.shake(f"/v1/games/{at.game}/stream?after=x"))
    await line.next()


async def a_goodbye(line: Bare, at: Place) -> None:
    await the_first_frame(line, at)
    line.say(frame(CLOSE, b"\x03\xe8"))


async def a_goodbye_answered(line: Bare, at: Place) -> None:
    await a_goodbye(line, at)
    await line.until()


async def a_replay(line: Bare, at: Place) -> None:
    await line.shake(at.shake(f"/v1/games/{at.game}/stream?after=0"))
    await line.until("played")


async def ones_own_games(line: Bare, at: Place) -> None:
    await line.shake(at.shake("/v1/players/me/stream", token=at.ana.token))


async def the_lobby(line: Bare, at: Place) -> None:
    await line.shake(at.shake("/v1/lobby/stream"))
    await line.next()


async def events(line: Bare, at: Place) -> None:
    line.say(
        b"GET /v1/games/%b/events?after=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Accept: text/event-stream\r\n\r\n" % at.game.encode()
    )
    await line.some()


async def a_long_poll(line: Bare, at: Place) -> None:
    path = f"/v1/games/{at.game}/events?wait=20&after=2147483000"
    line.say(at.ana.raw("GET", path))


STEPS: tuple[Callable[[Bare, Place], Awaitable[None]], ...] = (
    *(nothing_said, half_a_line, half_a_handshake, a_handshake, a_handshake_answered),
    *(the_first_frame, half_a_header, half_a_payload, half_a_message, pings),
    *(no_token_yet, a_token, a_bad_token, a_refused_message, no_protocol),
    *(a_refused_address, a_refusal_read, a_goodbye, a_goodbye_answered, a_replay),
    *(ones_own_games, the_lobby, events, a_long_poll),
)


async def test_a_hundred_cuts_at_each_step_leave_nothing(process: Live) -> None:
    """While the game goes on: some cuts meet frames that are under way."""
    ana = await Player.make(process.port)
    game = await ana.table(LONG)
    game = await play(ana, game, 20)
    private = await ana.table(SOLO | {"visibility": "private"})
    at = Place(process.port, ana, game["id"], private["id"])
    async with bare(process.port) as first:  # from now on the background runs
        await the_first_frame(first, at)
    await comes_down(process, "streams")
    tasks, sockets = await metric(process, "tasks"), process.open_sockets()
    gate = asyncio.Semaphore(AT_ONCE)

    async def cut(step: Callable[[Bare, Place], Awaitable[None]], way: Way) -> None:
        async with gate, bare(process.port) as line:
            await step(line, at)
            await line.flushed()
            way(line)

    async def go_on() -> None:
        nonlocal game
        while True:
            game = await play(ana, game, 1, seed=game["version"])
            await asyncio.sleep(0.02)

    playing = asyncio.create_task(go_on())
    ways = itertools.cycle(WAYS)
    await asyncio.gather(*(cut(step, next(ways)) for _ in range(TIMES) for step in STEPS))
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    for name in ("streams", "games_followed"):
        await comes_down(process, name)
    await comes_down(process, "tasks", tasks)
    for _ in range(100):  # the last answers' connections close a moment after their tasks
        if process.open_sockets() <= sockets:
            break
        await asyncio.sleep(0.1)
    assert process.open_sockets() <= sockets
    assert (await ask_once(process.port, ana.raw("GET", f"/v1/games/{game['id']}"))).ok
