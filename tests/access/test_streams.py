"""Every stream by everybody, however the token travels; and what ends a stream that was let in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from tests.access.matrix import VISIBILITIES, YES, read
from tests.access.stage import Role, Stage
from tests.access.test_matrix import answer
from tests.live.wire import Line, request
from tests.live_streams.follower import Follower

MATRIX = read()
CLOSE = {"unauthenticated": 4401, "token_expired": 4401, "scope_missing": 4403}
CLOSE["game_not_found"] = 4404
AT_ONCE = 10
GAME = "/v1/games/{game_id}/stream"


@asynccontextmanager
async def opened(
    stage: Stage, path: str, headers: Iterable[bytes] = (), protocols: Iterable[str] = ()
) -> AsyncIterator[Follower]:
    sent = [tuple(h.decode("latin-1").split(": ", 1)) for h in headers if b": " in h]
    async with connect(
        f"ws://127.0.0.1:{stage.server.port}{path}",
        additional_headers=[(name, value) for name, value in sent],
        subprotocols=[Subprotocol(name) for name in protocols] or None,
        compression=None,
        proxy=None,
        ping_interval=None,
        close_timeout=2,
    ) as connection:
        yield Follower(connection)


async def word(follower: Follower) -> str:
    """`yes`, or the code with which the stream was refused; the close code must be its own."""
    first = await follower.next()
    if first["type"] != "error":
        return YES
    code: str = first["code"]
    closed = await follower.closed()
    return code if closed == CLOSE[code] else f"{code}, closed with {closed}"


async def all_of(checks: Iterable[Awaitable[str | None]]) -> int:
    """Runs them, some at a time; how many there were, none of which had anything to say."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def run(check: Awaitable[str | None]) -> str | None:
        async with gate:
            return await check

    said = await asyncio.gather(*(run(check) for check in checks))
    wrong = [found for found in said if found]
    assert not wrong, "\n".join(wrong)
    return len(said)


def token_of(role: Role) -> str | None:
    """What it would send elsewhere than in the header."""
    if len(role.headers) != 1 or not role.headers[0].isascii():
        return None
    return role.headers[0].decode().partition("Bearer ")[2] or None


def game_id(stage: Stage, visibility: str) -> str:
    found: str = stage.tables[visibility, "running"]["id"]
    return found


async def test_a_stream_opens_to_whoever_may_and_to_nobody_else(stage: Stage) -> None:
    async def check(path: str, name: str, visibility: str) -> str | None:
        role, row = stage.roles[name], MATRIX.streams[path]
        expected = answer(MATRIX, row, role, visibility)
        async with opened(
            stage, path.format(game_id=game_id(stage, visibility)), role.headers
        ) as follower:
            found = await word(follower)
        return None if found == expected else f"{path} × {name} × {visibility}: {found}"

    asked = await all_of(
        check(path, name, visibility)
        for path in MATRIX.streams
        for visibility in (VISIBILITIES if path == GAME else VISIBILITIES[:1])
        for name in stage.roles
    )
    assert asked > 100


Way = Callable[[Stage, str, str], Awaitable[str]]


async def by_protocol(stage: Stage, path: str, token: str) -> str:
    async with opened(stage, path, protocols=("hotdice.v1", f"bearer.{token}")) as follower:
        return await word(follower)


async def by_message(stage: Stage, path: str, token: str) -> str:
    async with opened(stage, path) as follower:
        await follower.send({"type": "auth", "token": token})
        return await word(follower)


@pytest.mark.parametrize("way", [by_protocol, by_message])
async def test_a_token_is_worth_the_same_however_it_travels(stage: Stage, way: Way) -> None:
    async def check(name: str, token: str) -> str | None:
        path = GAME.format(game_id=game_id(stage, "private"))
        expected = answer(MATRIX, MATRIX.streams[GAME], stage.roles[name], "private")
        found = await way(stage, path, token)
        return None if found == expected else f"{name}: {found}, not {expected}"

    tokens = {name: token_of(role) for name, role in stage.roles.items()}
    assert await all_of(check(name, token) for name, token in tokens.items() if token) > 15


