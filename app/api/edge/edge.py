"""
The one layer around all routes: what each request passes on its way in and out.

In: a request id, the Host header, the declared length, the rate limits. On the way: the bytes of
the body are counted. Out: headers, gzip, one log line, the counters. Anything nobody foresaw ends
here as a 500 that says nothing. It is one class, because every layer costs each request time.
"""

from __future__ import annotations

import itertools
import secrets
import time
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.auth import bearer_hash
from app.api.edge.address import check_host, client_address
from app.api.edge.answers import Answer
from app.api.handlers import problem
from app.api.refusals import BadHost, BodyTooLarge, InternalError, Unauthenticated
from app.errors import AppError
from app.limits import Kind, RateLimits
from app.log import Notes, access, begin_notes, log
from app.metrics import Meter
from app.settings import Settings

CLIENT_LEFT = 499
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_UNLIMITED = frozenset({"/health/live", "/health/ready", "/metrics"})
_CREATES: dict[str, Kind] = {"/v1/players": "guests", "/v1/games": "games"}


class Edge:
    def __init__(
        self, app: ASGIApp, *, settings: Settings, limits: RateLimits, meter: Meter
    ) -> None:
        self._app = app
        self._limits = limits
        self._meter = meter
        self._body_limit = settings.body_limit
        self._gzip_from = settings.gzip_from
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
        method = scope["method"]
        host, hosts, length, has_body, gzip = _seen(scope["headers"])
        answer = Answer(
            send,
            request_id,
            gzip_from=self._gzip_from if gzip else 0,
            is_head=method == "HEAD",
        )
        if method == "HEAD":
            scope = {**scope, "method": "GET"}
        scope["hotdice.address"] = client_address(scope, self._hops)
        try:
            try:
                if hosts != 1:
                    raise BadHost
                unlimited = scope["path"] in _UNLIMITED
                check_host(host, frozenset() if unlimited else self._hosts)
                if length > self._body_limit:
                    raise BodyTooLarge(limit=self._body_limit)
                if self._limits.on and not unlimited:
                    await self._admit(scope)
            except AppError as refusal:
                await problem(refusal)(scope, receive, answer.send)
            else:
                await self._app(scope, self._counted(receive) if has_body else receive, answer.send)
        except ClientDisconnect:
            answer.status = CLIENT_LEFT
        except Exception:
            log.exception("unforeseen")
            if answer.began:  # nothing true can be said any more: cut the line
                answer.status = 500
                self._done(scope, method, answer.status, began, notes)
                raise
            await problem(InternalError())(scope, receive, answer.send)
        self._done(scope, method, answer.status or CLIENT_LEFT, began, notes)

    async def _admit(self, scope: Scope) -> None:
        """Raises: RateLimited."""
        if scope["method"] in _READS:
            kind: Kind = "reads"
        elif scope["method"] == "POST":
            kind = _CREATES.get(scope["path"], "commands")
        else:
            kind = "commands"
        try:
            token = bearer_hash(scope)
        except Unauthenticated:  # the route says so, if it cares
            token = None
        if kind == "guests":
            token = None
        await self._limits.admit(kind, token.hex() if token else None, scope["hotdice.address"])

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
        template = getattr(route, "path_format", None) or "-"
        changes = route is not None and method not in _READS and status < 400
        self._meter.answered(
            method if method in _METHODS else "-",
            template,
            status,
            seconds,
            route.name if changes else None,
        )
        if code := notes.get("code"):
            self._meter.refused(code)
        access(method, template, status, seconds, notes)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _seen(
    headers: list[tuple[bytes, bytes]],
) -> tuple[bytes | None, int, int, bool, bool]:
    """(host, how many hosts, declared length, whether a body follows, whether gzip is taken)"""
    host: bytes | None = None
    hosts = length = 0
    has_body = gzip = False
    for name, value in headers:
        if name == b"host":
            host = value
            hosts += 1
        elif name == b"content-length":
            length = int(value) if value.isdigit() and len(value) < 19 else 1 << 62
            has_body = has_body or length > 0
        elif name == b"transfer-encoding":
            has_body = True
        elif name == b"accept-encoding":
            gzip = b"gzip" in value and b"gzip;q=0" not in value.replace(b" ", b"")
    return host, hosts, length, has_body, gzip
