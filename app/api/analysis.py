"""The odds of a rule set: what a host's values do."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from app.analysis.desk import Asker, Shown
from app.api.asked import rules
from app.api.auth import bearer_hash
from app.api.calls import also, games_of
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.analysis import AnalyseRules, AnalysisView
from app.api.strict import parse_body
from app.errors import Unauthenticated
from app.features import require
from app.parts import parts_of

router = api_router("rules")

AnalysisId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="Its rule set's key.")]


@router.post(
    "/v1/rules/analysis",
    response_model=AnalysisView,
    **also(
        operation(
            *("malformed_rules", "too_large", "analysis_failed", "not_available"),
            "too_many_analyses",
            body=AnalyseRules,
            location=True,
        ),
        202,
        "Not done yet; ask again at `Location`.",
        model=AnalysisView,
    ),
)
async def analyse_rules(request: Request) -> Response:
    """
    The odds of a rule set. They tell the chances of every roll, what turns are worth, and rolling
    on against banking. What takes longer than two seconds is answered with 202. Whoever asks for
    the same rules gets the same analysis, with the same id; it is kept for ten minutes.
    """
    parts = parts_of(request)
    require(parts.features, "analysis")
    body, _ = await parse_body(request, AnalyseRules)
    asked = rules(body.rules)
    chosen = games_of(request).opening.chosen(asked)
    is_shipped = chosen.preset is not None and not asked.options
    by = None if is_shipped else _asker(request)
    return _shown(await parts.analyses.ask(chosen.rules, by), asked=True)


def _asker(request: Request) -> Asker:
    try:
        token = bearer_hash(request.scope)
    except Unauthenticated:  # whatever it is, it is no token
        token = None
    return Asker(token, request.scope["hotdice.address"])


@router.get(
    "/v1/rules/analysis/{analysis_id}",
    response_model=AnalysisView,
    **operation("analysis_not_found", "too_large", "analysis_failed"),
)
async def show_analysis(request: Request, analysis_id: AnalysisId) -> Response:
    """
    An analysis asked for before, or how far it is. It is known to the process that makes it:
    where several serve, another one answers 404; ask it for the analysis of the same rules.
    """
    return _shown(parts_of(request).analyses.find(analysis_id), asked=False)


def _shown(found: Shown, *, asked: bool) -> Response:
    head = to_json({"id": found.id, "status": found.status, "progress": found.progress})
    if found.report is not None:
        return _json(head[:-1] + b',"report":' + found.report + b"}", 200, found.id)
    return _json(head, 202 if asked else 200, found.id)


def _json(body: bytes, status: int, name: str) -> Response:
    headers = {"Location": f"/v1/rules/analysis/{name}"} if status == 202 else {}
    return Response(body, status, headers, media_type="application/json")
