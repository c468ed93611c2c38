"""
The port of accounts: guests, what their tokens open, and whom nobody lets in for now.

Only SHA-256 hashes of tokens are kept, and handed over.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, Protocol

from app.ports import Player
from engine.units import Millis

Scope = Literal["read", "play", "create", "account"]
"""What a token opens: docs/access.md says which call needs which."""


class Caller(NamedTuple):
    """Who brought a token, and what the token opens."""

    player: Player
    ends_at: Millis
    """When the token has its full age, however often it is used."""
    scopes: frozenset[Scope] | None = None
    """None: the account's own token, which opens everything."""

    def may(self, scope: Scope) -> bool:
        return self.scopes is None or scope in self.scopes


class Accounts(Protocol):
    """
    Guests and the tokens of their own. Only SHA-256 hashes of tokens are kept, and handed over.

    A token ends by itself when it has not been used for long, and when it is old.
    """

    async def create(self, player: Player, token_hash: bytes) -> None: ...

    async def by_token(self, token_hash: bytes) -> Caller | None:
        """
        Who brings a live token. The first use of a token that replaced another one ends the other
        one.

        Raises: TokenExpired, for one that has ended by itself.
        """
        ...

    async def callers(self, token_hashes: Collection[bytes]) -> dict[bytes, Caller]:
        """
        Those of them that still open something, where nothing has to be written for their use: not
        one that was never used before, nor one whose last use was noted long ago.
        """
        ...

    async def rotate(self, player_id: str, token_hash: bytes, now: Millis) -> None:
        """A new token; older ones work until it is first used, then never again."""
        ...

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        """
        Those of them that still open something. They count as used by this, for whoever asks has a
        stream open with them; no other token is ended by it.
        """
        ...

    async def get(self, player_id: str) -> Player | None: ...

    async def rename(self, player_id: str, name: str) -> None: ...

    async def unseat(self, player_id: str, now: Millis) -> None:
        """
        It may sit down nowhere from now on: `EventStore.append` refuses it. Its tokens still open
        what they did.
        """
        ...

    async def forget(self, player_id: str) -> None:
        """Ends the tokens and drops the name; the id stays, for the logs that carry it."""
        ...


class Bans(Protocol):
    """Players whose tokens open nothing for now."""

    async def ban(self, player_id: str, now: Millis) -> Millis:
        """Its tokens open nothing any more; since when. Twice is fine."""
        ...

    async def unban(self, player_id: str) -> None:
        """Its tokens work again."""
        ...
