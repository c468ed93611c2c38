"""
Tokens for scripts: each opens some of what its player may do, so that a script holds no more than
it needs. They are made, listed and revoked with the account's own token alone.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol, get_args

from app.accounts import Scope
from app.errors import PlayerNotFound, TokenNotFound, Unauthenticated
from app.ids import new_id, new_token
from app.ports import Clock
from app.tokens import Doorkeeper, Lifetimes, hash_of
from engine.units import Millis

GRANTED: tuple[Scope, ...] = tuple(scope for scope in get_args(Scope) if scope != "account")
"""What such a token may open, in this order; the account itself is never lent."""


class ScopedToken(NamedTuple):
    """What is known of one; what it is was told once."""

    id: str
    name: str | None
    scopes: tuple[Scope, ...]
    created_at: Millis
    used_at: Millis
    """To the hour."""
    expires_at: Millis
    """Used or not."""


class ScopedTokens(Protocol):
    """Scoped tokens as they are kept: by their hashes, which nothing here gives back."""

    async def add(self, player_id: str, token: ScopedToken, token_hash: bytes, most: int) -> None:
        """
        One more; where there are too many, those that have expired make room.

        Args:
            most: of one player.
        Raises: PlayerNotFound, TooManyTokens.
        """
        ...

    async def of_player(self, player_id: str, now: Millis) -> list[ScopedToken]:
        """Those that have not expired, the newest first."""
        ...

    async def revoke(self, player_id: str, token_id: str) -> bool:
        """Whether there was one."""
        ...


class Drawn(NamedTuple):
    token: str
    """Shown this once."""
    known: ScopedToken


class TokenDesk:
    """
    Args:
        most: tokens of one player.
    """

    def __init__(
        self,
        tokens: ScopedTokens,
        clock: Clock,
        doorkeeper: Doorkeeper,
        lives: Lifetimes,
        most: int,
    ) -> None:
        self._tokens = tokens
        self._clock = clock
        self._doorkeeper = doorkeeper
        self._lives = lives
        self._most = most

    async def draw(
        self, player_id: str, scopes: Collection[Scope], name: str | None, lives_ms: Millis | None
    ) -> Drawn:
        """
        A new token.

        Args:
            lives_ms: None: as long as tokens live at most.
        Raises: Unauthenticated, for one who was forgotten since it was known here; TooManyTokens.
        """
        token, now = new_token(), self._clock.now()
        known = ScopedToken(
            new_id(),
            name,
            tuple(scope for scope in GRANTED if scope in scopes),
            now,
            now,
            self._lives.end_of(now, None if lives_ms is None else now + lives_ms),
        )
        try:
            await self._tokens.add(player_id, known, hash_of(token.encode()), self._most)
        except PlayerNotFound:
            raise Unauthenticated from None
        return Drawn(token, known)

    async def of_player(self, player_id: str) -> list[ScopedToken]:
        """Those that still open something, the newest first."""
        return await self._tokens.of_player(player_id, self._clock.now())

    async def revoke(self, player_id: str, token_id: str) -> None:
        """It opens nothing any more, its streams end. Raises: TokenNotFound."""
        if not await self._tokens.revoke(player_id, token_id):
            raise TokenNotFound
        self._doorkeeper.forget(player_id)
