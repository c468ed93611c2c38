"""
What moves series on: games are opened one after the other, as others end.

The ids of all games are drawn with the series, and they are opened in the order of their numbers.
So a game opens once, whoever opens it: the second one finds it there. Whoever has seen m games open
and f of them over opens up to number f + `at_once`; both only grow, so there are never more at a
time. Nothing else is kept of a series' progress: what runs and what is over is in the games.

A series moves on when one of its games ends, by the process that wrote the end; and every few
seconds any process looks after all of them, for those whose process died.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Iterable
from functools import partial
from typing import Any

from app.log import log
from app.ports import Answer, Decision, GameExists, Head, Order, SittersGone
from app.series import model
from app.series.model import Recorded, Series, SeriesGame
from app.series.plan import Pairing
from app.series.store import SeriesStore
from app.service.deciding import Seeds, decided
from app.service.desk import STOP_S, Desk
from app.service.starting import start
from app.service.timing import closing
from engine.commands import Create
from engine.decide import transition
from engine.dice import server_commit
from engine.state import Finished

OPEN_LIVES_MS = 24 * 60 * 60 * 1000
"""Whoever is still missing then will not come."""

LOOKED_AFTER = 500
"""Series looked after at a time."""


class SeriesRunner:
    def __init__(self, desk: Desk, store: SeriesStore) -> None:
        self._desk = desk
        self._store = store
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        desk.moved.append(self._moved)

    async def look(self) -> None:
        """Moves on every series that is not over; waits for none of them."""
        before = self._desk.now() - OPEN_LIVES_MS
        for series_id in await self._store.unfinished(before, LOOKED_AFTER):
            self.push(series_id)

    def _moved(self, head: Head) -> None:
        # A game with a host was opened by a player; those of series have none.
        game = head.game
        if isinstance(game, Finished) and game.setup.host is None:
            game_id = game.setup.game_id
            self._spawn(f"{game_id} {game.result.reason}", self._moves_on(game_id))

    async def _moves_on(self, game_id: str) -> None:
        series_id = await self._store.series_of(game_id)
        if series_id is not None:
            self.push(series_id)

    def push(self, series_id: str) -> None:
        """Moves a series on, soon; once more, where that goes on already."""
        if self._desk.stopping:
            return
        if series_id in self._tasks:
            self._again.add(series_id)
        else:
            self._spawn(series_id, self._until_still(series_id))

    async def _until_still(self, series_id: str) -> None:
        self._again.add(series_id)
        while series_id in self._again:
            self._again.discard(series_id)
            while not self._desk.stopping and await self._advance(series_id):
                pass

    def _spawn(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, context=contextvars.Context())
        self._tasks[name] = task
        task.add_done_callback(partial(self._over, name))

    def _over(self, name: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(name, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("series_failed", id=name, exc_info=error)  # the next look tries again
        if name in self._again and not self._desk.stopping:
            self._again.discard(name)
            if task.cancelled() or task.exception() is None:
                self.push(name)

    async def close(self) -> None:
        """Lets what moves series on come to the end of its step; the desk must be stopping."""
        tasks = list(self._tasks.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=STOP_S)
            for task in late:
                task.cancel()

    async def _advance(self, series_id: str) -> bool:
        """One step; whether there may be another."""
        series = await self._store.get(series_id)
        if series is None or series.status == "finished":
            return False
        if series.status == "open":
            return await self._expire(series)
        waiting = await self._store.unrecorded(series_id, 2 * series.at_once)
        if not waiting:
            await self._set(series_id, model.finished)
            if series.status == "running":
                return False
        opened = [game for game in waiting if game.is_open]
        over = await self.ended(opened)
        if over:
            await self._store.record(series_id, over)
        running = [game for game in opened if not game.is_over]
        if series.status in ("stopping", "cancelled"):
            for game in running:
                await self._end(game.game_id)
            if not opened and series.status == "stopping":
                await self._set(series_id, model.stopped)
            return bool(opened)
        planned = [game for game in waiting if not game.is_open]
        room = planned[: max(series.at_once - len(running), 0)]
        pairings = series.plan()
        for game in room:
            if not await self._open(series, game.game_id, pairings[game.number]):
                break  # somebody else did: what was read is no longer so
        return bool(over or room)

    async def _expire(self, series: Series) -> bool:
        if series.created_at < self._desk.now() - OPEN_LIVES_MS:
            await self._set(series.id, model.ended)
        return False

    async def _set(self, series_id: str, change: model.Change) -> None:
        await self._store.change(series_id, lambda series: (change(series), Answer(200, b"")))

    async def _open(self, series: Series, game_id: str, pairing: Pairing) -> bool:
        """
        Opens and starts a game. False: it was open, or somebody of the series is forgotten or
        banned; then the series is cancelled, whoever else was about to do that and died.
        """
        at = self._desk.now()
        seeds = tuple(self._desk.seed() for _ in range(3))
        commits = tuple(server_commit(game_id, n, seed).hex() for n, seed in enumerate(seeds[:2]))
        setup = series.table(game_id, pairing)._replace(server_commits=commits)

        def decide(head: Head | None, _: Seeds) -> Decision:
            opens_ = transition(None, Create(at, setup))
            begin = start(opens_.game.setup, at, seeds[2], self._desk.reveal_ms)
            starts = transition(opens_.game, begin)
            return Decision(
                (*opens_.events, *starts.events),
                starts.game,
                lambda *_: Answer(201, b""),
                names=series.names(pairing),
                seeds=seeds,
            )

        try:
            await self._desk.run(Order(game_id, decide, opens=True))
        except GameExists:
            return False
        except SittersGone as gone:
            for player_id in gone.players:
                await self._set(series.id, partial(model.gone, player_id=player_id))
            return False
        return True

    async def _end(self, game_id: str) -> None:
        at = self._desk.now()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            if head is None or isinstance(head.game, Finished):
                raise _Over
            return decided(head, seeds, (closing(head, at),), lambda *_: Answer(200, b""))

        try:
            await self._desk.run(Order(game_id, decide))
        except _Over:
            return

    async def ended(self, games: Iterable[SeriesGame]) -> dict[int, Recorded]:
        """How those ended that are over and have not been recorded yet."""
        over = {game.game_id: game.number for game in games if game.is_over and not game.result}
        found = await self._desk.store.summaries(over)
        heads = {over[game_id]: summary.head.game for game_id, summary in found.items()}
        return {n: Recorded.of(game) for n, game in heads.items() if isinstance(game, Finished)}


class _Over(Exception):
    """The game has ended in the meantime."""
