"""
Every open stream of this process, whatever it follows: limits, signs of life, ended tokens.

Counts are this process's own. A connection is counted from its handshake until it is gone, also
while it is being refused, so that refusals cannot be had for nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from app.accounts import Accounts
from app.errors import TooManyStreams
from app.live import frames
from app.live.endings import RESTART, REVOKED, SILENT, TOO_SLOW
from app.live.outbox import Outbox
from app.live.timing import OWED_S, Timing
from app.live.wire import Wire
from app.ports import Clock, Player

K = TypeVar("K")


class Limits(NamedTuple):
    """At a time."""

    per_player: int
    per_address: int
    unauthenticated: int
    """In all: connections that have yet to say who they are."""
    spectators: int
    """Of one game."""
    long_polls: int
    """Of an address."""


class Connection:
    """One open stream."""

    __slots__ = ("address", "has_begun", "opened_at", "outbox", "player", "token_hash", "waits")

    def __init__(self, wire: Wire, address: str, now: float) -> None:
        self.outbox = Outbox(wire)
        self.address = address
        self.opened_at = now
        self.player: Player | None = None
        self.token_hash: bytes | None = None
        self.waits = False
        """It has yet to say who it is."""
        self.has_begun = False
        """The first frame of its stream is out: heartbeats may follow."""

    @property
    def player_id(self) -> str | None:
        return None if self.player is None else self.player.id


class Connections:
    """
    Args:
        limits: None for none.
    """

    def __init__(
        self, accounts: Accounts, clock: Clock, limits: Limits | None, timing: Timing
    ) -> None:
        self.limits = limits
        self.stopping = False
        self._accounts = accounts
        self._clock = clock
        self._timing = timing
        self._open: set[Connection] = set()
        self._of_address: Counter[str] = Counter()
        self._of_token: Counter[bytes] = Counter()
        self._of_player: Counter[str] = Counter()
        self._polls_of: Counter[str] = Counter()
        self._waiting = 0
        self._beat_at: float | None = None

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, wire: Wire, address: str) -> Connection:
        """A new connection, counted from now on. Call `leave` when it has gone."""
        connection = Connection(wire, address, asyncio.get_running_loop().time())
        self._open.add(connection)
        self._of_address[address] += 1
        if self.stopping:
            connection.outbox.end(RESTART)
        return connection

    def leave(self, connection: Connection) -> None:
        """It has gone. Twice is fine."""
        if connection not in self._open:
            return
        self._open.discard(connection)
        connection.outbox.lost()
        self.knows(connection)
        _lower(self._of_address, connection.address)
        if connection.token_hash is not None and connection.player is not None:
            _lower(self._of_token, connection.token_hash)
            _lower(self._of_player, connection.player.id)

    def check_address(self, connection: Connection) -> None:
        """Raises: TooManyStreams."""
        if self.limits is not None:
            _check(self._of_address[connection.address], self.limits.per_address)

    @contextmanager
    def polling(self, address: str) -> Iterator[None]:
        """
        While a long-poll waits: no stream, but somebody who looks once a second too.

        Raises: TooManyStreams.
        """
        self._polls_of[address] += 1
        try:
            if self.limits is not None:
                _check(self._polls_of[address], self.limits.long_polls)
            yield
        finally:
            _lower(self._polls_of, address)

    def awaits(self, connection: Connection) -> None:
        """It has yet to say who it is. Raises: TooManyStreams."""
        if not connection.waits:
            connection.waits = True
            self._waiting += 1
        if self.limits is not None:
            _check(self._waiting, self.limits.unauthenticated)

    def knows(self, connection: Connection) -> None:
        """It need not say who it is, or has."""
        self._waiting -= connection.waits
        connection.waits = False

    def identify(self, connection: Connection, player: Player, token_hash: bytes) -> None:
        """It is this player's, by this token, whose end ends it. Raises: TooManyStreams."""
        self.knows(connection)
        connection.player, connection.token_hash = player, token_hash
        self._of_token[token_hash] += 1
        self._of_player[player.id] += 1
        if self.limits is not None:
            _check(self._of_player[player.id], self.limits.per_player)

    async def tick(self) -> None:
        """Once a second: ends who is too slow or silent, and sends the heartbeat when it is due."""
        now, timing = asyncio.get_running_loop().time(), self._timing
        beat = None
        if self._beat_at is None or now >= self._beat_at:
            self._beat_at = now + timing.heartbeat
            beat = frames.heartbeat(self._clock.now())
        for connection in list(self._open):
            outbox = connection.outbox
            if outbox.ended is not None:
                continue
            heard_at = outbox.wire.heard_at
            if outbox.has_stalled(now, timing.stall):
                outbox.end(TOO_SLOW)
            elif heard_at is not None and now - heard_at >= timing.silent:
                outbox.end(SILENT)
            elif beat is not None and connection.has_begun and outbox.is_clear:
                outbox.send(beat)

    async def watch_tokens(self) -> None:
        """Once a second: ends what was opened with a token that has ended since."""
        if not self._of_token:
            return
        asked = list(self._of_token)
        ended = set(asked) - await self._accounts.live_tokens(asked)
        for connection in list(self._open) if ended else ():
            if connection.token_hash in ended:
                connection.outbox.end(REVOKED)

    def stop(self) -> None:
        """
        Sends everybody away, to come back to whoever serves next. Whose command is being carried
        out is told how it ended before, unless that takes too long.
        """
        self.stopping = True
        for connection in list(self._open):
            outbox = connection.outbox
            if outbox.wire.is_owed:
                asyncio.get_running_loop().call_later(OWED_S, outbox.end, RESTART)
            else:
                outbox.end(RESTART)


def _check(count: int, limit: int) -> None:
    if count > limit:
        raise TooManyStreams(limit=limit, retry_after_s=1)


def _lower(counter: Counter[K], key: K) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
