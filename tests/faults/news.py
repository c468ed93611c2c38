"""What a follower at another process hears of a table, and how late."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.faults.load import Load, Stubborn

WAIT_S = 10


class News:
    """One table of the first process, followed by long polls at the second."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._table = load.tables[0]
        self._port = load.servers[1].port
        self._seen: dict[str, list[int]] = {}
        self._heard: list[tuple[str, int, float]] = []
        self._answered: dict[tuple[str, int], float] = {}
        self._outages: list[tuple[float, float]] = []

    @classmethod
    @asynccontextmanager
    async def of(cls, load: Load) -> AsyncIterator[News]:
        news = cls(load)
        tasks = [asyncio.create_task(news._follow()), asyncio.create_task(news._note())]
        try:
            yield news
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def outage(self, began: float, ended: float) -> None:
        self._outages.append((began, ended))

    def latest(self) -> float:
        """Seconds after the answer, at most, at which a version was heard of while it was away."""
        late = [
            when - self._answered[game, version]
            for game, version, when in self._heard
            if (game, version) in self._answered
            and any(began <= self._answered[game, version] < end for began, end in self._outages)
        ]
        assert late, "nothing happened while the bus was away"
        return max(0.0, *late)

    def proved(self) -> None:
        """Every event once and in order. Raises: AssertionError."""
        for game, versions in self._seen.items():
            assert versions == [*range(versions[0], versions[0] + len(versions))], game

    async def _note(self) -> None:
        """When this table's versions were answered."""
        table: Stubborn = self._table
        while True:
            if table.game is not None:
                self._answered.setdefault(
                    (table.game["id"], table.game["version"]), time.monotonic()
                )
            await asyncio.sleep(0.002)

    async def _follow(self) -> None:
        while self._table.game is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while True:
            game = self._table.game["id"]
            seen = self._seen.setdefault(game, [0])
            path = f"/v1/games/{game}/events?after={seen[-1]}&limit=200&wait={WAIT_S}"
            page = await self._table.player.do("GET", path, port=self._port)
            now = time.monotonic()
            seen += [event["version"] for event in page["items"]]
            self._heard += [(game, event["version"], now) for event in page["items"]]
            if any(event["type"] == "fairness_revealed" for event in page["items"]):
                while self._table.game["id"] == game:  # noqa: ASYNC110 — nothing more comes there
                    await asyncio.sleep(0.002)
