"""An operation that is on its way out says so, in the document and with every answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import Request
from starlette.responses import JSONResponse, Response

from app.api.deprecation import Deprecated
from app.api.openapi import document
from app.api.operations import operation
from app.api.refusals import RouteNotFound
from app.api.routing import api_router
from app.main import routes
from tests.api.live import BASE, running

LEAVES = Deprecated(since=date(2027, 1, 1), sunset=date(2027, 7, 1))
SAID = {
    "deprecation": "@1798761600",  # 2027-01-01T00:00:00Z
    "sunset": "Thu, 01 Jul 2027 00:00:00 GMT",
    "link": '</docs/versioning>; rel="deprecation"; type="text/html"',
}

router = api_router("server")


@router.get("/v1/leaving/{word}", response_model=dict[str, str], **operation(deprecated=LEAVES))
async def leave(request: Request, word: str) -> Response:
    """It leaves."""
    if word == "never":
        raise RouteNotFound
    return JSONResponse({"word": word})


@router.get("/v1/staying", response_model=dict[str, str], **operation())
async def stay(request: Request) -> Response:
    """It stays."""
    return JSONResponse({})


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'd.db'}"
    async with running(url, more=router.routes) as live:
        transport = httpx.ASGITransport(live.app)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            yield client


@pytest.mark.parametrize(
    ("method", "word", "status"),
    [("GET", "now", 200), ("HEAD", "now", 200), ("GET", "never", 404)],
)
async def test_every_answer_says_when_it_goes(
    method: str, word: str, status: int, client: httpx.AsyncClient
) -> None:
    answer = await client.request(method, f"/v1/leaving/{word}")
    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in SAID} == SAID


async def test_what_stays_says_nothing(client: httpx.AsyncClient) -> None:
    for path in ("/v1/staying", "/v1", "/nope"):
        headers = (await client.get(path)).headers
        assert not SAID.keys() & set(headers), path


def test_the_document_says_so_and_lists_the_headers() -> None:
    made: dict[str, Any] = document([*routes(), *router.routes])
    leaving = made["paths"]["/v1/leaving/{word}"]["get"]
    assert leaving["deprecated"] is True
    for status, answer in leaving["responses"].items():
        assert {"Deprecation", "Sunset", "Link"} <= answer["headers"].keys(), status
    staying = made["paths"]["/v1/staying"]["get"]
    assert "deprecated" not in staying
    assert "Sunset" not in staying["responses"]["200"]["headers"]


def test_nothing_goes_sooner_than_after_half_a_year() -> None:
    with pytest.raises(ValueError, match="180 days"):
        operation(deprecated=Deprecated(date(2027, 1, 1), date(2027, 6, 29)))
