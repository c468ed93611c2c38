"""Every error has one status, one shape, and says nothing of what was sent."""

from __future__ import annotations

import json
from string import Formatter
from typing import Any

import httpx
import pytest

import app.wiring  # noqa: F401  # brings every module that may declare an error
from app.api.problem_schemas import problem_schemas
from app.api.problems import CODES, MEDIA_TYPE, Problem, answer_of, family, problem_of, status_of
from app.api.refusals import HttpRefusal
from app.api.routing import api_router
from app.errors import AppError, StoreUnavailable
from app.limits import RateLimited
from engine.errors import BelowOpening, BrokenHistory, Fault, GameError, MalformedRules, Refusal
from tests.api.conftest import Launch
from tests.api.live import Guest

ROOTS = {GameError, AppError, HttpRefusal, Refusal}
FOUND = [k for root in (GameError, AppError) for k in family(root) if k not in ROOTS]


def test_no_error_is_unmapped() -> None:
    assert [k.__name__ for k in FOUND if status_of(k) is None] == []


def test_codes_are_unique() -> None:
    codes = [k.code for k in FOUND if "code" in k.__dict__]  # type: ignore[attr-defined]
    assert sorted(set(codes)) == sorted(codes)
    assert set(codes) == set(CODES)


def test_every_fact_has_a_place_in_the_model() -> None:
    for kind in FOUND:
        facts = {name for _, name, _, _ in Formatter().parse(getattr(kind, "says", "")) if name}
        assert facts <= set(Problem.model_fields), kind.__name__


def test_every_code_has_a_schema_with_its_facts() -> None:
    schema = problem_schemas()["BelowOpeningProblem"]
    assert schema["properties"]["code"]["enum"] == ["below_opening"]
    assert {"needed", "offered", "status"} <= set(schema["required"])
    assert len(problem_schemas()) == len(CODES)


def test_a_refusal_carries_its_facts() -> None:
    problem = problem_of(BelowOpening(needed=500, offered=350))
    assert problem == {
        "type": "/docs/errors/below_opening",
        "title": "Below opening",
        "status": 409,
        "code": "below_opening",
        "detail": "The first banked turn must be worth 500; this one is worth 350.",
        "needed": 500,
        "offered": 350,
    }
    Problem.model_validate(problem)


def test_faults_of_a_rule_set_come_with_pointers() -> None:
    problem = problem_of(MalformedRules((Fault("/rules/custom/target", "too_small", "No."),)))
    assert (problem["status"], problem["code"]) == (422, "malformed_rules")
    assert problem["errors"] == [
        {"pointer": "/rules/custom/target", "code": "too_small", "detail": "No."}
    ]


@pytest.mark.parametrize("error", [BrokenHistory("secret"), ValueError("secret")])
def test_what_is_our_fault_says_nothing(error: Exception) -> None:
    answer = answer_of(error)
    assert answer.status_code == 500
    assert b"secret" not in bytes(answer.body)


def test_who_may_come_again_is_told_when() -> None:
    assert answer_of(StoreUnavailable()).headers["retry-after"] == "1"
    assert answer_of(RateLimited(limit=10, retry_after_s=42)).headers["retry-after"] == "42"


BODIES: list[tuple[Any, str, list[tuple[str, str]]]] = [
    (b"", "empty", [("", "missing")]),
    (b"null", "null", [("", "wrong_type")]),
    (b"[]", "array", [("", "wrong_type")]),
    (b'"x"', "scalar", [("", "wrong_type")]),
    (b"{}", "nothing", [("/name", "missing")]),
    (b'{"name": 7}', "integer", [("/name", "wrong_type")]),
    (b'{"name": null}', "null-field", [("/name", "wrong_type")]),
    (b'{"name": ["canary"]}', "list", [("/name", "wrong_type")]),
    (b'{"name": "Ana", "canary": 1}', "unknown", [("", "unknown_field")]),
    (b'{"name": "Ana", "__proto__": {}}', "proto", [("", "unknown_field")]),
    (b'{"name": "Ana", "": 1}', "empty-key", [("", "unknown_field")]),
    (b'{"name": "Ana", "x": NaN}', "nan", [("", "not_json")]),
    (b'{"name": "Ana", "x": -Infinity}', "infinity", [("", "not_json")]),
    (b'{"name": "Ana", "x": 1e400}', "1e400", [("", "not_json")]),
    (b'{"name": "Ana", "x": %s}' % (b"9" * 5000), "5000-digits", [("", "not_json")]),
    (b'{"name": %s}' % (b"9" * 4000), "4000-digits", [("/name", "wrong_type")]),
    (b'{"name": "Ana"}x', "trailing", [("", "not_json")]),
    (b'{"name": "Ana"}{"name": "Bo"}', "two", [("", "not_json")]),
    (b'{"name": "Ana", "name": "Bo"}', "duplicate", [("", "duplicate_key")]),
    (b'{"name": "\\ud800"}', "surrogate", [("", "bad_text")]),
    (b'{"\\udfff": 1}', "surrogate-key", [("", "bad_text")]),
    (b'{"name": "\\u0000"}', "nul", [("/name", "bad_text")]),
    (b'{"name": "\xff"}', "not-utf8", [("", "not_utf8")]),
    (b'{"name": "\xc0\xaf"}', "overlong", [("", "not_utf8")]),
    (b'\xef\xbb\xbf{"name": "Ana"}', "bom", [("", "not_json")]),
    ('{"name": "Ana"}'.encode("utf-16"), "utf-16", [("", "not_utf8")]),
    ('{"name": "Ana"}'.encode("utf-16-le"), "utf-16-le", [("", "not_json")]),
    ('{"name": "Ana"}'.encode("utf-32"), "utf-32", [("", "not_utf8")]),
    (b"[" * 16000, "brackets", [("", "too_deep")]),
    (b'{"name": %s%s}' % (b"[" * 900, b"]" * 900), "900-levels", [("", "too_deep")]),
    (b"'name'", "quotes", [("", "not_json")]),
]


