"""
The one layer around all routes: what each request passes on its way in and out.

In: a request id, the Host header, the declared length, the rate limits. On the way: the bytes of
the body are counted. Out: headers, gzip, one log line, the counters. Anything nobody foresaw ends
here as a 500 that says nothing. It is one class, because every layer costs each request time; for
the same reason a route that needs nothing of the framework is called from here.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from typing import Any, NamedTuple

from fastapi.exceptions import RequestValidationError
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.auth import bearer_hash
from app.api.edge.address import check_host, client_address
from app.api.edge.answers import Answer, takes_gzip
from app.api.handlers import malformed, problem
from app.api.refusals import (
    BadHost,
    BodyTooLarge,
    InternalError,
    RouteNotFound,
)
from app.api.routing import Index
from app.errors import AppError, Unauthenticated
from app.limits import Kind, RateLimits, check
from app.live.http import WHOLE
from app.live.socket import EXTENSION
from app.log import Notes, access, begin_notes, log, note
from app.metrics import Meter
from app.settings import Settings
from app.tally.counts import Standing
from engine.errors import GameError

CLIENT_LEFT = 499
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"}) | _READS
_UNLIMITED = frozenset({"/health/live", "/health/ready", "/metrics"})
_CREATES: dict[str, Kind] = {
    "/v1/players": "guests",
    "/v1/games": "games",
    "/v1/matchmaking": "games",
    "/v1/series": "games",
}


class Edge:
    def __init__(
        self, app: ASGIApp, *, settings: Settings, index: Index, limits: RateLimits, meter: Meter
    ) -> None:
        self._app = app
        self._index = index
        self._limits = limits
        self._meter = meter
        self._body_limit = settings.body_limit
        self._gzip_from = settings.gzip_from
        self._outermost = not settings.cors_origins  # whose layer would look at each answer
        self._hops = settings.trusted_proxy_hops
        self._hosts = frozenset(h.lower() for h in settings.allowed_hosts)
        self._process = secrets.token_hex(5)
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        request_id = f"{self._process}-{next(self._numbers):06x}"
        notes = begin_notes(request_id)
        method: str = scope["method"]
        named = dict(scope["headers"])
        if len(named) == len(scope["headers"]):  # none twice: found by name from here on
            scope["hotdice.headers"] = named
            seen = _Seen.once(named)
        else:
            seen = _Seen.of(scope["headers"])
        answer = Answer(
            send,
            request_id,
            gzip_from=self._gzip_from if seen.takes_gzip else 0,
            is_head=method == "HEAD",
            whole=scope.get("extensions", {}).get(WHOLE) if self._outermost else None,
        )
        scope["hotdice.answer"] = answer
        if method == "HEAD":
            scope = {**scope, "method": "GET", "hotdice.head": True}
        try:
            await self._serve(scope, seen, receive, answer)
        except ClientDisconnect:
            answer.status = CLIENT_LEFT
        except (AppError, GameError) as refusal:
            note(code=getattr(refusal, "code", None))
            log.warning("answer_cut_off")
            if not await _cut_off(scope):
                raise
        except Exception:
            log.exception("unforeseen")
            if answer.began:  # nothing true can be said any more: cut the line
                self._done(scope, method, 500, began, notes)
                raise
            await problem(InternalError())(scope, receive, answer.send)
        self._done(scope, method, answer.status or CLIENT_LEFT, began, notes)

    async def _serve(self, scope: Scope, seen: _Seen, receive: Receive, answer: Answer) -> None:
        """
        Answers, also with what is refused; what nobody foresaw is raised, and what is refused when
        an answer has begun.
        """
        send = answer.send
        try:
            if seen.hosts != 1:
                raise BadHost
            if b"%" in scope.get("raw_path", b""):  # to whoever stands in front "%2f" is no "/"
                raise RouteNotFound  # and none of our paths needs an escape
            unlimited = scope["path"] in _UNLIMITED
            check_host(seen.host, frozenset() if unlimited else self._hosts)
            if seen.length > self._body_limit:
                raise BodyTooLarge(limit=self._body_limit)
            scope["hotdice.address"] = client_address(scope, self._hops)
            if self._limits.on and not unlimited:
                answer.standing = standing = self._count(scope)
                check(standing)
            if seen.has_body:
                receive = self._counted(receive)
            found = self._index.find(scope)
            route = scope.get("route")
            answer.farewell = getattr(route, "farewell", None)
            if found and (direct := getattr(route, "direct", None)):
                await direct(scope, receive, send)
            else:
                await self._app(scope, receive, send)
        except (AppError, GameError) as refusal:
            if answer.began:
                raise
            await problem(refusal)(scope, receive, send)
        except RequestValidationError as invalid:
            await problem(malformed(invalid))(scope, receive, send)

    def _count(self, scope: Scope) -> Standing:
        """Where the caller stands, with this request."""
        kind: Kind = "reads" if scope["method"] in _READS else "commands"
        if kind == "commands" and scope["method"] == "POST":
            kind = _CREATES.get(scope["path"], kind)
        try:
            token = scope["hotdice.token"] = bearer_hash(scope)
        except Unauthenticated:  # the route says so, if it cares
            token = None
        return self._limits.count(
            kind, None if kind == "guests" else token, scope["hotdice.address"]
        )

    def _counted(self, receive: Receive) -> Receive:
        """The body as it comes, up to the limit, whatever length was declared."""
        left = self._body_limit

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise BodyTooLarge(limit=self._body_limit)
            return message

        return counted

    def _done(self, scope: Scope, method: str, status: int, began: float, notes: Notes) -> None:
        seconds = time.perf_counter() - began
        route: Any = scope.get("route")
        template = "-" if route is None else route.path_format
        changed = route is not None and status < 400 and method not in _READS
        method = method if method in _METHODS else "-"
        command = route.name if changed else None
        lasts = "hotdice.lasts" in scope  # a stream's time says nothing of the server
        self._meter.answered(method, template, status, None if lasts else seconds, command)
        if code := notes.get("code"):
            self._meter.refused(code)
        access(method, template, status, seconds, notes)


async def _cut_off(scope: Scope) -> bool:
    """Ends the connection: an answer that is not whole shall not look so. False: it cannot."""
    transport: asyncio.Transport | None = scope.get("extensions", {}).get(EXTENSION)
    if transport is None:
        return False
    transport.abort()
    await asyncio.sleep(0)  # gone by then; the server below would complain of half an answer
    return True


class _Seen(NamedTuple):
    """What the headers say, read in one go."""

    host: bytes | None
    hosts: int
    length: int
    """As declared; absurdly large for what is no number."""
    has_body: bool
    takes_gzip: bool

    @classmethod
    def once(cls, named: dict[bytes, bytes]) -> _Seen:
        """Where no header stands there twice."""
        host, length = named.get(b"host"), named.get(b"content-length")
        declared = 0 if length is None else _length(length)
        gzip = named.get(b"accept-encoding")
        return cls(
            host,
            int(host is not None),
            declared,
            declared > 0 or b"transfer-encoding" in named,
            gzip is not None and takes_gzip(gzip),
        )

    @classmethod
    def of(cls, headers: list[tuple[bytes, bytes]]) -> _Seen:
        """However often: of a length and of encodings the last counts."""
        hosts = sum(name == b"host" for name, _ in headers)
        longest = max((_length(v) for n, v in headers if n == b"content-length"), default=0)
        seen = cls.once(dict(headers))
        return seen._replace(hosts=hosts, has_body=longest > 0 or seen.has_body)


def _length(value: bytes) -> int:
    return int(value) if value.isdigit() and len(value) < 19 else 1 << 62
