"""
Tokens: hashed, looked up by hash, compared by nobody.

A found player is remembered for a second, so that a burst of commands costs one look-up; a revoked
token therefore works for a second at most.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

from app.ports import Accounts, Player

REMEMBERED_S = 1.0
MOST_REMEMBERED = 10_000


def hash_of(token: bytes) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token).digest()


class Doorkeeper:
    """Players by the hashes of their tokens."""

    def __init__(self, accounts: Accounts, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._accounts = accounts
        self._monotonic = monotonic
        self._known: dict[bytes, tuple[float, Player]] = {}
        self._hash_of: dict[str, bytes] = {}

    async def player_of(self, token_hash: bytes) -> Player | None:
        """None where no live token has this hash."""
        now = self._monotonic()
        if (known := self._known.get(token_hash)) is not None and known[0] > now:
            return known[1]
        player = await self._accounts.by_token(token_hash)
        if player is None:
            self._known.pop(token_hash, None)
            return None
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
            self._hash_of.clear()
        # One token a player is remembered: the first use of a new one ends the old one at once.
        before = self._hash_of.get(player.id)
        if before is not None and before != token_hash:
            self._known.pop(before, None)
        self._hash_of[player.id] = token_hash
        self._known[token_hash] = (now + REMEMBERED_S, player)
        return player

    def forget(self, player_id: str) -> None:
        """Look the player up anew: its name or its tokens have changed."""
        token_hash = self._hash_of.pop(player_id, None)
        if token_hash is not None:
            self._known.pop(token_hash, None)
