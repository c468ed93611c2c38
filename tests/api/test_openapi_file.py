"""The committed document is the one the server serves, and a valid one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
from openapi_spec_validator import validate

FILE = Path(__file__).resolve().parents[2] / "openapi" / "openapi.json"


def committed() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return document


async def test_the_committed_document_equals_the_served_one(client: httpx.AsyncClient) -> None:
    answer = await client.get("/openapi.json")
    assert answer.status_code == 200
    assert answer.json() == committed()  # `make spec` writes it anew


def test_the_committed_document_is_valid() -> None:
    validate(committed())


def test_every_operation_lists_its_problems_and_has_a_name_of_its_own() -> None:
    names = []
    for path, item in committed()["paths"].items():
        for method, operation in item.items():
            names.append(operation["operationId"])
            refusals = [status for status in operation["responses"] if status >= "400"]
            assert refusals or path.startswith(("/health", "/metrics")), (method, path)
    assert len(names) == len(set(names))
