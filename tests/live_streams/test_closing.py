"""Every way the server closes, as a real client sees it; nothing a client sends ends in 1006."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import ConnectionClosed

from app.live.timing import Timing
from tests.live.player import SOLO, Player
from tests.live_streams.follower import code_of, following
from tests.live_streams.server import Serving, serving_on

MESSAGES: list[tuple[str | bytes | list[str], int]] = [
    (b"\x00\x01", 1003),
    (b"", 1003),
    ('{"type": "ping"', 1007),
    ("", 1007),
    ("\ufeff{}", 1007),
    ("NaN", 1007),
    ('{"type": "ping", "type": "ping"}', 1007),
    ("[" * 16_000, 1007),
    ("[" * 900 + "]" * 900, 1007),
    ('{"a":' * 2_000 + "1" + "}" * 2_000, 1007),
    ("9" * 5_000, 1007),
    ('{"type": ' + "9" * 5_000 + "}", 1007),
    ('{"type": 1e400}', 1007),
    ('{"type": "\\ud800"}', 1007),
    ("null", 1008),
    ("[]", 1008),
    ("{}", 1008),
    ('"ping"', 1008),
    ("1", 1008),
    ('{"type": "pong"}', 1008),
    ('{"type": ["ping"]}', 1008),
    ('{"type": "ping", "more": 1}', 1008),
    ('{"type": "auth"}', 1008),
    ('{"type": "auth", "token": 7}', 1008),
    ('{"type": "auth", "token": "%s"}' % ("x" * 300), 1008),
    ('{"type": "auth", "token": "zo\u00eb"}', 4401),
    ("x" * 17 * 1024, 1009),
    (b"x" * 17 * 1024, 1009),
    ("x" * 1024 * 1024, 1009),
    (["x" * 9_000, "x" * 9_000], 1009),
    (['{"ty', 'pe": "pi', 'ng"}', ""], 0),
]


@pytest.mark.parametrize("message", MESSAGES, ids=range(len(MESSAGES)))
async def test_whatever_a_client_sends(
    sqlite_server: Serving, message: tuple[str | bytes | list[str], int]
) -> None:
    sent, code = message
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    async with following(sqlite_server.port, game["id"]) as follower:
        await follower.next("presence")
        try:
            await follower.connection.send(sent)
        except ConnectionClosed:
            assert code == 1009  # a large one may be refused before it is through
        if code == 0:
            assert (await follower.next())["type"] == "pong"
        else:
            assert await follower.closed() == code
            if code != 1009:
                assert follower.frames[-1]["type"] == "error"


RAW = [
    (b"\x81\x05hello", 1002),  # not masked
    (b"\x83\x80\0\0\0\0", 1002),  # a reserved opcode
    (b"\xf1\x80\0\0\0\0", 1002),  # reserved bits
    (b"\x80\x80\0\0\0\0", 1002),  # goes on with nothing
    (b"\x89\xfe\x00\x7e\0\0\0\0" + b"x" * 126, 1002),  # a ping too long
    (b"\x88\x82\0\0\0\0\x03\xed", 1002),  # a close with a code that is not sent
    (b"\x81\x82\0\0\0\0\xff\xfe", 1007),  # not UTF-8
]


@pytest.mark.parametrize("raw", RAW, ids=range(len(RAW)))
async def test_raw_bytes_are_answered_with_a_code(
    sqlite_server: Serving, raw: tuple[bytes, int]
) -> None:
    sent, code = raw
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    async with following(sqlite_server.port, game["id"]) as follower:
        await follower.next("presence")
        follower.connection.transport.write(sent)
        assert await follower.closed() == code


async def test_parameters_and_versions_that_cannot_be(sqlite_server: Serving) -> None:
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    bad = ("-1", "+1", "1_0", "01", "1.0", "x", "", "%20", "99999999999", "٣")
    queries = [f"?after={text}" for text in bad]
    queries += ["?after=1&after=1", "?view=all", "?view=", "?view=events&view=events"]
    queries += [f"?x={'y' * 2_000}"]
    for query in queries:
        async with following(sqlite_server.port, game["id"], query) as follower:
            assert await follower.closed() == 1008, query
        assert follower.frames[0]["code"] == "invalid_request"
    for after in (game["version"] + 1, 2**31 - 1):
        async with following(sqlite_server.port, game["id"], f"?after={after}") as follower:
            assert await follower.closed() == 4409
        assert follower.frames[0]["code"] == "version_not_found"
    async with following(sqlite_server.port, game["id"], f"?after={game['version']}&x=1") as last:
        assert (await last.next())["type"] == "resumed"


async def test_limits_of_open_streams(sqlite_url: str) -> None:
    async with serving_on(
        sqlite_url, rate_limits=True, sockets_token=2, sockets_spectators=3, sockets_address=6
    ) as server:
        ana = await Player.make(server.port)
        game, other = await ana.table(SOLO), await ana.table(SOLO)
        async with AsyncExitStack() as stack:

            async def hold(game_id: str, token: str | None = None) -> None:
                held = following(server.port, game_id, token=token)
                await (await stack.enter_async_context(held)).next("state")

            await hold(game["id"], ana.token)
            await hold(game["id"], ana.token)
            assert await code_of(server.port, game["id"], token=ana.token) == 4429
            for _ in range(3):
                await hold(game["id"])
            assert await code_of(server.port, game["id"]) == 4429
            await hold(other["id"])
            async with following(server.port, other["id"]) as follower:
                assert await follower.closed() == 4429
            assert follower.frames[0]["code"] == "too_many_streams"
        await asyncio.sleep(0.05)
        async with following(server.port, game["id"], token=ana.token) as follower:
            assert (await follower.next())["type"] == "state"


async def test_who_does_not_say_who_it_is_waits_a_while_and_in_a_small_crowd(
    sqlite_url: str,
) -> None:
    timing = Timing(auth=0.5)
    async with serving_on(sqlite_url, timing=timing, rate_limits=True, sockets_waiting=3) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO | {"visibility": "private"})
        codes = await asyncio.gather(*(code_of(server.port, game["id"]) for _ in range(5)))
        assert sorted(code or 0 for code in codes) == [4401, 4401, 4401, 4429, 4429]


async def test_who_talks_without_end_is_cut_off(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, rate_limits=True) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with following(server.port, game["id"]) as follower:
            for _ in range(61):
                await follower.send({"type": "ping"})
            assert await follower.closed() == 1008
        assert [f["type"] for f in follower.frames].count("pong") == 60


async def test_pings_heartbeats_and_a_clean_goodbye(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=Timing(tick=0.05, heartbeat=0.1)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with following(server.port, game["id"]) as follower:
            await follower.next("presence")
            await follower.next("heartbeat")
            await follower.next("heartbeat")
            await follower.send({"type": "ping"})
            assert (await follower.next("pong"))["now"].endswith("Z")
            await follower.connection.close()
        assert follower.connection.close_code == 1000


async def test_without_an_upgrade_the_address_says_what_it_is_for(sqlite_server: Serving) -> None:
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    answer = await ana.ask("GET", f"/v1/games/{game['id']}/stream")
    assert (answer.status, answer.code) == (426, "upgrade_required")
