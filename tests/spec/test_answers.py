"""A wrong answer is caught, whatever is wrong with it; a right one is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import Response

from tests.api.live import running
from tests.canary.watched import Watched
from tests.conftest import pytest_runtest_teardown
from tests.spec.answers import Answered, Spec, alooked, spec
from tests.spec.reading import operations

PROBLEM = {
    "type": "/docs/errors/game_not_found",
    "title": "Game not found",
    "status": 404,
    "code": "game_not_found",
    "detail": "There is no such game, or it is private and you are not a member.",
}
HEADERS = {"content-type": "application/json", "x-request-id": "0123456789-00002a"}
IN_TROUBLE = {**HEADERS, "content-type": "application/problem+json"}
HEALTHY = Answered("GET", "/health/live", 200, HEADERS, b'{"status":"ok"}')
NOT_FOUND = Answered(
    "GET",
    "/v1/games/019b0000-0000-7000-8000-000000000001",
    404,
    IN_TROUBLE,
    json.dumps(PROBLEM).encode(),
)


def problem(**other: Any) -> bytes:
    return json.dumps({**PROBLEM, **other}).encode()


@pytest.fixture(scope="module")
def judge() -> Spec:
    """One that is nobody else's."""
    return Spec(json.loads(Path("openapi/openapi.json").read_text("utf-8")))


def faults(judge: Spec, answered: Answered) -> list[str]:
    judge.look(answered)
    found, judge.faults = judge.faults, []
    return found


@pytest.mark.parametrize("right", [HEALTHY, NOT_FOUND])
def test_a_right_answer_passes(judge: Spec, right: Answered) -> None:
    assert faults(judge, right) == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (HEALTHY._replace(status=201), "the status is not told"),
        (HEALTHY._replace(headers={"content-type": "application/json"}), "x-request-id is missing"),
        (HEALTHY._replace(headers={**HEADERS, "x-request-id": "7"}), "the header x-request-id"),
        (HEALTHY._replace(headers={**HEADERS, "x-new": "1"}), "the header x-new is not told"),
        (HEALTHY._replace(headers=IN_TROUBLE), "the type application/problem+json is not told"),
        (HEALTHY._replace(body=b'{"status":"fine"}'), "the body at /status"),
        (HEALTHY._replace(body=b"{}"), "the body at /"),
        (HEALTHY._replace(body=b'{"status":"ok","more":1}'), "the body at /"),
        (HEALTHY._replace(body=b""), "the body is no JSON"),
        (NOT_FOUND._replace(body=problem(code="not_host")), "code 'not_host' is not told"),
        (NOT_FOUND._replace(body=problem(status=403)), "the body at /status"),
        (NOT_FOUND._replace(body=problem(seat=1)), "the body at /"),
        (NOT_FOUND._replace(body=problem(detail="no such game")), "no sentence: 'no such game'"),
        (NOT_FOUND._replace(status=401), "code 'game_not_found' is not told"),
    ],
)
def test_a_wrong_answer_is_caught(judge: Spec, wrong: Answered, says: str) -> None:
    assert any(says in fault for fault in faults(judge, wrong))


async def test_a_wrong_answer_fails_the_test_that_was_running() -> None:
    app = Watched(Response('{"status":"fine"}', media_type="application/json"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://a") as client:
        await client.get("/health/live")
    ends = pytest_runtest_teardown()
    next(ends)
    with pytest.raises(pytest.fail.Exception, match="GET /health/live, 200: the body at /status"):
        next(ends)
    assert not spec().faults


async def test_the_servers_of_the_tests_are_held_against_the_document(tmp_path: Path) -> None:
    seen = spec().seen
    async with running(f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}") as live:
        await live.guest("Ana")
    assert spec().seen == seen + 1


@pytest.mark.parametrize(("path", "faults"), [("/health/live", 1), ("/health/li%76e", 0)])
async def test_what_a_client_of_its_own_is_answered_is_looked_at(path: str, faults: int) -> None:
    answer = Response('{"status":"fine"}', headers=HEADERS)
    hooks: dict[str, Any] = {"response": [alooked]}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(answer), base_url="http://a", event_hooks=hooks
    ) as client:
        await client.get(path)
    found, spec().faults[:] = [*spec().faults], ()
    assert len(found) == faults


def test_every_answer_of_every_operation_has_a_schema_that_can_be_read(judge: Spec) -> None:
    """A reference that leads nowhere would otherwise show with the first such answer."""
    for operation in operations(judge.document):
        path = operation.path.replace("{", "").replace("}", "")
        for status, told in operation.says["responses"].items():
            for media in told.get("content", {}):
                judge.look(
                    Answered(
                        operation.method.upper(), path, int(status), {"content-type": media}, b"[]"
                    )
                )
    assert judge.faults
    judge.faults.clear()
