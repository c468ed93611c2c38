"""For operators: is it alive, can it serve, what did it do."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import Response

from app.api.operations import operation
from app.api.refusals import NotReady, RouteNotFound
from app.api.routing import api_router
from app.errors import AppError
from app.log import log
from app.metrics import CONTENT_TYPE, Meter
from app.parts import parts_of

router = api_router("operations")


class Health(BaseModel):
    status: Literal["ok"] = "ok"


class AnnouncerHealth(BaseModel):
    kind: Literal["local", "postgres", "redis"]
    connected: bool
    """False: processes do not hear of each other; followers wait up to a second for the log."""
    dropped: int
    """Hints that could not be sent, since the start."""


class Readiness(Health):
    announcer: AnnouncerHealth


@router.get("/health/live", **operation())
async def health_live() -> Health:
    """The process answers."""
    return Health()


@router.get("/health/ready", **operation("not_ready"))
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
    return Readiness(announcer=AnnouncerHealth(kind=kind, connected=connected, dropped=dropped))


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        **operation("route_not_found")["responses"],
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
    },
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
