"""Watching one's games or the lobby: who may, what ends it, who is sent away; as for any stream."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from typing import Any

import pytest

from app.live.timing import Timing
from tests.live.player import SOLO, Player, gathered
from tests.live_streams.raw import HANDSHAKE, RawFollower
from tests.live_streams.server import Serving, serving_on, until
from tests.live_streams.watching import FARKLE, LOBBY, MINE, watching, watching_lobby, watching_mine

pytestmark = pytest.mark.wide

BOTH = pytest.mark.parametrize("path", [MINE, LOBBY])
QUICK = Timing(auth=0.2, tick=0.1, heartbeat=0.2, stall=0.5)


async def code_of(port: int, path: str, **how: Any) -> int | None:
    async with watching(port, path, **how) as watcher:
        return await watcher.closed()


async def test_every_way_to_bring_a_token(server: Serving, ana: Player) -> None:
    ticket = (await ana.do("POST", "/v1/tickets"))["ticket"]
    ways: list[dict[str, Any]] = [
        {"player": ana},
        {"protocols": (f"bearer.{ana.token}",)},
        {"protocols": ("hotdice.v1", f"bearer.{ana.token}")},
        {"query": f"?ticket={ticket}"},
    ]
    game = await ana.do("POST", "/v1/games", FARKLE)
    for how in ways:
        async with watching(server.port, MINE, **how) as watcher:
            assert [g["game_id"] for g in (await watcher.told("games"))["games"]] == [game["id"]]
    async with watching(server.port, MINE) as watcher:
        await watcher.send({"type": "auth", "token": ana.token})
        assert (await watcher.told("games"))["games"]
        await watcher.send({"type": "auth", "token": ana.token})
        assert await watcher.closed() == 1008
    assert await code_of(server.port, MINE, query=f"?ticket={ticket}") == 4401


async def test_ones_own_games_need_a_token_and_the_lobby_none(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=QUICK) as server:
        ana = await Player.make(server.port)
        assert await code_of(server.port, MINE) == 4401  # after a wait
        async with watching_lobby(server.port) as lobby:
            await lobby.send({"type": "auth", "token": ana.token})
            await lobby.next("heartbeat")
        async with watching_lobby(server.port, player=ana) as lobby:
            await lobby.next("heartbeat")
        for path in (MINE, LOBBY):
            eve = Player(ana.id, "nonsense", server.port)
            assert await code_of(server.port, path, player=eve) == 4401
            assert await code_of(server.port, path, query="?ticket=nonsense") == 4401


@BOTH
async def test_messages_and_origins_that_are_refused(sqlite_server: Serving, path: str) -> None:
    ana = await Player.make(sqlite_server.port)
    sent: list[tuple[str | bytes, int]] = [
        (b"\x00", 1003),
        ("{", 1007),
        ('{"type": "games"}', 1008),
        ("x" * 17 * 1024, 1009),
    ]
    for message, code in sent:
        async with watching(sqlite_server.port, path, player=ana) as watcher:
            await watcher.next("games", "tables")
            await watcher.send(message)
            assert await watcher.closed() == code
    async with watching(sqlite_server.port, path, player=ana) as watcher:
        await watcher.next("games", "tables")
        await watcher.send({"type": "ping"})
        await watcher.next("pong")
    evil = {"origin": "https://evil.example"}
    assert await code_of(sqlite_server.port, path, player=ana, **evil) == 1008
    answer = await ana.ask("GET", path)
    assert (answer.status, answer.code) == (426, "upgrade_required")


async def test_open_streams_of_all_kinds_are_counted_together(sqlite_url: str) -> None:
    limits: dict[str, Any] = {"sockets_player": 2, "sockets_address": 4}
    async with serving_on(sqlite_url, rate_limits=True, **limits) as server:
        ana = await Player.make(server.port)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(watching_mine(server.port, ana))
            await stack.enter_async_context(watching_lobby(server.port, player=ana))
            assert await code_of(server.port, MINE, player=ana) == 4429
            await stack.enter_async_context(watching_lobby(server.port))
            await stack.enter_async_context(watching_lobby(server.port))
            assert await code_of(server.port, LOBBY) == 4429
        await until(lambda: not len(server.parts.live.connections))
        assert not server.parts.live.players.watchers()
        assert not server.parts.live.lobby.watchers()
        async with watching_mine(server.port, ana):
            pass


async def test_a_revoked_token_ends_its_watchers_everywhere(postgres_url: str) -> None:
    async with serving_on(postgres_url) as one, serving_on(postgres_url) as other:
        ana = await Player.make(one.port)
        game = await ana.table(SOLO)
        new = (await ana.do("POST", "/v1/players/me/token"))["token"]
        async with (
            watching_mine(other.port, ana) as mine,
            watching_lobby(other.port, player=ana) as lobby,
        ):
            renewed = Player(ana.id, new, one.port)
            began = time.monotonic()
            await renewed.do("GET", "/v1/players/me")
            assert await gathered(mine.closed(), lobby.closed()) == [4401, 4401]
            assert time.monotonic() - began < 2.0 + 0.2
        await renewed.do("POST", f"/v1/games/{game['id']}/roll")
        assert [f["type"] for f in mine.frames] == ["games", "error"]
        async with watching_mine(other.port, renewed) as mine:
            assert mine.frames[0]["games"][0]["game_id"] == game["id"]


async def test_a_stop_sends_watchers_to_come_back(sqlite_url: str) -> None:
    async with serving_on(sqlite_url) as server:
        ana = await Player.make(server.port)
        async with (
            watching_mine(server.port, ana) as mine,
            watching_lobby(server.port) as lobby,
        ):
            server.stop()
            assert await gathered(mine.closed(), lobby.closed()) == [1012, 1012]


async def raw_watcher(port: int, path: str) -> RawFollower:
    """One that reads only when it is told to."""
    handshake = HANDSHAKE.replace("/v1/games/{game_id}/stream", path)
    return await RawFollower.open(port, "", handshake=handshake)


async def test_a_slow_watcher_is_closed_and_nobody_else_notices(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=QUICK) as server:
        ana = await Player.make(server.port)
        tables = [
            await ana.do("POST", "/v1/games", FARKLE | {"visibility": "public"}) for _ in range(20)
        ]
        slow = await raw_watcher(server.port, LOBBY)
        await until(server.parts.live.lobby.watchers)
        [watcher] = server.parts.live.lobby.watchers()
        outbox, longest = watcher.connection.outbox, 0
        async with watching_lobby(server.port) as healthy:
            while outbox.ended is None:
                hides = {"visibility": "private"}, {"visibility": "public"}
                for body in hides:
                    await gathered(*(ana.do("PATCH", f"/v1/games/{t['id']}", body) for t in tables))
                longest = max(longest, len(outbox._queue))
            last = await ana.do("POST", "/v1/games", FARKLE | {"visibility": "public"})
            while (await healthy.next()).get("table", {}).get("id") != last["id"]:
                pass
        assert outbox.ended.close == 4408
        assert longest < 8
        assert not watcher.has_list
        assert (await slow.read_to_the_end()).code in (4408, 1006)
        async with watching(server.port, LOBBY) as again:
            listed = (await again.told("tables"))["tables"]
        assert {t["id"] for t in listed} == {t["id"] for t in [*tables, last]}
