"""
Games of two on Hotdice, each player over a stream of its own: who is to move asks, and both are
sent what it did.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Any

from benchmarks.client import TIMEOUT_S, Load
from benchmarks.players import TersePlayer, guests, seated
from benchmarks.spoken import ENDLESS, Endless, Stream, StreamFleet, handshake
from engine.rules import Rules

ENDS_A_TURN = ("turn_banked", "turn_busted")


class Duel(Endless):
    """
    A game without end of two new players, both of whom play by the events.

    Args:
        view: of their streams: `full` brings the game with each move, `events` what has changed.
    """

    def __init__(self, port: int, rules: Rules, view: str) -> None:
        tokens = guests(port, 2)
        TersePlayer.__init__(self, tokens[0], rules)
        game = seated(port, tokens, ENDLESS)
        self._path = f"/v1/games/{game['id']}"
        self._next("roll")
        self.mover: int = game["turn"]["seat"]
        self.handshakes = [handshake(self._path, token, view) for token in tokens]

    def _read(self, answer: dict[str, Any]) -> None:
        super()._read(answer)
        if any(event["type"] in ENDS_A_TURN for event in answer["events"]):
            self.mover = 1 - self.mover


class Seat(Stream):
    """The stream of one of the two."""

    def __init__(self, duel: Duel, seat: int, pair: list[Seat], load: Load, most: int) -> None:
        super().__init__(duel, load, most)
        self._duel = duel
        self._seat = seat
        self._pair = pair
        if pair:
            self.done = pair[0].done  # who of them is asked last ends the game for both
        pair.append(self)

    def handshake(self) -> bytes:
        return self._duel.handshakes[self._seat]

    def goes_on(self) -> None:
        self._pair[self._duel.mover].ask()


class DuelFleet(StreamFleet):
    """Two open streams for each game, for one round."""

    async def _follow(self) -> None:
        loop = asyncio.get_running_loop()
        self._movers: list[Seat] = []
        for duel in self._scripts:
            assert isinstance(duel, Duel)
            pair: list[Seat] = []
            for seat in (0, 1):
                made = partial(Seat, duel, seat, pair, self._load, self._count)
                _, stream = await loop.create_connection(made, "127.0.0.1", self._ports[0])
                self._streams.append(stream)
            self._movers.append(pair[duel.mover])
        await asyncio.wait_for(asyncio.gather(*(s.has_begun for s in self._streams)), TIMEOUT_S)

    async def run(self) -> Load:
        """All commands, each by who is to move. Raises: Unexpected."""
        began = time.perf_counter()
        for stream in self._movers:
            stream.ask()
        await asyncio.wait_for(asyncio.gather(*(s.done for s in self._movers)), TIMEOUT_S)
        self._load.seconds = time.perf_counter() - began
        return self._load
