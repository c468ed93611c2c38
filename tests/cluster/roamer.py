"""Players who go on at another process when theirs is away."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from tests.live.load import Table
from tests.live.wire import Reply


@dataclass
class Roamer(Table):
    """Goes on at the other process when this one is away."""

    ports: tuple[int, ...] = ()
    pace_s: float = 0.0
    """From one command to the next, on average."""

    async def send(self, raw: bytes) -> Reply | None:
        answer = await super().send(raw)
        if answer is None and self.ports:
            self.hang_up()
            here = self.ports.index(self.player.port)
            self.player = replace(self.player, port=self.ports[here - 1])
        return answer

    async def play_until(self, over: asyncio.Event) -> None:
        while not over.is_set():
            if not await self.step():
                await asyncio.sleep(0.01)
            elif self.pace_s:
                await asyncio.sleep(self.chance.uniform(0, 2 * self.pace_s))