@pytest.mark.parametrize(("raw", "parts"), [pytest.param(b, p, id=i) for b, i, p in BODIES])
async def test_bodies_are_read_strictly(
    client: httpx.AsyncClient, raw: bytes, parts: list[tuple[str, str]]
) -> None:
    headers = {"Content-Type": "application/json"} if raw else {}
    answer = await client.post("/v1/players", content=raw, headers=headers)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == MEDIA_TYPE
    problem = answer.json()
    assert problem["code"] == "invalid_request"
    assert [(e["pointer"], e["code"]) for e in problem["errors"]] == parts
    assert "canary" not in answer.text
    assert len(answer.content) < 1024


TYPES = [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
TYPES += ["application/json; charset=utf-16", "application/jsonp", "application/problem+json", ""]


@pytest.mark.parametrize("kind", TYPES)
async def test_only_json_is_read(client: httpx.AsyncClient, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    answer = await client.post("/v1/players", content=b'{"name": "Ana"}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=UTF-8"])
async def test_json_has_one_spelling_of_utf8(client: httpx.AsyncClient, kind: str) -> None:
    headers = {"Content-Type": kind}
    answer = await client.post("/v1/players", content=b'{"name": "Ana"}', headers=headers)
    assert answer.status_code == 201


KEYS = ["", " ", "a b", "é", "x" * 256, "\t"]


@pytest.mark.parametrize("key", KEYS)
async def test_keys_are_visible_ascii(ana: Guest, key: str) -> None:
    headers = [(b"Idempotency-Key", key.encode())]
    answer = await ana.request("PATCH", "/v1/players/me", json={"name": "B"}, headers=headers)
    assert answer.status_code == 422
    assert [e["parameter"] for e in answer.json()["errors"]] == ["Idempotency-Key"]


TOKENS: list[list[bytes]] = [
    [b""], [b"Bearer"], [b"Bearer "], [b"Bearer \xe9"], [b"Bearer " + b"x" * 65536],
    [b"Basic eA=="], [b"Bearer unknown"], [b"Bearer a", b"Bearer b"], [b"Bearer  x"], [b"\xff\xfe"],
]  # fmt: skip


@pytest.mark.parametrize("values", TOKENS)
async def test_a_bad_token_is_401_whatever_it_is(
    client: httpx.AsyncClient, values: list[bytes]
) -> None:
    headers = [(b"Authorization", v) for v in values]
    answer = await client.get("/v1/players/me", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_no_token_is_401(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/players/me")).status_code == 401


@pytest.mark.parametrize(
    "path",
    ["/nope", "/v1/", "/v1//players", "/v1/players/", "/v1/players/me/", "/V1", "/v1/%2e%2e"],
)
async def test_there_is_one_address_for_a_thing(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == MEDIA_TYPE


async def test_a_wrong_method_is_told_the_right_ones(client: httpx.AsyncClient) -> None:
    answer = await client.put("/v1/players/me")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "DELETE, GET, HEAD, PATCH"
    assert (await client.options("/v1/players")).headers["allow"] == "POST"


broken = api_router("server")


@broken.get("/v1/broken")
async def breaks() -> None:
    """It never answers."""
    raise ValueError("canary")


async def test_the_unforeseen_is_logged_and_says_nothing(
    launch: Launch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with launch(more=broken.routes) as live, live.client() as client:
        answer = await client.get("/v1/broken")
    assert capsys.readouterr().out.count("unforeseen") == 1
    assert answer.status_code == 500
    assert json.loads(answer.text)["code"] == "internal_error"
    assert "canary" not in answer.text
