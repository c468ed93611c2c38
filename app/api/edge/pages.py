"""Pages of other origins: who may read answers, and what browsers ask before they call."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.edge.answers import FOR_BROWSERS

_SENT = [
    *("Authorization", "Content-Type", "Idempotency-Key"),
    *("If-Match", "If-None-Match", "Prefer"),
]
_READ = [
    *("ETag", "Location", "Retry-After", "X-Request-ID"),
    *("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
    *("Deprecation", "Sunset", "Link"),
]


class Pages(CORSMiddleware):
    """
    A page that may not call is answered as where no origin is named.

    Args:
        origins: whose pages may call; none has credentials but its token.
    """

    def __init__(self, app: ASGIApp, *, origins: tuple[str, ...]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=_SENT,
            expose_headers=_READ,
            max_age=600,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "OPTIONS":
            asked = Headers(scope=scope)
            if "origin" in asked and "access-control-request-method" in asked:
                answer = self.preflight_response(asked)
                if answer.status_code == 200:
                    answer.raw_headers += FOR_BROWSERS
                    await answer(scope, receive, send)
                else:
                    await self.app(scope, receive, send)
                return
        await super().__call__(scope, receive, send)
