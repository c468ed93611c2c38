"""
The headers of answers, as the OpenAPI document tells them: what each carries, and where it stands.
"""

from __future__ import annotations

from typing import Any

REFS = "#/components/headers/"
_LIMITS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


def _whole(says: str, most: int = 2**31 - 1) -> dict[str, Any]:
    return {
        "description": says,
        "schema": {"type": "integer", "format": "int32", "minimum": 0, "maximum": most},
    }


HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-ID": {
        "description": "Names this request in the server's log: tell it with a fault.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9a-f]{10}-[0-9a-f]{6,}$"},
    },
    "RateLimit-Limit": _whole(
        "Calls a minute: the limit of the caller or of its address, whichever leaves less. "
        "Missing, like the next two, where the server has no limits."
    ),
    "RateLimit-Remaining": _whole("Calls left of them now."),
    "RateLimit-Reset": _whole("Seconds until nothing that was counted counts any more."),
    "Retry-After": {**_whole("Seconds to wait before the next try."), "required": True},
    "WWW-Authenticate": {
        "description": "Which scheme, and with `insufficient_scope` the scope that is needed.",
        "schema": {"type": "string", "maxLength": 200},
    },
    "ETag": {
        "description": "The game's version in quotes, for `If-Match` and `If-None-Match`.",
        "required": True,
        "schema": {"type": "string", "pattern": '^"[1-9][0-9]{0,9}"$'},
    },
    "Location": {
        "description": "Path of what was made.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
}
"""By name; they are components of the document."""


DEPRECATION: dict[str, dict[str, Any]] = {
    "Deprecation": {
        "description": "Since when the operation is deprecated: `@` and seconds since 1970.",
        "required": True,
        "schema": {"type": "string", "pattern": "^@[0-9]+$"},
    },
    "Sunset": {
        "description": "From when on it may be gone, as an HTTP date.",
        "required": True,
        "schema": {"type": "string", "maxLength": 40},
    },
    "Link": {
        "description": 'The page that says what to do, with `rel="deprecation"`.',
        "required": True,
        "schema": {"type": "string", "maxLength": 200},
    },
}
LOCATION = {"$ref": REFS + "Location"}


def headers_of(
    status: int, *, limited: bool, versioned: bool, located: bool, deprecated: object = None
) -> dict[str, dict[str, str]]:
    """
    What an answer of this status carries.

    Args:
        limited: the call is counted by the rate limits.
        versioned: the answer is about a game at one version.
        located: 201 and 202 say where the thing is.
        deprecated: given where the operation is on its way out.
    """
    names = ["X-Request-ID", *(_LIMITS if limited else ())]
    if versioned and status < 400:
        names.append("ETag")
    if located and status in (201, 202):
        names.append("Location")
    if status in (401, 403):
        names.append("WWW-Authenticate")
    if status in (429, 503):
        names.append("Retry-After")
    found = {name: {"$ref": REFS + name} for name in names}
    # In place: as long as nothing is deprecated, the document has no component for them.
    return {**found, **DEPRECATION} if deprecated else found
