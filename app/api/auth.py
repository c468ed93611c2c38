"""
Who is calling: a bearer token to a player, and whether it opens this.

Whatever bytes are sent as a token are hashed and looked up; every failure is the same 401, but for
a token that was good once (`token_expired`). What a scoped token opens is said by the route itself:
the security of its operation in the document is what is looked at here.
"""

from __future__ import annotations

from typing import cast

from starlette.requests import Request
from starlette.types import Scope as AsgiScope

from app.accounts import Caller, Scope
from app.api.routing import Route
from app.errors import AppError, ScopeMissing, TokenExpired, Unauthenticated
from app.log import note
from app.parts import parts_of
from app.ports import Player
from app.tokens import Doorkeeper, hash_of

_LONGEST = 256


async def authenticate(request: Request) -> Player:
    """The calling player. Raises: Unauthenticated, TokenExpired, ScopeMissing."""
    return (await authenticated(request)).player


async def authenticated(request: Request) -> Caller:
    """The calling player, and what its token is. Raises: as `authenticate`."""
    caller = await _caller(request)
    if caller is None:
        raise Unauthenticated
    return caller


async def optional_player(request: Request) -> Player | None:
    """
    The calling player, or None where no token is sent.

    Raises: as `authenticate`, for a token that is sent and not valid, or does not open this.
    """
    caller = await _caller(request)
    return None if caller is None else caller.player


async def _caller(request: Request) -> Caller | None:
    scope = request.scope
    try:
        token_hash = bearer_hash(scope)
        if token_hash is None:
            return None
        needed = cast(Route, scope["route"]).scope
        doorkeeper = parts_of(request).doorkeeper
        known = admitted_at_once(doorkeeper, token_hash, needed)
        return known or await admitted(doorkeeper, token_hash, needed)
    except (Unauthenticated, TokenExpired, ScopeMissing) as refusal:
        note(why=reason_of(refusal), address=scope.get("hotdice.address"))
        raise


async def admitted(doorkeeper: Doorkeeper, token_hash: bytes, needed: Scope | None) -> Caller:
    """
    Who brings this token.

    Args:
        needed: the scope that it must have.
    Raises: Unauthenticated, TokenExpired, ScopeMissing.
    """
    caller = await doorkeeper.caller(token_hash)
    if caller is None:
        raise Unauthenticated
    return _let_in(caller, needed)


def admitted_at_once(
    doorkeeper: Doorkeeper, token_hash: bytes, needed: Scope | None
) -> Caller | None:
    """The same, of one who is remembered; None: `admitted` has to look. Raises: ScopeMissing."""
    known = doorkeeper.known(token_hash)
    return None if known is None else _let_in(known, needed)


def _let_in(caller: Caller, needed: Scope | None) -> Caller:
    """A caller whose token has the scope that is needed. Raises: ScopeMissing."""
    if needed is None:
        raise LookupError("a route that takes tokens names no scope")
    if not caller.may(needed):
        raise ScopeMissing(needed=needed)
    return caller


def reason_of(refusal: AppError) -> str:
    """Why a token was refused, for the log: what it is, never what it says."""
    return {TokenExpired: "expired", ScopeMissing: "scope"}.get(type(refusal), "unknown")


def bearer_hash(scope: AsgiScope) -> bytes | None:
    """SHA-256 of the bearer token; None without Authorization. Raises: Unauthenticated."""
    if "hotdice.token" in scope:  # the edge has looked
        known: bytes | None = scope["hotdice.token"]
        return known
    named: dict[bytes, bytes] | None = scope.get("hotdice.headers")
    found = None if named is None else named.get(b"authorization")
    for name, value in scope["headers"] if named is None else ():
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
