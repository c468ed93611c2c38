"""What is refused, and how: the same code from every stream, on a real client, with its reason."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

import pytest

from tests.live.player import SOLO, Player
from tests.live_streams.server import Serving, serving_on
from tests.live_streams.stores import Failing
from tests.live_streams.watching import LOBBY, MINE, watching
from tests.servers.postgres import PostgresServer

GAME = "/v1/games/{game_id}/stream"


class Refusal(NamedTuple):
    """What a handshake that is right in itself meets."""

    code: int
    error: str
    before: Callable[[Serving, Player, AsyncExitStack], Awaitable[None]]
    settings: dict[str, Any] = {}  # noqa: RUF012 — nobody writes to it


async def too_many(server: Serving, ana: Player, stack: AsyncExitStack) -> None:
    for _ in range(2):
        held = await stack.enter_async_context(watching(server.port, LOBBY, player=ana))
        await held.next("tables")


async def too_often(server: Serving, ana: Player, stack: AsyncExitStack) -> None:
    for _ in range(3):
        await ana.ask("GET", "/v1")


async def token_ended(server: Serving, ana: Player, stack: AsyncExitStack) -> None:
    assert (await ana.ask("DELETE", "/v1/players/me")).ok


async def stopping(server: Serving, ana: Player, stack: AsyncExitStack) -> None:
    server.parts.stop()


async def broken(server: Serving, ana: Player, stack: AsyncExitStack) -> None:
    assert isinstance(server.parts.store, Failing)
    server.parts.store.fails = True


REFUSALS = {
    "too many streams": Refusal(
        4429, "too_many_streams", too_many, {"rate_limits": True, "sockets_player": 2}
    ),
    "too many calls": Refusal(
        4429, "rate_limited", too_often, {"rate_limits": True, "limit_reads": 3}
    ),
    "a token that has ended": Refusal(4401, "unauthenticated", token_ended),
    "a server that stops": Refusal(1012, "restarting", stopping),
    "a fault of ours": Refusal(1011, "internal_error", broken, {"store_type": Failing}),
}


@asynccontextmanager
async def met(url: str, refusal: Refusal) -> AsyncIterator[tuple[Serving, Player, str]]:
    async with serving_on(url, **refusal.settings) as server, AsyncExitStack() as stack:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        await refusal.before(server, ana, stack)
        yield server, ana, game["id"]


@pytest.mark.parametrize("what", REFUSALS)
async def test_every_stream_refuses_alike(sqlite_url: str, what: str) -> None:
    await _all_refuse(sqlite_url, REFUSALS[what])


async def test_every_stream_refuses_alike_while_the_database_is_away(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    name = postgres_url.rpartition("/")[2]

    async def away(server: Serving, ana: Player, stack: AsyncExitStack) -> None:
        stack.enter_context(postgres_server.away(name))

    await _all_refuse(postgres_url, Refusal(1011, "store_unavailable", away))


async def _all_refuse(url: str, refusal: Refusal) -> None:
    async with met(url, refusal) as (server, ana, game_id):
        for path in (GAME.format(game_id=game_id), MINE, LOBBY):
            async with watching(server.port, path, player=ana) as watcher:
                code = await watcher.closed()
            assert (code, [f.get("code") for f in watcher.frames]) == (
                refusal.code,
                [refusal.error],
            ), path
