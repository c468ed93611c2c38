"""One who follows game after game, over lines that are cut anywhere, at whichever process."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.cluster.roamer import Roamer
from tests.cluster.soak.lines import Asked, Cut, Ended, Line
from tests.cluster.soak.seen import Seen, Tally, Told
from tests.live.player import Json


@dataclass
class Follower:
    """
    Args:
        by: `websocket` or `sse`.
        most_bytes: what a line may bring before it is cut, at most.
    """

    ports: Sequence[int]
    tables: Sequence[Roamer]
    seen: Seen
    tally: Tally
    chance: random.Random
    by: str
    view: str
    most_bytes: int
    games: list[Told] = field(default_factory=list)
    _port: int = 0
    _was_cut: bool = False

    async def follow(self) -> None:
        """Until cancelled."""
        while True:
            told = await self._game()
            line = None
            try:
                line = await self._open(told, self._bytes_until_cut())
                while not told.is_over:
                    await line.read(lambda frame: self.seen.take(told, frame))  # noqa: B023
            except Cut:
                self._was_cut = True
            except Ended as ended:
                self.tally.ends[str(ended)] += 1
                await asyncio.sleep(self.chance.uniform(0.02, 0.2))
            finally:
                self._leave(line)

    async def finish(self, newest: Mapping[str, int]) -> None:
        """Read on to the end of every game, over lines that are not cut."""
        for told in self.games:
            while told.version is None or told.version < newest[told.game_id]:
                line = None
                try:
                    line = await self._open(told, None)
                    await self._read_to(newest[told.game_id], line, told)
                except Ended as ended:
                    self.tally.ends[str(ended)] += 1
                    await asyncio.sleep(0.1)
                finally:
                    self._leave(line)

    async def _read_to(self, newest: int, line: Line, told: Told) -> None:
        """A WebSocket is then asked for a pong, before which nothing else may come."""
        pongs: list[Json] = []

        def take(frame: Json) -> None:
            self.seen.take(told, frame)
            if frame["type"] == "pong":
                pongs.append(frame)

        while told.version is None or told.version < newest:
            await line.read(take)
        if self.by == "websocket":
            line.say('{"type": "ping"}')
            while not pongs:
                await line.read(take)

    def _bytes_until_cut(self) -> int:
        """Often few, so that handshakes and first frames are torn too; seldom very many."""
        return int(self.most_bytes ** math.sqrt(self.chance.random()))

    async def _game(self) -> Told:
        """The one it follows, or another when that is over."""
        if self.games and not self.games[-1].is_over:
            return self.games[-1]
        table = self.chance.choice(self.tables)
        while table.game is None or table.game["turn"] is None:  # noqa: ASYNC110 — a reply, no event
            await asyncio.sleep(0.05)
        self.games.append(Told(table.game["id"], 0 if self.chance.random() < 0.5 else None))
        return self.games[-1]

    async def _open(self, told: Told, most: int | None) -> Line:
        """To any process, from the version seen last. Raises: Ended."""
        before, self._port = self._port, self.chance.choice(self.ports)
        self.tally.moves += before not in (0, self._port)
        self.tally.cuts += self._was_cut
        self._was_cut = False
        line = await Line.open(self._port, self._asked(told), most)
        self.tally.connections += 1
        return line

    def _asked(self, told: Told) -> Asked:
        query, headers = self.view, ""
        if told.version is not None:
            if self.by == "sse" and self.chance.random() < 0.5:
                headers += f"Last-Event-ID: {told.version}\r\n"
            else:
                query = f"{query}&after={told.version}"
        if self.chance.random() < 0.2:
            token = self.chance.choice(self.tables).player.token
            headers += f"Authorization: Bearer {token}\r\n"
        return Asked(told.game_id, f"?{query.lstrip('&')}", headers, self.by)

    def _leave(self, line: Line | None) -> None:
        if line is not None:
            self.tally.bytes += line.bytes
            line.hang_up()
