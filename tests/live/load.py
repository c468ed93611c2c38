"""Players who play on, whatever becomes of the server, and write down what they saw."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from tests.live.history import History, Sent
from tests.live.player import SOLO, Json, Move, Player, next_move
from tests.live.wire import Line, NoAnswer, Reply, ask_once

T = TypeVar("T", bound="Table")


@dataclass
class Table:
    """One player at one table after the other, a command at a time."""

    player: Player
    history: History
    chance: random.Random
    game: Json | None = None
    asked: Json = field(default_factory=lambda: SOLO)
    """The table it opens when its game is over."""
    pending: Sent | None = None
    """Sent, and not answered yet."""
    _line: Line | None = field(default=None, repr=False)
    _numbers: int = 0

    async def step(self) -> bool:
        """The next command, or the pending one again. False when the server cannot be reached."""
        command = self.pending or self._next()
        self.pending = command
        answer = await self.send(command.raw)
        if answer is not None and answer.status == 503:  # says nothing, but: come back
            command.answers.append(None)
            return True
        command.answers.append(answer)
        if answer is None:
            return False
        self.pending = None
        await self._look(answer)
        return True

    def _next(self) -> Sent:
        if self.game is None or self.game["status"] == "finished":
            move = Move("POST", "/v1/games", self.asked)
        else:
            move = next_move(self.game, self.chance)
        self._numbers += 1
        return self.history.open(self.player.raw(*move, key=f"key-{self._numbers}"))

    async def _look(self, answer: Reply) -> None:
        """What the table looks like now."""
        if answer.ok:
            data = answer.json()
            self.game = data.get("game", data)
        else:
            assert self.game is not None, answer
            path = f"/v1/games/{self.game['id']}"
            found = await self.send(self.player.raw("GET", path))
            if found is not None and found.ok:
                self.game = found.json()

    async def send(self, raw: bytes) -> Reply | None:
        """None where the connection broke before an answer was complete."""
        try:
            if self._line is None:
                self._line = await Line.open(self.player.port)
            return await self._line.ask(raw)
        except (NoAnswer, OSError):
            self.hang_up()
            return None

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.cut()
            self._line = None

    async def settle(self) -> None:
        """Send what is pending until it is answered."""
        for _ in range(200):
            if self.pending is None:
                return
            if not await self.step():
                await asyncio.sleep(0.02)


@asynccontextmanager
async def tables_of(
    port: int, count: int, history: History, seed: int, kind: type[T]
) -> AsyncIterator[list[T]]:
    """So many tables, each with a player of its own; at the end they hang up."""
    players = [await Player.make(port) for _ in range(count)]
    tables = [kind(p, history, random.Random(f"{seed} {n}")) for n, p in enumerate(players)]
    try:
        yield tables
    finally:
        for table in tables:
            table.hang_up()


async def play_on(tables: Sequence[Table]) -> None:
    """All tables at once, each until the server cannot be reached."""

    async def on(table: Table) -> None:
        while await table.step():
            pass

    await asyncio.gather(*map(on, tables))


async def repeat_some(history: History, tables: Sequence[Table], count: int) -> None:
    """Commands that were answered long ago, sent once more."""
    port, chance = tables[0].player.port, tables[0].chance
    answered = [c for c in history.sent if c.answer is not None and c.answer.ok]
    for command in chance.sample(answered, min(count, len(answered))):
        command.answers.append(await ask_once(port, command.raw))


async def settled(tables: Sequence[Table]) -> None:
    """Everything pending is answered."""
    await asyncio.gather(*(table.settle() for table in tables))


async def exported(history: History, port: int) -> dict[str, bytes]:
    """The logs of all games that were played."""
    reader = await Player.make(port)
    return {
        game: (await reader.ask("GET", f"/v1/games/{game}/export")).body
        for game in sorted(history.games())
    }
