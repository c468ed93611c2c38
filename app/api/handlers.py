"""Every error that leaves a route becomes a problem; the edge sees to those nobody foresaw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.api.faults import parameter_parts
from app.api.problems import answer_of
from app.api.refusals import (
    InternalError,
    InvalidRequest,
    MethodNotAllowed,
    RouteNotFound,
)
from app.errors import (
    AnalysisNotFound,
    AppError,
    GameNotFound,
    MatchNotFound,
    PlayerNotFound,
    SeriesNotFound,
    TokenNotFound,
)
from app.log import note
from engine.errors import GameError

# An id that cannot be one belongs to nothing.
_NOT_FOUND: dict[str, type[AppError]] = {
    "analysis_id": AnalysisNotFound,
    "game_id": GameNotFound,
    "match_id": MatchNotFound,
    "player_id": PlayerNotFound,
    "series_id": SeriesNotFound,
    "token_id": TokenNotFound,
}


def install(app: FastAPI) -> None:
    """Register the handlers. Errors outside of these two trees reach the edge's last resort."""
    app.add_exception_handler(GameError, _known)
    app.add_exception_handler(AppError, _known)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)


async def _known(_: Request, error: Exception) -> Response:
    return problem(error)


async def _malformed(_: Request, error: Exception) -> Response:
    return problem(malformed(cast(RequestValidationError, error)))


def malformed(invalid: RequestValidationError) -> AppError:
    """What the framework found wrong, in our words."""
    faults = invalid.errors()
    for fault in faults:
        if fault["loc"][0] == "path":
            return _NOT_FOUND.get(str(fault["loc"][1]), RouteNotFound)()
    return InvalidRequest(parameter_parts(faults))


async def _http(_: Request, error: Exception) -> Response:
    found = cast(HTTPException, error)
    kinds = {404: RouteNotFound, 405: MethodNotAllowed}
    if kind := kinds.get(found.status_code):
        return problem(kind(), found.headers)
    return problem(InvalidRequest(()) if found.status_code < 500 else InternalError())


def problem(error: Exception, headers: Mapping[str, str] | None = None) -> Response:
    """The answer; its code goes into the request's log line."""
    note(code=getattr(error, "code", None))
    return answer_of(error, headers)