async def test_a_ticket_is_worth_the_token_it_was_bought_with_once(stage: Stage) -> None:
    async def check(name: str, ticket: str) -> str | None:
        path = f"{GAME.format(game_id=game_id(stage, 'private'))}?ticket={ticket}"
        expected = answer(MATRIX, MATRIX.streams[GAME], stage.roles[name], "private")
        async with opened(stage, path) as follower:
            found = await word(follower)
        async with opened(stage, path) as follower:
            again = await word(follower)
        ok = found == expected and again == "unauthenticated"
        return None if ok else f"{name}: {found}, {again}"

    bought = {}
    for name, role in stage.roles.items():
        reply = await stage.send("POST", "/v1/tickets", None, role.headers)
        if reply.ok:
            bought[name] = reply.json()["ticket"]
    assert {"host", "host, read", "spectator", "bot account"} <= set(bought)
    assert not {"host, play", "host, create", "nobody", "an operator"} & set(bought)
    await all_of(check(name, ticket) for name, ticket in bought.items())


async def test_events_over_http_open_to_whoever_may_read(stage: Stage) -> None:
    async def check(name: str, visibility: str) -> str | None:
        role, row = stage.roles[name], MATRIX.calls["GET /v1/games/{game_id}/events"]
        expected = answer(MATRIX, row, role, visibility)
        path = f"/v1/games/{game_id(stage, visibility)}/events"
        raw = request("GET", path, headers={"Accept": "text/event-stream"})
        head, _, rest = raw.partition(b"\r\n")
        line = await Line.open(stage.server.port)
        line.write(b"\r\n".join((head, *role.headers, rest)))
        if expected == YES:
            first = await asyncio.wait_for(line._reader.readuntil(b"\r\n\r\n"), 10)
            found = YES if b" 200 OK" in first and b"text/event-stream" in first else str(first)
        else:
            reply = await line.read()
            found = str(reply.code)
        line.cut()
        return None if found == expected else f"{name} × {visibility}: {found}"

    await all_of(check(name, visibility) for name in stage.roles for visibility in VISIBILITIES)


async def test_no_message_of_anybody_does_anything_but_say_who_one_is(stage: Stage) -> None:
    """There are no commands over streams: what a socket says can change no game."""
    before = await stage.do(stage.cast["host"], "GET", f"/v1/games/{game_id(stage, 'public')}")
    said = ({"type": "roll"}, {"type": "auth"}, {"type": "auth", "token": 1}, {"type": "state"})

    async def check(name: str, message: object) -> str | None:
        path = GAME.format(game_id=game_id(stage, "public"))
        async with opened(stage, path, stage.roles[name].headers) as follower:
            await follower.send(message)
            closed = await follower.closed()
        return None if closed == 1008 else f"{name}: {json.dumps(message)} ended with {closed}"

    names = ("nobody", "spectator", "player", "host", "bot account", "host, read")
    await all_of(check(name, message) for name in names for message in said)
    after = await stage.do(stage.cast["host"], "GET", f"/v1/games/{game_id(stage, 'public')}")
    assert {**after, "now": None} == {**before, "now": None}


async def test_a_stream_ends_within_two_seconds_of_its_token(stage: Stage) -> None:
    host, loop = stage.cast["host"], asyncio.get_running_loop()
    path = GAME.format(game_id=game_id(stage, "private"))
    short = await stage.scoped(host, "read", expires_in_s=300)
    revoked = await stage.scoped(host, "read")
    ticket = await stage.do(replace(host, token=revoked["token"]), "POST", "/v1/tickets")
    async with (
        opened(stage, path, (b"Authorization: Bearer " + short["token"].encode(),)) as expires,
        opened(stage, path, (b"Authorization: Bearer " + revoked["token"].encode(),)) as ends,
        opened(stage, f"{path}?ticket={ticket['ticket']}") as ends_too,
        opened(stage, path, stage.roles["host"].headers) as stays,
    ):
        for follower in (expires, ends, ends_too, stays):
            await follower.next("presence")
        began = loop.time()
        await stage.do(host, "DELETE", f"/v1/players/me/tokens/{revoked['id']}")
        stage.clock.ahead_ms += 300_000
        codes = await asyncio.gather(*(f.closed() for f in (expires, ends, ends_too)))
        took = loop.time() - began
        assert codes == [4401] * 3
        assert [f.frames[-1]["code"] for f in (expires, ends, ends_too)] == ["unauthenticated"] * 3
        await stage.do(host, "GET", "/v1/players/me")
        await stays.send({"type": "ping"})
        await stays.next("pong")
    assert took < 10, "2 s, and as much as a busy machine takes"
