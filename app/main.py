"""The application: parts in, FastAPI out. Importing this does nothing."""

from __future__ import annotations

import importlib
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from app import VERSION
from app.api import handlers, nowhere
from app.api.edge.edge import Edge
from app.api.edge.pages import Pages
from app.api.openapi import document
from app.api.routing import Index
from app.metrics import Meter
from app.parts import Parts

MODULES = (
    *("root", "players", "tokens", "tickets", "mine", "leaderboard", "rules", "analysis"),
    *(
        "games",
        "seats",
        "entropy",
        "matches",
        "series",
        "commands",
        "advice",
        "events",
        "streams",
        "watches",
    ),
    *("operator", "purchases", "notices"),
    *("health", "docs", "asyncapi.served", "file_schemas", "verifier"),
)
"""Modules of `app.api` that have a `router`, in the order of the document."""


class Hotdice(FastAPI):
    """FastAPI with this product's document, and no layer of its own around ours."""

    parts: Parts
    """Also in `state`, where looking for it takes longer than most of what a command needs."""
    front: ASGIApp | None = None
    """The outermost of our layers, once the first request is there."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        if self.front is None:
            self.front = self._front()
        scope["app"] = self
        await self.front(scope, receive, send)

    def _front(self) -> ASGIApp:
        """
        Past what FastAPI has around all layers: an answer to errors, which the edge gives before;
        telemetry, which is off; a limit for bodies, which is the edge's.
        """
        self.middleware_stack = layer = self.build_middleware_stack()
        ours: list[object] = [each.cls for each in self.user_middleware]
        while type(layer) not in ours:
            layer = layer.app  # type: ignore[attr-defined]
        return layer

    def openapi(self) -> dict[str, Any]:
        """Takes a second or more, once: not to be called where others wait."""
        with _documenting:
            if self.openapi_schema is None:
                url = self.parts.settings.public_url
                self.openapi_schema = document(self.router.routes, url)
        return self.openapi_schema


_documenting = threading.Lock()


def routes() -> list[BaseRoute]:
    """Every route, in the order of the document."""
    found: list[BaseRoute] = []
    for name in MODULES:
        found += importlib.import_module(f"app.api.{name}").router.routes
    return found


def create_app(parts: Parts, more: Iterable[BaseRoute] = ()) -> Hotdice:
    """
    The application around these parts, which end with it.

    Args:
        more: routes beside those there are.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await parts.close()

    settings = parts.settings
    app = Hotdice(
        title="Hotdice",
        version=VERSION,
        lifespan=lifespan,
        redirect_slashes=False,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.parts = app.state.parts = parts
    app.state.meter = Meter(
        parts.announcing,
        lambda: len(parts.live.hub.channels),
        parts.bot_decisions,
        parts.lag,
        lambda: parts.limits.shared,
    )
    found = [*routes(), *more]
    index = Index(found)
    app.router.routes[:] = [index, *found, nowhere.route]
    handlers.install(app)
    app.add_middleware(
        Edge, settings=settings, index=index, limits=parts.limits, meter=app.state.meter
    )
    if settings.cors_origins:  # outermost: pages may read refusals too
        app.add_middleware(Pages, origins=settings.cors_origins)
    return app
