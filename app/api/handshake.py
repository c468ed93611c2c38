"""What a WebSocket's handshake says: where it comes from, whose it is, and what it asks for."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from starlette.types import Scope

from app.api.auth import bearer_hash
from app.api.fields import MOST_VERSION
from app.api.refusals import BadPart, InvalidRequest
from app.errors import Unauthenticated
from app.live.frames import View
from app.tokens import hash_of

SUBPROTOCOL = "hotdice.v1"
_BEARER = "bearer."
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)
_VIEWS: dict[str | None, View] = {None: "full", "full": "full", "events": "events"}
_MOST_QUERY = 1_024


class Asked(NamedTuple):
    """The query of a stream's address."""

    after: int | None
    view: View
    ticket: str | None


def asked_for(query: bytes) -> Asked:
    """Raises: InvalidRequest."""
    found: dict[str, str] = {}
    if len(query) <= _MOST_QUERY:
        for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
            if name in found and name in Asked._fields:
                raise _malformed("repeated", "The parameter occurs twice.", name)
            found[name] = value
    elif query:
        raise _malformed("too_long", f"Must have {_MOST_QUERY} bytes or less in all.", "after")
    view = found.get("view")
    if view not in _VIEWS:
        raise _malformed("not_allowed", "Must be 'full' or 'events'.", "view")
    return Asked(version(found.get("after"), "after"), _VIEWS[view], found.get("ticket"))


def version(text: str | None, parameter: str) -> int | None:
    """A version as plain digits; None for None. Raises: InvalidRequest."""
    if text is None:
        return None
    if not _NUMBER.fullmatch(text) or int(text) > MOST_VERSION:
        says = f"Must be a version: 0 to {MOST_VERSION}, in plain digits."
        raise _malformed("bad_format", says, parameter)
    return int(text)


def _malformed(code: str, says: str, parameter: str) -> InvalidRequest:
    return InvalidRequest((BadPart(code, says, parameter=parameter),))


def token_hash(scope: Scope) -> bytes | None:
    """
    Of the token in the header or in a subprotocol; None without.

    Raises: Unauthenticated, for a malformed or a second one.
    """
    offered = [p for p in scope["subprotocols"] if p.startswith(_BEARER)]
    found = bearer_hash(scope)
    if (found is not None and offered) or len(offered) > 1:
        raise Unauthenticated
    if offered:
        found = hash_of(offered[0].removeprefix(_BEARER).encode("utf-8", "surrogatepass"))
    return found


def is_own_or_allowed(scope: Scope, allowed: tuple[str, ...]) -> bool:
    """
    Whether a page of the handshake's Origin may connect; clients that are no pages send none.

    Browsers let any page connect to anywhere, and only say which it is.
    """
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    origins = [value for name, value in headers if name == b"origin"]
    if not origins:
        return True
    host = next((value for name, value in headers if name == b"host"), b"")
    place = _place(origins[0].decode("latin-1"))
    if len(origins) > 1 or place is None:
        return False
    if place in {_place(origin) for origin in allowed}:
        return True
    # Behind a proxy this process sees neither the scheme nor always the port of the page.
    return _place(f"{place[0]}://{host.decode('latin-1')}") == place


def _place(origin: str) -> tuple[str, str, int] | None:
    """(scheme, host, port) of an origin; None for `null` and whatever else is none."""
    try:
        parts = urlsplit(origin)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or port is None
        or any((parts.path, parts.query, parts.fragment, parts.username, parts.password))
        or any(c in origin for c in " \t\\@?#")
    ):
        return None
    return parts.scheme, parts.hostname.lower().removesuffix("."), port
