"""
Who is calling: a bearer token, looked up by its hash.

Tokens are compared by nobody: the bytes are hashed, whatever they are, and the hash is looked up.
A found player is remembered for a second, so that a burst of commands costs one look-up; a
revoked token therefore works for a second at most.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.types import Scope

from app.api.refusals import Unauthenticated
from app.ports import Accounts, Player

REMEMBERED_S = 1.0
MOST_REMEMBERED = 10_000
_LONGEST = 256


class Doorkeeper:
    """Tokens to players, through the accounts."""

    def __init__(self, accounts: Accounts, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._accounts = accounts
        self._monotonic = monotonic
        self._known: dict[bytes, tuple[float, Player]] = {}

    async def player_of(self, token_hash: bytes) -> Player | None:
        now = self._monotonic()
        if (known := self._known.get(token_hash)) is not None and known[0] > now:
            return known[1]
        player = await self._accounts.by_token(token_hash)
        if player is None:
            self._known.pop(token_hash, None)
            return None
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[token_hash] = (now + REMEMBERED_S, player)
        return player

    def forget(self, player_id: str) -> None:
        """Look the player up anew: its name or its tokens have changed."""
        for token_hash in [h for h, (_, p) in self._known.items() if p.id == player_id]:
            del self._known[token_hash]


async def authenticate(request: Request) -> Player:
    """The calling player. Raises: Unauthenticated."""
    player = await optional_player(request)
    if player is None:
        raise Unauthenticated
    return player


async def optional_player(request: Request) -> Player | None:
    """
    The calling player, or None where no token is sent.

    Raises: Unauthenticated, for a token that is sent and not valid.
    """
    token_hash = bearer_hash(request.scope)
    if token_hash is None:
        return None
    doorkeeper: Doorkeeper = request.app.state.parts.doorkeeper
    player = await doorkeeper.player_of(token_hash)
    if player is None:
        raise Unauthenticated
    return player


def bearer_hash(scope: Scope) -> bytes | None:
    """SHA-256 of the bearer token; None without Authorization. Raises: Unauthenticated."""
    found: bytes | None = None
    for name, value in scope["headers"]:
        if name == b"authorization":
            if found is not None:
                raise Unauthenticated
            found = value
    if found is None:
        return None
    scheme, _, token = found.partition(b" ")
    if scheme.lower() != b"bearer" or not token or len(token) > _LONGEST:
        raise Unauthenticated
    return hash_of(token)


def hash_of(token: bytes) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token).digest()
