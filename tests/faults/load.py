"""Players who play on through anything, and what became of each of their commands."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from app.replaying import replayed
from tests.live.history import History
from tests.live.load import Table, exported, repeat_some, settled, tables_of
from tests.live.server import Live, healthy
from tests.live.wire import Reply

AGAIN_S = 0.05
"""Before what was not answered is sent again."""
RECOVERED_WITHIN_S = 60.0


@dataclass
class Stubborn(Table):
    """Sends what it has to say until it is answered, and notes how long that took."""

    answered: list[tuple[float, float]] = field(default_factory=list)
    """When each command was first sent, and when its answer was there."""
    away: Counter[str] = field(default_factory=Counter)
    """How often it was told to come back, by code."""
    _began: float = 0.0

    async def step(self) -> bool:
        if self.pending is None:
            self._began = time.monotonic()
        reached = await super().step()
        if self.pending is None:
            self.answered.append((self._began, time.monotonic()))
        return reached

    async def send(self, raw: bytes) -> Reply | None:
        answer = await super().send(raw)
        if answer is not None and answer.status == 503:
            assert answer.header("retry-after") is not None
            self.away[str(answer.code)] += 1
        return answer

    async def play(self, over: asyncio.Event) -> None:
        while not over.is_set():
            await self.step()
            if self.pending is not None:
                await asyncio.sleep(AGAIN_S)


class Load:
    """Tables that play at servers until told to stop."""

    def __init__(self, servers: Sequence[Live], tables: Sequence[Stubborn], history: History):
        self.servers = servers
        self.tables = tables
        self.history = history

    def answered(self, since: float, until: float = float("inf")) -> list[float]:
        """Seconds that the commands took which were answered in that time."""
        found = [each for table in self.tables for each in table.answered]
        return sorted(then - began for began, then in found if since <= then < until)

    def away(self) -> Counter[str]:
        return sum((table.away for table in self.tables), Counter())

    async def recovered(self, since: float) -> float:
        """Seconds until every table was answered again. Raises: TimeoutError."""

        def when(table: Stubborn) -> float | None:
            return next((then for _, then in reversed(table.answered) if then >= since), None)

        async with asyncio.timeout(RECOVERED_WITHIN_S):
            while any(when(table) is None for table in self.tables):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return time.monotonic() - since

    async def proved(self, url: str, repeats: int = 100) -> None:
        """Every command once and whole in the log, and as answered. Raises: AssertionError."""
        await settled(self.tables)
        await repeat_some(self.history, self.tables, repeats)
        port = self.tables[0].player.port
        self.history.check(logs := await exported(self.history, port))
        for game in logs:
            await replayed(url, game)
        self.servers[0].cli("verify", "--all")
        for server in self.servers:
            healthy(server)


@asynccontextmanager
async def load_on(servers: Sequence[Live], tables: int, seed: int) -> AsyncIterator[Load]:
    """So many tables, at each of the servers in turn; they play until this is left."""
    history, over = History(), asyncio.Event()
    async with tables_of(servers[0].port, tables, history, seed, Stubborn) as seated:
        for number, table in enumerate(seated):
            port = servers[number % len(servers)].port
            table.player = type(table.player)(table.player.id, table.player.token, port)
        playing = [asyncio.create_task(table.play(over)) for table in seated]
        try:
            yield Load(servers, seated, history)
            over.set()
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
