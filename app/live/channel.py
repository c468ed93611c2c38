"""
The channel of one followed game: reads the log once for all who follow it here.

Whatever wakes it (a hint, the poll, somebody who comes), it reads what lies above its version,
makes a step of each command, and hands it to its followers, in the order of the log, without a gap.
Between reading and handing on nothing waits, so a follower that joins sees each step once.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import Counter, deque
from collections.abc import Callable

from app.errors import GameNotFound, Overloaded, StoreUnavailable
from app.live import frames
from app.live.connections import Connection
from app.live.endings import FAULT, NOT_MEMBER
from app.live.frames import Frame, Step, View
from app.live.rounds import Rounds
from app.live.source import Source, head_at
from app.log import log
from app.ports import Head, Recorded
from app.service.members import is_member, seats_of
from engine.errors import BrokenHistory
from engine.state import Game, Setup
from engine.units import Millis, Seat

RING = 64
"""Steps kept for those who come back soon."""

READ_AT_ONCE = 256
"""Events."""

FEW = 16
"""Followers who are sent a step beside the answer to its cause; for more it takes a task."""

SAME_MS = 100
"""A state that is not older than this is sent again: many come at once after a restart."""


class Follower:
    """One connection that follows one game."""

    __slots__ = ("channel", "connection", "counts_for", "is_admitted", "view")

    def __init__(self, channel: Channel, connection: Connection, view: View) -> None:
        self.channel = channel
        self.connection = connection
        self.view = view
        self.is_admitted = False
        """It may follow, and is counted."""
        self.counts_for: str | None = None
        """The player whose seats it shows as connected."""


class Channel:
    """
    Args:
        seats_changed: is told with the seats connected here a moment ago and now.
    """

    def __init__(
        self,
        game_id: str,
        source: Source,
        seats_changed: Callable[[Channel, frozenset[Seat], frozenset[Seat]], None],
    ) -> None:
        self.game_id = game_id
        self.users: set[Follower] = set()
        self.shown: tuple[Seat, ...] = ()
        """Seats that followers were last told are connected."""
        self.seats: frozenset[Seat] = frozenset()
        """Seats that are connected here."""
        self._source = source
        self._seats_changed = seats_changed
        self._head: Head | None = None
        self._ring: deque[Step] = deque(maxlen=RING)
        self._live: dict[View, set[Follower]] = {"full": set(), "events": set()}
        self._players: Counter[str] = Counter()
        self._admitted = 0
        self._stored: deque[tuple[tuple[Recorded, ...], Game]] = deque()
        self._is_soon = False
        """What is stored is handed on in a moment."""
        self._rounds = Rounds(self._round, lambda: self.version, self._failed)
        self._state: tuple[Frame, Millis] | None = None

    @property
    def version(self) -> int:
        return 0 if self._head is None else self._head.version

    @property
    def head(self) -> Head:
        """After `refreshed`."""
        assert self._head is not None  # noqa: S101
        return self._head

    # Reading.

    def want(self, version: int) -> None:
        """Somebody says that the game has come so far."""
        if not self._is_soon or version > self._stored[-1][0][-1].version:
            self._rounds.want(version)

    def stored(self, records: tuple[Recorded, ...], game: Game) -> None:
        """
        What this process has just committed, by one command: where it follows what is known here,
        it need not be read. A hint of it is on its way.
        """
        if len(self._stored) >= RING:
            return
        self._stored.append((records, game))
        if self._is_soon or self._head is None or len(self.users) > FEW:
            return
        if self._rounds.is_idle:
            # Together with the answers to the batch, so that a socket gets both in one write.
            self._is_soon = True
            loop = asyncio.get_running_loop()
            loop.call_soon(self._hand_on_soon, context=contextvars.Context())

    def _hand_on_soon(self) -> None:
        """Without a task of its own, where nobody has begun to read meanwhile."""
        self._is_soon = False
        version = self._stored[-1][0][-1].version
        try:
            if self._rounds.is_idle:
                self._take_stored()
        except Exception as error:
            self._failed(error)
            return
        self._rounds.want(version)

    async def refreshed(self) -> None:
        """
        Returns when a read that began after this call has been worked in.

        Raises: GameNotFound, StoreUnavailable, Overloaded.
        """
        await self._rounds.next()

    async def _round(self) -> bool:
        """Reads once; whether there may be more."""
        store = self._source.store
        if self._head is None:
            async with self._source.live:
                head = await store.head(self.game_id)
            if head is None:
                raise GameNotFound
            self._head = head._replace(join_code=None)
            return False
        if self._take_stored() and not self._rounds.is_awaited:
            return self._rounds.is_behind
        async with self._source.live:
            found = await store.commands(self.game_id, self.version, READ_AT_ONCE)
        for number, records in enumerate(found, 1):
            await self._work_in(records)
            if number % 8 == 0:
                await asyncio.sleep(0)
        return sum(map(len, found)) >= READ_AT_ONCE

    def _take_stored(self) -> bool:
        """Hands on what has been stored here, as far as it follows; whether that was anything."""
        took = False
        while self._stored:
            records, game = self._stored.popleft()
            if records[-1].version <= self.version:
                continue
            if not self._take(records, game):
                self._stored.clear()  # another process was quicker; or names, which are not here
                break
            took = True
        return took

    def _take(self, records: tuple[Recorded, ...], game: Game) -> bool:
        """Hands on what was stored here, where it is the next step at the same table."""
        before = self.head
        same_table = game.setup is before.game.setup or game.setup == before.game.setup
        if records[0].version != before.version + 1 or not same_table:
            return False
        last, names = records[-1], before.names
        self._hand_on(records, Head(game, last.version, last.hash, names, None, before.created_at))
        return True

    async def _work_in(self, records: tuple[Recorded, ...]) -> None:
        before = self.head
        if records[0].version != before.version + 1:
            raise BrokenHistory(f"a gap in {self.game_id} after version {before.version}")
        game, latest = self._source.fold(before.game, records), before
        if game.setup is not before.game.setup:  # names are not in the log
            async with self._source.live:
                latest = await self._source.store.head(self.game_id) or before
        self._hand_on(records, head_at(latest, game, records[-1]))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, GameNotFound):
            return
        if isinstance(error, StoreUnavailable | Overloaded):
            log.warning("channel_waits", game=self.game_id)  # for the poll, which asks again
            return
        log.error("channel_failed", game=self.game_id, exc_info=error)
        for follower in self.users:
            follower.connection.outbox.end(FAULT)

    # Handing on.

    def _hand_on(self, records: tuple[Recorded, ...], head: Head) -> None:
        setup = head.game.setup
        has_moved = setup is not self.head.game.setup
        self._head = head
        step = Step(self._source.render, records, head, self._source.now())
        self._ring.append(step)
        if has_moved:
            self._evict(setup)
        for view, followers in self._live.items():
            if followers:
                frame = step.frame(view)
                for follower in followers:
                    follower.connection.outbox.send(frame)
        if has_moved:
            self._count_seats()

    def _evict(self, setup: Setup) -> None:
        """Who may not follow any more goes before the frame that says so."""
        for follower in list(self.users):
            if follower.is_admitted and not self.may_follow(follower):
                follower.connection.outbox.end(NOT_MEMBER)
                self._live[follower.view].discard(follower)

    def tell(self, frame: Frame) -> None:
        """Something that is not in the log."""
        for followers in self._live.values():
            for follower in followers:
                follower.connection.outbox.send(frame)

    def state(self) -> Frame:
        """The frame a follower without a version begins with."""
        now = self._source.now()
        if self._state is None or (
            self._state[0].version != self.version or not 0 <= now - self._state[1] <= SAME_MS
        ):
            self._state = frames.state(self._source.render, self.head, now), now
        return self._state[0]

    def since(self, version: int) -> list[Step] | None:
        """The steps after a version, the first perhaps in part; None where the ring is younger."""
        if version >= self.version:
            return []
        if not self._ring or self._ring[0].after > version:
            return None
        return [step for step in self._ring if step.version > version]

    # Followers.

    def may_follow(self, follower: Follower) -> bool:
        setup = self.head.game.setup
        return setup.visibility != "private" or is_member(setup, follower.connection.player_id)

    def spectators(self) -> int:
        """Admitted followers that hold no seat here."""
        setup = self.head.game.setup
        return self._admitted - sum(n for p, n in self._players.items() if is_member(setup, p))

    def admit(self, follower: Follower) -> None:
        """Count it. It may follow."""
        follower.is_admitted = True
        self._admitted += 1
        self.identified(follower)

    def identified(self, follower: Follower) -> None:
        """It is known by now whose it is."""
        player_id = follower.connection.player_id
        if follower.is_admitted and follower.counts_for is None and player_id is not None:
            follower.counts_for = player_id
            self._players[player_id] += 1
            self._count_seats()

    def go_live(self, follower: Follower) -> None:
        """It has everything up to this version."""
        self._live[follower.view].add(follower)
        follower.connection.outbox.send(frames.presence(self.shown, self._source.now()))

    def leave(self, follower: Follower) -> None:
        """Twice is fine."""
        self.users.discard(follower)
        self._live[follower.view].discard(follower)
        if not follower.is_admitted:
            return
        follower.is_admitted = False
        self._admitted -= 1
        if (player_id := follower.counts_for) is not None:
            self._players[player_id] -= 1
            if not self._players[player_id]:
                del self._players[player_id]
            self._count_seats()

    def _count_seats(self) -> None:
        setup, before = self.head.game.setup, self.seats
        self.seats = frozenset(s for p in self._players for s in seats_of(setup, p))
        if self.seats != before:
            self._seats_changed(self, before, self.seats)
