"""
Tokens: hashed, looked up by hash, compared by nobody.

Who was found by a token is remembered for a second, so that a burst of commands costs one look-up;
a token that was revoked, or has expired, therefore works for a second at most. Those in use are
looked up together in the background, before their second is over: one statement for all of them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import NamedTuple

from app.accounts import Accounts, Caller
from app.errors import TokenExpired
from engine.units import Millis

REMEMBERED_S = 1.0
REFRESHED_S = 0.5
"""Twice as often as it has to be: a look that comes late makes nobody wait."""
MOST_REMEMBERED = 10_000

DAY_MS: Millis = 86_400_000
USES_COUNT_AFTER_MS: Millis = 3_600_000
"""A use is written down when the last one that was is so old: not every request writes."""


def hash_of(token: bytes) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token).digest()


class Lifetimes(NamedTuple):
    """How long tokens live by themselves."""

    idle: Millis
    """Without being used."""
    most: Millis
    """In all, used or not."""

    def end_of(self, created_at: Millis, expires_at: Millis | None) -> Millis:
        """
        When a token has its full age.

        Args:
            expires_at: an earlier end, agreed on when it was made.
        """
        oldest = created_at + self.most
        return oldest if expires_at is None else min(oldest, expires_at)

    def has_expired(self, now: Millis, used_at: Millis, end: Millis) -> bool:
        """
        Whether a token has ended by itself.

        Args:
            end: as `end_of` gives it.
        """
        return now >= end or now - used_at >= self.idle


class _Known:
    """Somebody who was found."""

    __slots__ = ("caller", "until", "used")

    def __init__(self, caller: Caller, until: float) -> None:
        self.caller = caller
        self.until = until
        self.used = False
        """Since it was looked up."""


class Doorkeeper:
    """
    Callers by the hashes of their tokens.

    Args:
        found: is told whose a token is each time one is looked up; None: nobody's.
    """

    def __init__(
        self,
        accounts: Accounts,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        found: Callable[[bytes, str | None], None] = lambda _token, _player: None,
    ) -> None:
        self._accounts = accounts
        self._found = found
        self._monotonic = monotonic
        self._known: dict[bytes, _Known] = {}
        self._own: dict[str, bytes] = {}
        """By player: the token of its own that was last brought."""
        self._scoped: dict[str, set[bytes]] = {}

    def known(self, token_hash: bytes) -> Caller | None:
        """Who is remembered; None: whoever wants to know has to wait for a look-up."""
        known = self._known.get(token_hash)
        if known is None or known.until <= self._monotonic():
            return None
        known.used = True
        return known.caller

    async def caller(self, token_hash: bytes) -> Caller | None:
        """
        None where no live token has this hash.

        Raises: TokenExpired.
        """
        if (found := self.known(token_hash)) is not None:
            return found
        now = self._monotonic()
        self._known.pop(token_hash, None)
        try:
            caller = await self._accounts.by_token(token_hash)
        except TokenExpired:
            self._found(token_hash, None)
            raise
        self._found(token_hash, None if caller is None else caller.player.id)
        if caller is None:
            return None
        if len(self._known) >= MOST_REMEMBERED:
            for memory in (self._known, self._own, self._scoped):
                memory.clear()
        if caller.scopes is None:
            # One of its own is remembered: the first use of a new one ends the old one at once.
            before = self._own.get(caller.player.id)
            if before is not None and before != token_hash:
                self._known.pop(before, None)
            self._own[caller.player.id] = token_hash
        else:
            self._scoped.setdefault(caller.player.id, set()).add(token_hash)
        self._known[token_hash] = _Known(caller, now + REMEMBERED_S)
        return caller

    async def refresh(self) -> None:
        """Looks up anew who has come again; to be called every `REFRESHED_S`."""
        now = self._monotonic()
        asked = {key: known for key, known in self._known.items() if known.used}
        if not asked:
            return
        found = await self._accounts.callers(asked)
        for token_hash, known in asked.items():
            # Who is another one by now, or none, was forgotten meanwhile: what was read may be old.
            caller = found.get(token_hash)
            if caller is not None and self._known.get(token_hash) is known:
                self._found(token_hash, caller.player.id)
                self._known[token_hash] = _Known(caller, now + REMEMBERED_S)

    def forget(self, player_id: str) -> None:
        """Look the player up anew: its name or its tokens have changed."""
        own = self._own.pop(player_id, None)
        for token_hash in (own, *self._scoped.pop(player_id, ())):
            if token_hash is not None:
                self._known.pop(token_hash, None)
