"""
One table: error class -> status; and RFC 9457 problems made from it.

A problem never repeats what a client sent: it has a stable code, a sentence built from facts, the
facts, and for bodies a JSON pointer for each fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from string import Formatter
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field
from starlette.responses import Response
from typing_extensions import TypeAliasType

import app.api.refusals as http
import engine.errors as rules
from app import errors, limits
from app.api.schemas.common import (
    Count,
    Dice,
    DiceCount,
    Epoch,
    PresetName,
    SeatCount,
    SeatNumber,
    Seats,
    Sentence,
    Total,
    VersionNumber,
)
from app.api.schemas.words import FeatureName, ScopeName

MEDIA_TYPE = "application/problem+json"
ABOUT = "/docs/errors/"
"""A problem's `type` is this and its code: the same on every server, and where its page is."""
_CHALLENGE = 'Bearer realm="hotdice"'
RETRY_AFTER_S = 1
"""What 503 suggests: a database that restarts is back in seconds."""
MOST_FAULTS = 25
"""A small body can hold hundreds; an answer stays small too."""

STATUS: dict[type[Exception], int] = {
    rules.Refusal: 409,
    rules.Malformed: 422,
    rules.BrokenHistory: 500,
    errors.Unauthenticated: 401,
    errors.TokenExpired: 401,
    errors.ScopeMissing: 403,
    errors.TokenNotFound: 404,
    errors.TooManyTokens: 409,
    errors.GameNotFound: 404,
    errors.GameArchived: 410,
    errors.MatchNotFound: 404,
    errors.PlayerNotFound: 404,
    errors.PresetNotFound: 404,
    errors.VersionNotFound: 404,
    errors.NotSeated: 403,
    errors.NotHost: 403,
    errors.NotYourSeat: 403,
    errors.SeatNeeded: 422,
    errors.VersionConflict: 412,
    errors.KeyReused: 422,
    errors.SeriesNotFound: 404,
    errors.SeriesFull: 409,
    errors.SeriesOver: 409,
    errors.AlreadyTakesPart: 409,
    errors.TooManySeries: 409,
    errors.NotTakingPart: 403,
    errors.NotOwner: 403,
    errors.ReferenceReused: 422,
    errors.CodeNotFound: 404,
    errors.NotAvailable: 422,
    errors.AnalysisNotFound: 404,
    errors.TooLarge: 422,
    errors.AnalysisFailed: 500,
    errors.AdviceNotReady: 503,
    errors.StoreUnavailable: 503,
    errors.Overloaded: 503,
    limits.RateLimited: 429,
    errors.TooManyStreams: 429,
    errors.TooManyAnalyses: 429,
    errors.TooManyBotTables: 409,
    http.BadHost: 400,
    http.RouteNotFound: 404,
    http.MethodNotAllowed: 405,
    http.BodyTooLarge: 413,
    http.UnsupportedMediaType: 415,
    http.InvalidRequest: 422,
    http.UpgradeRequired: 426,
    http.InternalError: 500,
    http.NotReady: 503,
}
"""A class stands for its subclasses; `tests/api/test_problems.py` finds what is missing."""


def family(root: type[Exception]) -> Iterator[type[Exception]]:
    """A class and all its subclasses."""
    yield root
    for child in root.__subclasses__():
        yield from family(child)


def status_of(kind: type[Exception]) -> int | None:
    """The status of an error class, or None for one that is not in the table."""
    for ancestor in kind.__mro__:
        if (status := STATUS.get(ancestor)) is not None:
            return status
    return None


def _codes() -> dict[str, tuple[int, type[Exception]]]:
    found: dict[str, tuple[int, type[Exception]]] = {}
    for root in STATUS:
        for kind in family(root):
            if "code" in kind.__dict__ and (status := status_of(kind)) is not None:
                found[kind.code] = status, kind  # type: ignore[attr-defined]
    return dict(sorted(found.items()))


CODES = _codes()
"""Every code a problem can have, with its status and class."""

Code = StrEnum("Code", [(c.upper(), c) for c in CODES])  # type: ignore[misc]  # one source


