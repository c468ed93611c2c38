"""A player who follows a game and commands over the same WebSocket."""

from __future__ import annotations

import itertools
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.live.player import Json, Player, next_move
from tests.live_streams.follower import Follower, following

ACKS = ("answered", "refused")


class Commander(Follower):
    """Its commands are numbered, unless they are sent with an `id`."""

    numbers: itertools.count[int]

    async def say(self, command: str, **fields: Any) -> Any:
        """Sends a command; its id."""
        message = {"id": next(self.numbers), "command": command, **fields}
        await self.send(message)
        return message["id"]

    async def ask(self, command: str, **fields: Any) -> Json:
        """A command's acknowledgement, which is the next there is."""
        asked = await self.say(command, **fields)
        told = await self.next(*ACKS)
        assert told["id"] == asked
        return told

    async def do(self, command: str, **fields: Any) -> Json:
        """The answer to a command that is carried out."""
        told = await self.ask(command, **fields)
        assert (told["type"], told["status"]) == ("answered", 200), told
        answer: Json = told["answer"]
        return answer

    async def code_of(self, command: str, **fields: Any) -> str:
        """Of the problem of a command that is refused."""
        told = await self.ask(command, **fields)
        assert told["type"] == "refused", told
        code: str = told["problem"]["code"]
        return code

    async def game(self) -> Json:
        """As the frames tell it, at the version of the newest acknowledgement."""
        acked = max((f["version"] for f in self.frames if f["type"] == "answered"), default=0)
        while (last := self.told) is None or last["version"] < acked:
            await self.next("state", "played")
        return last

    @property
    def told(self) -> Json | None:
        """The game of the newest frame."""
        games = (f["game"] for f in reversed(self.frames) if f["type"] in ("state", "played"))
        return next(games, None)

    @property
    def version(self) -> int:
        """Of the frames; acknowledgements may be ahead of them, or behind."""
        kinds = ("state", "resumed", "played")
        return next((f["version"] for f in reversed(self.frames) if f["type"] in kinds), -1)

    @property
    def events(self) -> list[Json]:
        return [event for frame in self.frames for event in frame.get("events", ())]


@asynccontextmanager
async def commanding(
    player: Player, game_id: str, query: str = "", *, port: int | None = None, **how: Any
) -> AsyncIterator[Commander]:
    """
    Args:
        how: as of `following`; `token=None` for a player who does not say who it is.
    """
    how = {"token": player.token, **how}
    async with following(port or player.port, game_id, query, **how) as follower:
        commander = Commander(follower.connection)
        commander.numbers = itertools.count(1)
        yield commander


def spoken(game: Json, chance: random.Random) -> Json:
    """A command for the seat to move, with its fields. The rules may refuse to bank."""
    move = next_move(game, chance)
    return {"command": move.path.rsplit("/", 1)[1], **(move.body or {})}


async def play_out(commanders: list[Commander], seed: int) -> Json:
    """From the lobby to the end, each command by whoever holds the seat to move; the last game."""
    chance = random.Random(seed)
    game = await commanders[0].game()
    while game["status"] != "finished":
        seat = game["legal"]["seat"] if game["legal"] else 0
        own = commanders[seat % len(commanders)]
        told = await own.ask(**spoken(game, chance))
        if told["type"] == "refused":
            assert told["problem"]["code"] in ("below_opening", "must_roll_hot_dice"), told
            continue
        for commander in commanders:
            while (last := commander.told) is None or last["version"] < told["version"]:
                await commander.next("state", "played")
            game = last
    return game
