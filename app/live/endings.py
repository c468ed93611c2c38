"""Every way in which the server ends a stream; `docs/streams.md` says what a client does then."""

from __future__ import annotations

from typing import NamedTuple

from app.errors import (
    AppError,
    GameArchived,
    GameNotFound,
    Overloaded,
    StoreUnavailable,
    TooManyStreams,
    VersionNotFound,
)
from app.limits import RateLimited
from app.live.frames import Ending

GONE = Ending(1000, "gone", "The client closed.")
NO_PROTOCOL = Ending(1002, "no_protocol", "These bytes are no WebSocket protocol.")
BINARY = Ending(1003, "binary_message", "Messages are JSON texts.")
NOT_JSON = Ending(1007, "not_json", "The message is not JSON.")
BAD_ORIGIN = Ending(1008, "origin_not_allowed", "Pages of this origin may not connect.")
BAD_HOST = Ending(1008, "bad_host", "The Host header is missing, malformed or not served here.")
BAD_QUERY = Ending(1008, "invalid_request", "A parameter of the address is malformed.")
UNKNOWN_MESSAGE = Ending(1008, "unknown_message", "There is no such message, or not now.")
TOO_MANY_MESSAGES = Ending(1008, "too_many_messages", "More messages than anybody needs.")
TOO_LARGE = Ending(1009, "too_large", "Messages are shorter than that.")
FAULT = Ending(1011, "internal_error", "Something went wrong on our side; it has been logged.")
RESTART = Ending(1012, "restarting", "The server restarts. Come back and resume.")
NO_TOKEN = Ending(4401, "unauthenticated", "This needs the token of a player.")
EXPIRED = Ending(4401, "token_expired", "The token has expired: use a newer one.")
NO_SCOPE = Ending(4403, "scope_missing", "The token does not open this: it needs the scope read.")
NO_STREAM = Ending(4404, "route_not_found", "There is no stream at this address.")
REVOKED = Ending(4401, "unauthenticated", "The token has ended.")
NOT_MEMBER = Ending(4403, "not_a_member", "The table is private, and you are not a member.")
TOO_SLOW = Ending(4408, "too_slow", "You read too slowly. Come back and resume.")
SILENT = Ending(4408, "silent", "Nothing was heard of you. Come back and resume.")


class Close(NamedTuple):
    """What a close code says."""

    meaning: str
    remedy: str
    is_told: bool = True
    """A message says why before it."""


CLOSES: dict[int, Close] = {
    1000: Close("The client closed.", "Nothing.", is_told=False),
    1002: Close("Bytes that are no WebSocket protocol.", "Fix the client.", is_told=False),
    1003: Close("A binary message.", "Send text."),
    1007: Close("A message that is not JSON, read as strictly as bodies are.", "Send JSON."),
    1008: Close(
        "Origin or host not allowed, a malformed parameter, an unknown message, or too many.",
        "Fix the client.",
    ),
    1009: Close("A message over 16 KiB.", "Send less.", is_told=False),
    1011: Close("A fault of the server, or of its database.", "Reconnect, resume."),
    1012: Close("The server restarts.", "Reconnect at once, resume."),
    4401: Close("No token, a bad, a revoked or an expired one.", "Get a token."),
    4403: Close("No longer a member of a private table; a token without the scope read.", "Stop."),
    4404: Close("No such game for you; no stream at this address.", "Stop."),
    4408: Close("Read too slowly, or silent for 45 s.", "Reconnect, resume."),
    4409: Close("after is past the game's version.", "Connect without after."),
    4410: Close("The game's log is in an archive.", "Connect without after: the state is there."),
    4429: Close("Too many open streams, or calls in a minute.", "Wait, reconnect."),
}
"""Every close code there is."""

REFUSED_TOKENS = frozenset({NO_TOKEN, EXPIRED, NO_SCOPE, REVOKED})


_OF: dict[type[AppError], int] = {
    GameNotFound: 4404,
    VersionNotFound: 4409,
    GameArchived: 4410,
    TooManyStreams: 4429,
    RateLimited: 4429,
    StoreUnavailable: 1011,
    Overloaded: 1011,
}


def _words() -> dict[int, tuple[str, ...]]:
    own = [
        (found.close, found.code) for found in list(globals().values()) if isinstance(found, Ending)
    ]
    named = [(close, kind.code) for kind, close in _OF.items()]
    return {
        close: tuple(dict.fromkeys(code for of, code in (*own, *named) if of == close))
        for close, told in CLOSES.items()
        if told.is_told
    }


WORDS_OF = _words()
"""By close code: what the message before it says, which is the reason in the close too."""
WORDS = tuple(sorted({word for words in WORDS_OF.values() for word in words}))


def ending_of(error: Exception) -> Ending:
    """How a stream ends that was refused, or failed, with this error."""
    if isinstance(error, AppError) and (code := _OF.get(type(error))) is not None:
        return Ending(code, error.code, str(error))
    return FAULT
