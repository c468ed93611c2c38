"""Requests to calls, answers to responses: what every route about games does first and last."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.api import render
from app.api.auth import authenticate, optional_player
from app.api.refusals import BadPart, InvalidRequest
from app.api.strict import idempotency_key, if_match, parse_body
from app.api.verbs import Verb
from app.parts import parts_of
from app.ports import Answer, Summary
from app.service import GameService
from app.service.calls import Call, Render
from engine.units import Millis

M = TypeVar("M", bound=BaseModel)

JSON_TYPE = "application/json"

_MINIMAL = re.compile(r"(?:^|[,;]\s*)return\s*=\s*\"?minimal\"?\s*(?:$|[,;])", re.IGNORECASE)


def games_of(request: Request) -> GameService:
    return parts_of(request).games


async def received(
    request: Request,
    model: type[M],
    shape: Render,
    *,
    may_be_empty: bool = False,
    recurs: bool = False,
) -> tuple[Call, M]:
    """
    A changing call and its body.

    Args:
        shape: the answer's, unless the caller prefers the minimal one.
        recurs: as for `parse_body`.
    Raises: Unauthenticated, InvalidRequest, UnsupportedMediaType.
    """
    player = await authenticate(request)
    body, fingerprint = await parse_body(request, model, may_be_empty=may_be_empty, recurs=recurs)
    scope = request.scope
    call = Call(
        player,
        render.minimal if prefers_minimal(request) else shape,
        idempotency_key(scope),
        fingerprint,
        if_match(scope),
        scope.get("hotdice.address", ""),
    )
    return call, body


async def carried_out(request: Request, game_id: str, verb: Verb) -> Response:
    """A command, by its route. Raises: as `received`, and whatever it is refused with."""
    call, body = await received(
        request, verb.body, render.played, may_be_empty=verb.may_be_empty, recurs=True
    )
    return answered(await verb.run(games_of(request), call, game_id, body))


def prefers_minimal(request: Request) -> bool:
    """Preferences may come in one header or in several; what is not known is passed over."""
    named: dict[bytes, bytes] | None = request.scope.get("hotdice.headers")
    if named is not None and b"prefer" not in named:
        return False
    return any(
        name == b"prefer" and _MINIMAL.search(value.decode("latin-1"))
        for name, value in request.scope["headers"]
    )


def also(documented: dict[str, Any], status: int, says: str, **what: Any) -> dict[str, Any]:
    """An operation's documentation with one answer more."""
    responses = {status: {"description": says, **what}, **documented["responses"]}
    return {**documented, "responses": responses}


async def viewer(request: Request) -> str | None:
    """The id of who looks; None without a token. Raises: Unauthenticated."""
    player = await optional_player(request)
    return None if player is None else player.id


def answered(answer: Answer) -> Response:
    """An answer as it was, or would be, stored."""
    kind = render.MINIMAL_TYPE if render.is_minimal(answer.body) else JSON_TYPE
    return Ready(answer, kind)


class Answering(Protocol):
    """What the edge leaves in the scope for answers that are there as a whole."""

    def give(self, status: int, headers: bytes, body: bytes) -> bool: ...


class Ready(Response):
    """An answer of known headers, spelled at once: the framework takes three times as long."""

    def __init__(self, answer: Answer, kind: str) -> None:
        self.status_code = answer.status
        self.background = None
        self.body = self.whole = answer.body
        self.lines = b"content-length: %d\r\ncontent-type: %b\r\n" % (
            len(answer.body),
            kind.encode("latin-1"),
        )
        """Its headers as they go over the line."""
        if answer.version is not None:
            self.lines += b'etag: "%d"\r\n' % answer.version
        if answer.location is not None:
            self.lines += b"location: %b\r\n" % answer.location.encode("latin-1")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given: Answering | None = scope.get("hotdice.answer")
        if given is None or not given.give(self.status_code, self.lines, self.whole):
            lines = self.lines.split(b"\r\n")[:-1]
            self.raw_headers = [(n, v) for n, _, v in (line.partition(b": ") for line in lines)]
            await super().__call__(scope, receive, send)


def shown(body: bytes, headers: dict[str, str] | None = None) -> Response:
    """What a reader asked for."""
    return Response(body, 200, headers, media_type="application/json")


def is_known(request: Request, version: int) -> bool:
    """Whether If-None-Match names this version."""
    known = request.headers.get("if-none-match", "")
    tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
    return "*" in tags or f'"{version}"' in tags


def page_limit(request: Request, asked: int | None) -> int:
    """How many items a page has. Raises: InvalidRequest."""
    settings = parts_of(request).settings
    return settings.page_size if asked is None else at_most(settings.page_max, asked, "limit")


def known_preset(request: Request, preset: str | None) -> None:
    """Raises: InvalidRequest, for the name of no preset: a list of nothing would hide the slip."""
    presets = games_of(request).rulebook.presets
    if preset is not None and preset not in presets:
        says = f"Must be one of: {', '.join(presets)}."
        raise InvalidRequest((BadPart("not_allowed", says, parameter="preset"),))


def at_most(most: int, asked: int, parameter: str) -> int:
    """A number within a setting. Raises: InvalidRequest."""
    if asked > most:
        part = BadPart("too_large", f"Must be {most} or less.", parameter=parameter)
        raise InvalidRequest((part,))
    return asked


def cursor_after(row: Summary) -> str:
    """Where the next page of a list of games goes on."""
    return cursor_at((row.head.created_at, row.head.game.setup.game_id))


def cursor_at(place: tuple[int | str, ...]) -> str:
    """A place in a list; opaque to clients."""
    text = ",".join(map(str, place))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def place_of(cursor: str | None) -> tuple[Millis, str] | None:
    """
    The place in a list of games that a cursor stands for.

    Raises: InvalidRequest, for one that is none of ours.
    """
    if cursor is None:
        return None
    at, game_id = read_cursor(cursor, _PLACE)
    return int(at), game_id


def read_cursor(cursor: str, place: re.Pattern[str]) -> tuple[str, ...]:
    """
    The groups of a place, as `cursor_at` wrote it.

    Raises: InvalidRequest, for one that is none of ours.
    """
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        text = ""
    found = place.fullmatch(text)
    if found is None:
        raise InvalidRequest(
            (BadPart("bad_format", "Must be `next` of an earlier page.", parameter="cursor"),)
        )
    return found.groups()


_PLACE = re.compile(r"([0-9]{1,15}),([0-9a-f-]{36})")