FaultCode = TypeAliasType(
    "FaultCode", Literal[http.FaultCode, http.RuleFaultCode, http.SettingsFaultCode]
)
FAULTS_OF: dict[str, tuple[str, ...]] = {
    http.InvalidRequest.code: get_args(http.FaultCode),
    rules.MalformedRules.code: get_args(http.RuleFaultCode),
    rules.MalformedSettings.code: get_args(http.SettingsFaultCode),
}
"""The codes of single faults, by the code of the problem that lists them."""


def facts_of(code: str) -> list[str]:
    """The names of the facts that a problem of this code has, `errors` apart."""
    kind = CODES[code][1]
    said = Formatter().parse(getattr(kind, "says", ""))
    return [name for _, name, _, _ in said if name] + [*getattr(kind, "beside", ())]


class ProblemPart(BaseModel):
    """One fault of a request."""

    pointer: str | None = Field(
        None,
        max_length=500,
        description="JSON pointer into the body; an unknown field is named by its parent's.",
    )
    parameter: str | None = Field(
        None, max_length=64, description="The query parameter or header at fault."
    )
    code: FaultCode
    detail: Sentence


class Problem(BaseModel):
    """RFC 9457. Switch on `code`; what else a code tells stands in the schema of its name."""

    type: str = Field(
        description="The page about the code, relative to the server: `/docs/errors/game_over`.",
        json_schema_extra={"format": "uri-reference"},
    )
    title: str = Field(max_length=64)
    status: int = Field(ge=400, le=599)
    code: Code
    detail: Sentence
    errors: list[ProblemPart] | None = Field(
        None, max_length=MOST_FAULTS, description="The first 25 faults of a request."
    )
    needed: Total | ScopeName | None = None
    offered: Total | None = None
    target: Total | None = None
    seat: SeatNumber | None = None
    seats: SeatCount | Seats | None = None
    seat_to_move: SeatNumber | None = None
    presets: Annotated[list[PresetName], Field(max_length=100)] | None = None
    dice: Dice | None = None
    dice_to_roll: DiceCount | None = None
    scripted: DiceCount | None = None
    current_version: VersionNumber | None = None
    feature: FeatureName | None = None
    epoch: Epoch | None = None
    failed_attempts: Count | None = None
    limit: Total | None = None
    retry_after_s: Count | None = None


def problem_of(error: Exception) -> dict[str, Any]:
    """The problem of an error of the table; any other is an `internal_error` and tells nothing."""
    status = status_of(type(error))
    if status is None or isinstance(error, rules.BrokenHistory):
        code = error.code if isinstance(error, rules.BrokenHistory) else http.InternalError.code
        return _problem(500, code, http.InternalError.says)
    body = _problem(status, error.code, str(error))  # type: ignore[attr-defined]
    if isinstance(error, rules.Malformed):
        body["detail"] = error.says
        body["errors"] = [f._asdict() for f in error.faults[:MOST_FAULTS]]
    elif isinstance(error, http.InvalidRequest):
        body["errors"] = [
            {k: v for k, v in part._asdict().items() if v is not None}
            for part in error.parts[:MOST_FAULTS]
        ]
    else:
        facts: Mapping[str, Any] = getattr(error, "facts", {})
        body.update({k: v for k, v in facts.items() if v is not None})
    return body


def _problem(status: int, code: str, detail: str) -> dict[str, Any]:
    return {
        "type": f"{ABOUT}{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "code": code,
        "detail": detail,
    }


def answer_of(error: Exception, headers: Mapping[str, str] | None = None) -> Response:
    """An error as an answer, with the headers its status asks for."""
    problem = problem_of(error)
    status = problem["status"]
    extra = dict(headers or {})
    if status == 401:
        extra["WWW-Authenticate"] = _CHALLENGE
    elif isinstance(error, errors.ScopeMissing):
        needed = problem["needed"]
        extra["WWW-Authenticate"] = f'{_CHALLENGE}, error="insufficient_scope", scope="{needed}"'
    elif status in (429, 503):
        extra["Retry-After"] = str(problem.get("retry_after_s", RETRY_AFTER_S))
    body = json.dumps(problem, ensure_ascii=True, separators=(",", ":")).encode()
    return Response(body, status, extra, media_type=MEDIA_TYPE)
