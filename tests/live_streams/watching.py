"""Watchers of one's own games and of the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

from tests.live.player import Json, Player
from tests.live_streams.follower import Follower

MINE, LOBBY = "/v1/players/me/stream", "/v1/lobby/stream"
FARKLE: Json = {"rules": {"preset": "farkle", "options": {"target": 2000, "opening": 0}}}
LONG: Json = {"rules": {"preset": "farkle", "options": {"target": 20_000, "opening": 0}}}
"""No handful of turns ends it."""
QUIET_S = 1.2
"""Long enough for a look by the poll, and for what it finds."""


class Watching(Follower):
    """One WebSocket of a watcher."""

    async def told(self, *kinds: str) -> Json:
        """The next message, which is of one of these kinds; heartbeats are passed over."""
        while True:
            message = await self.next()
            if message["type"] != "heartbeat":
                assert message["type"] in kinds, message
                return message

    async def quiet(self, seconds: float = QUIET_S) -> None:
        """Nothing is told for a while."""
        message: Json = {"type": "heartbeat"}
        try:
            async with asyncio.timeout(seconds):
                while message["type"] == "heartbeat":
                    message = await self.next()
        except TimeoutError:
            return
        raise AssertionError(message)


@asynccontextmanager
async def watching(
    port: int,
    path: str,
    *,
    player: Player | None = None,
    query: str = "",
    origin: str | None = None,
    protocols: tuple[str, ...] = (),
    **options: Any,
) -> AsyncIterator[Watching]:
    """A watcher, by the bearer header of a player."""
    headers = {"Authorization": f"Bearer {player.token}"} if player else {}
    async with connect(
        f"ws://127.0.0.1:{port}{path}{query}",
        additional_headers=headers,
        origin=None if origin is None else Origin(origin),
        subprotocols=[Subprotocol(name) for name in protocols] or None,
        compression=None,
        proxy=None,
        ping_interval=None,
        close_timeout=2,
        **options,
    ) as connection:
        yield Watching(connection)


@asynccontextmanager
async def watching_mine(port: int, player: Player, **how: Any) -> AsyncIterator[Watching]:
    """A player's watcher, which has had its list."""
    async with watching(port, MINE, player=player, **how) as watcher:
        await watcher.told("games")
        yield watcher


@asynccontextmanager
async def watching_lobby(port: int, **how: Any) -> AsyncIterator[Watching]:
    """A watcher of the lobby, which has had its list."""
    async with watching(port, LOBBY, **how) as watcher:
        await watcher.told("tables")
        yield watcher


async def two_players(port: int) -> tuple[Player, Player]:
    return await Player.make(port, "Ana"), await Player.make(port, "Bo")


async def move(player: Player, game_id: str) -> Json:
    """One command of whose turn it is: roll, or bank what scores most; the game after it."""
    path = f"/v1/games/{game_id}"
    game = await player.do("GET", path)
    if game["turn"]["phase"] == "to_roll":
        played = await player.do("POST", f"{path}/roll")
    else:
        best = max(game["legal"]["selections"], key=lambda choice: choice["points"])
        selection = {key: best[key] for key in ("dice", "wild_face") if key in best}
        played = await player.do("POST", f"{path}/bank", {"select": selection})
    after: Json = played["game"]
    return after


async def end_turn(player: Player, game_id: str) -> Json:
    """Commands until the turn has passed, or the game is over."""
    seat = (await player.do("GET", f"/v1/games/{game_id}"))["turn"]["seat"]
    while True:
        game = await move(player, game_id)
        if game["turn"] is None or game["turn"]["seat"] != seat:
            return game
