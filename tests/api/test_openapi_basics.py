"""The document is valid, complete, and free of what the server never sends."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from app.api.openapi import document
from app.api.problems import CODES, MEDIA_TYPE
from app.api.routing import Index, Route
from app.main import routes

METHODS = {"get", "put", "post", "delete", "patch"}


@pytest.fixture(scope="module")
def spec() -> dict[str, Any]:
    return json.loads(json.dumps(document(routes())))  # type: ignore[no-any-return]


def operations(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [o for path in spec["paths"].values() for m, o in path.items() if m in METHODS]


def test_it_is_of_the_version_that_generators_read(spec: dict[str, Any]) -> None:
    assert spec["openapi"] == "3.1.0"


def test_operations_are_named_after_their_functions(spec: dict[str, Any]) -> None:
    names = [o["operationId"] for o in operations(spec)]
    assert len(set(names)) == len(names)
    assert {"create_player", "show_server", "health_live"} <= set(names)
    assert all(o.get("tags") for o in operations(spec))


def test_it_lists_the_routes_that_are_meant_to_be_seen(spec: dict[str, Any]) -> None:
    shown = {r.path_format for r in routes() if isinstance(r, APIRoute) and r.include_in_schema}
    assert set(spec["paths"]) == shown


def test_nothing_of_the_frameworks_own_faults_is_left(spec: dict[str, Any]) -> None:
    text = json.dumps(spec)
    assert "HTTPValidationError" not in text
    assert "Body_" not in text


def test_every_refusal_is_a_problem_of_known_codes(spec: dict[str, Any]) -> None:
    for operation in operations(spec):
        for status, answer in operation["responses"].items():
            if int(status) < 400:
                continue
            assert set(answer["content"]) == {MEDIA_TYPE}, operation["operationId"]
            schema = answer["content"][MEDIA_TYPE]["schema"]
            for choice in schema.get("oneOf", [schema]):
                problem = spec["components"]["schemas"][choice["$ref"].rpartition("/")[2]]
                code = problem["properties"]["code"]["enum"][0]
                assert CODES[code][0] == int(status)


def test_where_a_path_names_something_it_may_name_nothing(spec: dict[str, Any]) -> None:
    """An escape in an id, letters for a version: there is nothing at such an address."""
    for path, item in spec["paths"].items():
        for operation in item.values():
            if "{" in path:
                assert "`route_not_found`" in operation["responses"]["404"]["description"], path


def test_every_operation_may_be_too_much_but_those_without_limits(spec: dict[str, Any]) -> None:
    for operation in operations(spec):
        limited = operation["tags"] != ["operations"]
        assert {"400", "500", "503"} <= set(operation["responses"])
        assert ("429" in operation["responses"]) == limited


async def test_the_server_sends_its_own_document(
    client: httpx.AsyncClient, spec: dict[str, Any]
) -> None:
    assert (await client.get("/openapi.json")).json() == spec


def test_the_index_finds_what_the_framework_would() -> None:
    index = Index(routes())
    for route in routes():
        if not isinstance(route, APIRoute) or ":path" in route.path:
            continue
        path = route.path_format
        for name in route.param_convertors:
            path = path.replace(f"{{{name}}}", "x1")
        for method in route.methods or ():
            scope: dict[str, Any] = {"type": "http", "path": path, "method": method}
            assert index.find(scope)
            assert scope["route"] is route
            assert set(scope["path_params"]) == set(route.param_convertors)


def test_commands_make_no_detour_through_the_framework() -> None:
    slow = [
        route.name
        for route in routes()
        if isinstance(route, Route) and "commands" in route.tags and route.direct is None
    ]
    assert slow == []


def test_models_of_answers_are_built_for_the_document_alone() -> None:
    """They take a start a second."""
    mine = [route for route in routes() if isinstance(route, Route)]
    made = [route for route in mine if route.direct]
    kept = [route.name for route in made if route.response_field or route.response_fields]
    assert kept == []
    told = [route for route in mine if route.told().response_field]
    assert len(told) > 40
