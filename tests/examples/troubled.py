"""A game that is played to its end while its server comes and goes and lines are cut."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.examples.proxy import Proxy
from tests.live.player import Json, Player, next_move
from tests.live.server import Live, healthy
from tests.live.wire import NoAnswer

ASKED: Json = {
    "rules": {"preset": "farkle", "options": {"target": 10_000, "opening": 0}},
    "pass_and_play": True,
}
PACE_S = 0.1
"""A command, while there are troubles: they shall end before the game does."""

TROUBLES = ("cut", "stop", "cut", "kill", "cut", "stop", "cut")


@contextmanager
def live(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Live]:
    """A server of a test's own, healthy at the end."""
    server = Live(f"sqlite+aiosqlite:///{folder / 'hotdice.db'}", settings=settings)
    server.start()
    try:
        yield server
        healthy(server)
    finally:
        server.terminate()


async def play(player: Player, game: Json, server: Live, proxy: Proxy) -> Json:
    """To the end, through all `TROUBLES`; the game then."""
    chance = random.Random(7)
    troubles = asyncio.create_task(make_trouble(server, proxy, chance, TROUBLES))
    path = f"/v1/games/{game['id']}"
    try:
        while game["status"] != "finished":
            move = next_move(game, chance)
            try:
                answer = await player.ask(move.method, move.path, move.body)
                if answer.ok:
                    game = answer.json()["game"]
                else:  # it was done before the server went, or the rules refuse it
                    game = await player.do("GET", path)
            except (OSError, NoAnswer):
                await asyncio.sleep(PACE_S)
                continue
            if not troubles.done():
                await asyncio.sleep(PACE_S)
        assert troubles.done(), "too short a game to show anything"
        await troubles
        return game
    finally:
        troubles.cancel()


async def make_trouble(
    server: Live, proxy: Proxy, chance: random.Random, troubles: Sequence[str]
) -> None:
    """One trouble after the other, each when the follower has come back from the one before."""
    for trouble in troubles:
        await proxy.used()
        await asyncio.sleep(chance.uniform(0.2, 0.5))
        if trouble == "cut":
            proxy.cut()
            continue
        await asyncio.to_thread(server.kill if trouble == "kill" else server.terminate)
        proxy.unused()
        await asyncio.to_thread(server.start)
    await proxy.used()
