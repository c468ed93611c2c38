"""Who may follow, how they say who they are, and what ends it: as real clients learn it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from app.live.timing import Timing
from app.tickets import TicketOffice
from app.tokens import hash_of
from tests.live.player import SOLO, Json, Player
from tests.live_streams.follower import code_of, following
from tests.live_streams.server import Serving, serving_on
from tests.store.orders import StoppedClock

PRIVATE: Json = SOLO | {"visibility": "private", "pass_and_play": False}
QUICK = Timing(auth=0.2)
NOWHERE = "01936f2e-7b1c-7000-8000-000000000000"


async def test_every_way_to_bring_a_token(server: Serving, ana: Player) -> None:
    game = await ana.table(PRIVATE, start=False)
    ticket = (await ana.do("POST", "/v1/tickets"))["ticket"]
    ways: list[dict[str, Any]] = [
        {"token": ana.token},
        {"subprotocols": [f"bearer.{ana.token}"]},
        {"subprotocols": ["hotdice.v1", f"bearer.{ana.token}"]},
        {"query": f"?ticket={ticket}"},
    ]
    for how in ways:
        async with following(server.port, game["id"], **how) as follower:
            assert (await follower.next())["type"] == "state"
            assert (await follower.next())["seats"] == [0]
            asked = how.get("subprotocols", ())
            chosen = "hotdice.v1" if "hotdice.v1" in asked else None
            assert follower.connection.subprotocol == chosen
    async with following(server.port, game["id"]) as follower:
        await follower.send({"type": "auth", "token": ana.token})
        assert (await follower.next())["type"] == "state"
    assert await code_of(server.port, game["id"], f"?ticket={ticket}") == 4401  # used up


async def test_a_ticket_dies_with_its_token(server: Serving, ana: Player) -> None:
    game = await ana.table(PRIVATE, start=False)
    answer = await ana.do("POST", "/v1/tickets", {})
    assert answer["expires_at"].endswith("Z")
    assert (await ana.ask("DELETE", "/v1/players/me")).ok
    query = f"?ticket={answer['ticket']}"
    assert await code_of(server.port, game["id"], query) == 4401
    assert (await ana.ask("POST", "/v1/tickets")).status == 401


@pytest.mark.parametrize(("age_ms", "opens"), [(15_000, True), (30_000, False)])
async def test_a_ticket_lives_for_thirty_seconds(
    server: Serving, ana: Player, age_ms: int, opens: bool
) -> None:
    game = await ana.table(PRIVATE, start=False)
    parts = server.parts
    bought = TicketOffice(parts.tickets._tickets, StoppedClock(parts.clock.now() - age_ms))
    ticket = await bought.issue(ana.id, hash_of(ana.token.encode()))
    async with following(server.port, game["id"], f"?ticket={ticket.ticket}") as follower:
        first = await follower.next()
    assert (first["type"], first.get("code")) == (
        ("state", None) if opens else ("error", "unauthenticated")
    )


async def test_a_public_table_needs_no_token_and_takes_one_later(
    server: Serving, ana: Player
) -> None:
    game = await ana.table(SOLO)
    async with following(server.port, game["id"]) as follower:
        assert (await follower.next())["type"] == "state"
        assert (await follower.next())["seats"] == []
        await follower.send({"type": "auth", "token": ana.token})
        assert (await follower.next("presence"))["seats"] == [0, 1]
        await follower.send({"type": "auth", "token": ana.token})
        assert await follower.closed() == 1008


BAD_WAYS: list[dict[str, Any]] = [
    {"token": "nonsense"},
    {"token": "x" * 300},
    {"headers": {"Authorization": "Basic YTpi"}},
    {"headers": {"Authorization": "Bearer"}},
    {"subprotocols": ["bearer.nonsense"]},
    {"subprotocols": ["bearer.a", "bearer.b"]},
    {"query": "?ticket=nonsense"},
    {"query": "?ticket="},
]


@pytest.mark.parametrize("how", BAD_WAYS)
async def test_a_bad_token_is_refused_also_where_none_is_needed(
    sqlite_server: Serving, how: dict[str, Any]
) -> None:
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    async with following(sqlite_server.port, game["id"], **how) as follower:
        assert await follower.closed() == 4401
    [error] = follower.frames
    assert (error["type"], error["code"]) == ("error", "unauthenticated")


async def test_a_private_table_is_no_table_to_others(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=QUICK) as server:
        ana, eve = await Player.make(server.port), await Player.make(server.port, "Eve")
        game = await ana.table(PRIVATE, start=False)
        for game_id in (game["id"], NOWHERE):
            assert await code_of(server.port, game_id, token=eve.token) == 4404
            assert await code_of(server.port, game_id) == 4401  # after a wait
            async with following(server.port, game_id) as follower:
                await follower.send({"type": "auth", "token": eve.token})
                assert await follower.closed() == 4404
            async with following(server.port, game_id) as follower:
                await follower.send({"type": "auth", "token": "nonsense"})
                assert await follower.closed() == 4401
        assert await code_of(server.port, "no-id", token=eve.token) == 4404
        assert server.hub.channels == {}


async def test_who_is_removed_sees_nothing_of_it(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    game = await ana.table(PRIVATE, bo, start=False)
    path = f"/v1/games/{game['id']}"
    async with (
        following(server.port, game["id"], token=ana.token) as host,
        following(server.port, game["id"], token=bo.token) as removed,
    ):
        assert (await removed.next("presence"))["seats"] == [0, 1]
        await host.next("state")
        await ana.do("PATCH", f"{path}/seats/1", {"kind": "closed"})
        assert await removed.closed() == 4403
        assert [f["type"] for f in removed.frames] == ["state", "presence", "error"]
        await host.next("played")
        assert (await host.next("presence"))["seats"] == [0]
    assert await code_of(server.port, game["id"], token=bo.token) == 4404


async def test_a_table_that_becomes_private_loses_its_spectators(
    server: Serving, ana: Player
) -> None:
    game = await ana.table(SOLO, start=False)
    async with (
        following(server.port, game["id"]) as spectator,
        following(server.port, game["id"], "?after=0", token=ana.token) as host,
    ):
        await spectator.next("presence")
        await host.next("presence")
        await ana.do("PATCH", f"/v1/games/{game['id']}", {"visibility": "private"})
        assert await spectator.closed() == 4403
        assert "played" not in [f["type"] for f in spectator.frames]
        assert (await host.next("played"))["game"]["visibility"] == "private"


async def test_a_ban_ends_the_streams_of_its_player_everywhere(postgres_url: str) -> None:
    async with serving_on(postgres_url) as one, serving_on(postgres_url) as other:
        ana = await Player.make(one.port)
        game = await ana.table(SOLO)
        async with following(other.port, game["id"], token=ana.token) as follower:
            await follower.next("state")
            await one.parts.players.ban(ana.id)
            assert await follower.closed() == 4401


async def test_a_revoked_token_ends_its_streams_everywhere(postgres_url: str) -> None:
    async with serving_on(postgres_url) as one, serving_on(postgres_url) as other:
        ana = await Player.make(one.port)
        game = await ana.table(SOLO)
        ticket = (await ana.do("POST", "/v1/tickets"))["ticket"]
        new = (await ana.do("POST", "/v1/players/me/token"))["token"]
        async with (
            following(other.port, game["id"], token=ana.token) as by_token,
            following(other.port, game["id"], f"?ticket={ticket}") as by_ticket,
            following(other.port, game["id"]) as spectator,
        ):
            for follower in (by_token, by_ticket, spectator):
                await follower.next("presence")
            renewed = Player(ana.id, new, one.port)
            began = time.monotonic()
            await renewed.do("GET", "/v1/players/me")  # the first use ends the old one
            codes = await asyncio.gather(by_token.closed(), by_ticket.closed())
            assert list(codes) == [4401, 4401]
            assert time.monotonic() - began < 2.0 + 0.2  # what is promised, and this test's own
            await renewed.do("POST", f"/v1/games/{game['id']}/roll")
            await spectator.next("played")
        for follower in (by_token, by_ticket):
            assert "played" not in [f["type"] for f in follower.frames]


ORIGINS = [
    (None, True),
    ("http://127.0.0.1:{port}", True),
    ("HTTP://127.0.0.1:{port}", True),
    ("https://play.example", True),
    ("https://play.example:443", True),
    ("https://PLAY.example", True),
    ("null", False),
    ("", False),
    ("http://127.0.0.1", False),
    ("https://127.0.0.1:{port}", True),  # TLS ends in front of this process
    ("http://127.0.0.1:{port}.evil.example", False),
    ("http://127.0.0.1:1{port}", False),
    ("http://evil.example#@127.0.0.1:{port}", False),
    ("http://localhost:{port}", False),
    ("http://play.example", False),
    ("https://play.example:444", False),
    ("https://play.example.evil.example", False),
    ("https://evilplay.example", False),
    ("https://user@play.example", False),
    ("https://play.example/", False),
    ("https://play.example?", False),
    ("file://", False),
    ("chrome-extension://play.example", False),
    ("https://play.example https://evil.example", False),
]


async def test_origins(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, cors_origins=("https://play.example",)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        for origin, allowed in ORIGINS:
            sent = None if origin is None else origin.format(port=server.port)
            async with following(server.port, game["id"], origin=sent) as follower:
                first = await follower.next()
                assert (first["type"] == "state") is allowed, origin
                if not allowed:
                    assert first["code"] == "origin_not_allowed"
                    assert await follower.closed() == 1008


async def test_hosts_that_are_not_served(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, allowed_hosts=("127.0.0.1",)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with following(server.port, game["id"]) as follower:
            assert (await follower.next())["type"] == "state"
        headers = {"Host": "evil.example"}
        assert await code_of(server.port, game["id"], headers=headers) == 1008
