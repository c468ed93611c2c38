"""Where one begins, and what this server does not offer."""

from __future__ import annotations

from typing import get_args

import httpx

from app import VERSION
from app.features import Feature
from tests.api.conftest import Launch


async def test_the_api_says_what_it_is(client: httpx.AsyncClient) -> None:
    answer = (await client.get("/v1")).json()
    assert answer["version"] == VERSION
    assert set(answer["features"]) == set(get_args(Feature))
    assert answer["features"]["commands"] is True
    assert answer["features"]["bots"] is True
    assert answer["limits"]["body_bytes"] == 16384
    assert answer["limits"]["commands_per_player"] is None, "rate limits are off in tests"


async def test_settings_show(launch: Launch) -> None:
    async with launch(rate_limits=True, scripted_dice=False) as live, live.client() as client:
        answer = (await client.get("/v1")).json()
    assert answer["limits"]["commands_per_player"] == 12_000
    assert answer["features"]["scripted_dice"] is False


async def test_the_first_page_links_to_the_rest(client: httpx.AsyncClient, launch: Launch) -> None:
    links = (await client.get("/")).json()
    for name in ("api", "docs", "openapi", "asyncapi", "schemas", "verify"):
        assert (await client.get(links[name])).status_code == 200, name
    async with launch(docs=False, public_url="https://d.example/") as live, live.client() as other:
        assert (await other.get("/")).json() == {
            "name": "Hotdice",
            "version": VERSION,
            "api": "https://d.example/v1",
            "docs": None,
            "openapi": None,
            "asyncapi": None,
            "schemas": None,
            "verify": "https://d.example/verify",
        }
        for path in (
            "/docs",
            "/docs/",
            "/docs/api",
            "/docs/api/start.js",
            "/docs/search.js",
            "/docs/errors/",
            "/openapi.json",
            "/asyncapi.yaml",
            "/schemas",
        ):
            assert (await other.get(path)).status_code == 404
