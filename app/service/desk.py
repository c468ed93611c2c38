"""
The desk every part of the service works at: ports, and orders that run to their end.

A request that is cut off while it waits cancels the wait, not the order: that commits or is
refused as a whole, and a retry with the same key learns which. Orders of requests that arrive
together share a transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from app.errors import VersionConflict
from app.faultpoints import passing
from app.ids import new_id
from app.log import note
from app.ports import (
    Announcer,
    Answer,
    Clock,
    Decision,
    Done,
    EventStore,
    Gap,
    Head,
    Order,
    Outcome,
    RandomBytes,
    Tell,
)
from app.service.calls import Call
from app.service.members import readable
from app.service.together import Together
from engine.units import Millis

Decide = Callable[[Head | None, tuple[bytes, ...]], Decision]

MayKnow = Callable[[Head | None, str], object]

STOP_S = 5.0
"""How long a stop waits for running orders; the server's own grace is longer."""


class Desk:
    def __init__(
        self,
        store: EventStore,
        announcer: Announcer,
        clock: Clock,
        random_bytes: RandomBytes,
        new_id: Callable[[], str] = new_id,
        gaps: Callable[[], Sequence[Gap]] = tuple,
        reveal_ms: Millis = 5_000,
    ) -> None:
        self.store = store
        self.announcer = announcer
        self.random_bytes = random_bytes
        self.new_id = new_id
        self.gaps = gaps
        """Times without service, which clocks do not count."""
        self.reveal_ms = reveal_ms
        """How long seats that contribute to the dice may take to reveal."""
        self.moved: list[Callable[[Head], None]] = []
        """Are told of every game that this process has moved, after the commit."""
        self.stored: list[Callable[[Done], None]] = []
        """Are given what this process has stored, before any hint of it."""
        self.stopping = False
        self._clock = clock
        self._running: set[asyncio.Task[Any]] = set()
        self._together = Together(self._append_all)

    def now(self) -> Millis:
        return self._clock.now()

    def seed(self) -> bytes:
        """A new secret for fair dice."""
        return self.random_bytes(32)

    async def change(
        self, call: Call, game_id: str, decide: Decide, may_know: MayKnow = readable
    ) -> Answer:
        """
        Runs an order on a game for a caller.

        Args:
            may_know: raises for a caller who may not even learn the game's version.
        Raises: what the order is refused with.
        """
        note(game=game_id)
        order = Order(
            game_id,
            decide,
            author=call.player.id,
            key=call.key,
            fingerprint=call.fingerprint,
            expected_version=call.expected_version,
        )
        outcome = await self._together.ask(order)
        if isinstance(outcome, Done):
            return outcome.answer
        if isinstance(outcome, VersionConflict):
            may_know(await self.store.head(game_id), call.player.id)
        raise outcome

    async def run(self, order: Order) -> Done:
        """Runs an order to its end, whatever becomes of the caller."""
        outcome = await self._together.ask(order)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def run_all(self, orders: Sequence[Order]) -> Sequence[Outcome]:
        """Orders of the server's own, to their end; outcome i belongs to order i."""
        if not orders:
            return ()
        task = asyncio.create_task(self._append_all(orders))
        self._running.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def _append_all(self, orders: Sequence[Order], tell: Tell | None = None) -> list[Outcome]:
        def stands(order: Order, outcome: Outcome) -> None:
            if isinstance(outcome, Done) and outcome.events and not outcome.repeated:
                self._spread(outcome)
            if tell is not None:
                tell(order, outcome)

        passing("before_append")
        return await self.store.append(orders, stands)

    def _spread(self, done: Done) -> None:
        """A game has moved."""
        passing("before_hint")
        for give in self.stored:
            give(done)
        self.announcer.announce(done.head.game.setup.game_id, done.head.version)
        for tell in self.moved:
            tell(done.head)
        passing("after_hint")

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # seen, also when nobody waits any more

    @property
    def is_idle(self) -> bool:
        """No order waits and none runs."""
        return self._together.is_idle and not self._running

    async def idle(self) -> None:
        """Returns when the orders there are have come to their end."""
        await self._together.idle()
        if self._running:
            await asyncio.wait(set(self._running))

    def stop(self) -> None:
        """Whoever waits for news is sent home, as soon as it is woken."""
        self.stopping = True

    async def drain(self) -> None:
        """For a stop: no more waiting for news; returns when running orders are through."""
        self.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self.idle()
