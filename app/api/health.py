"""For operators: is it alive, can it serve, what did it do."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import Response
from typing_extensions import TypeAliasType

from app.api.calls import also
from app.api.operations import operation
from app.api.refusals import NotReady, RouteNotFound
from app.api.routing import api_router
from app.api.schemas.common import Count
from app.errors import AppError
from app.log import log
from app.metrics import CONTENT_TYPE, Meter
from app.parts import parts_of

router = api_router("operations")


AnnouncerKind = TypeAliasType("AnnouncerKind", Literal["local", "postgres", "redis"])


class Health(BaseModel):
    status: Literal["ok"]


class AnnouncerHealth(BaseModel):
    kind: AnnouncerKind
    connected: bool
    """False: processes do not hear of each other; followers wait up to a second for the log."""
    dropped: Count
    """Hints that could not be sent, since the start."""


class Readiness(Health):
    announcer: AnnouncerHealth


@router.get("/health/live", **operation(limited=False))
async def health_live() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/health/ready", **operation("not_ready", limited=False))
async def health_ready(request: Request) -> Readiness:
    """
    The database answers and has this server's schema; the work behind streams goes on.

    An announcer that is cut off shows, and makes nothing unready: news is late then, not lost.
    """
    try:
        await parts_of(request).check_store()
    except Exception as error:
        log.warning("not_ready", reason=type(error).__name__)
        raise NotReady from None
    if failing := parts_of(request).live.failing():
        log.warning("not_ready", reason="background", failing=failing)
        raise NotReady
    kind, connected, _, _, dropped = parts_of(request).announcing()
    return Readiness(
        status="ok", announcer=AnnouncerHealth(kind=kind, connected=connected, dropped=dropped)
    )


@router.get(
    "/metrics",
    response_class=Response,
    **also(
        operation("route_not_found", limited=False),
        *(200, "The counters."),
        content={"text/plain": {"schema": {"type": "string"}}},
    ),
)
async def metrics(request: Request) -> Response:
    """Counters for Prometheus; a setting switches them off."""
    if not parts_of(request).settings.metrics:
        raise RouteNotFound
    meter: Meter = request.app.state.meter
    uncounted: int | None = None
    with suppress(AppError):  # the database is away; what this process knows is told all the same
        uncounted = await parts_of(request).uncounted()
    return Response(meter.text(uncounted), headers={"Content-Type": CONTENT_TYPE})
