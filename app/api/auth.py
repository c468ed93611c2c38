"""
Who is calling: a bearer token to a player.

Whatever bytes are sent as a token are hashed and looked up; every failure is the same 401.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import Scope

from app.errors import Unauthenticated
from app.ports import Player
from app.tokens import Doorkeeper, hash_of

_LONGEST = 256


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
    if "hotdice.token" in scope:  # the edge has looked
        known: bytes | None = scope["hotdice.token"]
        return known
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
