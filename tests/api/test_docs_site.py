"""The docs site as a browser finds it: every page, every link, and nothing from elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from app.site.site import Site
from app.site.sources import API
from tests.api.conftest import Launch
from tests.api.live import running
from tests.docs.browsed import Page

AT = "http://hotdice.test"


@pytest.fixture(scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """One server for all: a page that was made is kept."""
    path = tmp_path_factory.mktemp("docs") / "hotdice.db"
    async with running(f"sqlite+aiosqlite:///{path}") as live, live.client() as client:
        yield client


async def test_every_page_is_there_and_every_link_leads_somewhere(
    browser: httpx.AsyncClient,
) -> None:
    """From the first page by links alone; anchors too. Nothing is loaded from another server."""
    pages: dict[str, Page] = {}
    loaded: set[str] = set()
    waiting = [f"{AT}/docs/"]
    while waiting:
        here = waiting.pop()
        if here in pages:
            continue
        answer = await browser.get(urlsplit(here).path)
        assert answer.status_code == 200, here
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        page = pages[here] = Page(answer.text)
        assert page.inline == [], here
        assert len(page.anchors) == len(set(page.anchors)), here
        for link in page.links:
            target = urljoin(here, link)
            if target.startswith(AT):
                waiting.append(target.partition("#")[0])
        loaded |= {urljoin(here, name).partition("#")[0] for name in page.loads}
    for name in loaded:
        assert name.startswith(AT), name
        answer = await browser.get(urlsplit(name).path)
        assert answer.status_code == 200, name
    assert {p.removeprefix(f"{AT}/docs/") for p in pages} == {*Site(dict).addresses(), API}
    for here, page in pages.items():
        for link in page.links:
            target, _, anchor = urljoin(here, link).partition("#")
            assert not anchor or not target.startswith(AT) or anchor in pages[target].anchors, link


async def test_a_refusal_leads_to_its_page(browser: httpx.AsyncClient) -> None:
    refused = (await browser.get("/v1/players/me")).json()
    page = await browser.get(refused["type"])
    assert page.status_code == 200
    assert '<h1 id="unauthenticated">unauthenticated</h1>' in page.text
    assert "POST /v1/games/{game_id}/roll" in page.text
    assert "seat_to_move" in (await browser.get("/docs/errors/not_your_turn")).text


async def test_docs_lead_to_the_site_below_any_path(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/docs")
    assert (answer.status_code, answer.headers["location"]) == (308, "docs/")
    for name in ("errors", "decisions", "rules"):
        answer = await browser.get(f"/docs/{name}/")
        assert (answer.status_code, answer.headers["location"]) == (308, f"../{name}")
        led = urljoin(f"{AT}/docs/{name}/", answer.headers["location"])
        assert (await browser.get(urlsplit(led).path)).status_code == 200
    for path in (
        "/docs/nope",
        "/docs/nope/",
        "/docs/errors/game_over/",
        "/docs/errors/nope",
        "/docs/a/b",
        "/docs/..%2fREADME",
        "/docs/api/x",
    ):
        assert (await browser.get(path)).status_code == 404, path


async def test_the_reference_of_calls_loads_nothing_from_elsewhere(
    browser: httpx.AsyncClient,
) -> None:
    page = await browser.get("/docs/api")
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "://" not in page.text
    for name, kind in [
        ("swagger-ui-bundle.js", "text/javascript"),
        ("swagger-ui.css", "text/css"),
        ("start.js", "text/javascript"),
    ]:
        assert f'"api/{name}"' in page.text
        asset = await browser.get(f"/docs/api/{name}")
        assert asset.headers["content-type"].startswith(kind)


async def test_pages_asked_for_at_once_are_made_once_each(browser: httpx.AsyncClient) -> None:
    asked = ["/docs/rules", "/docs/errors/game_over", "/docs/search.json"] * 3
    answers = await asyncio.gather(*(browser.get(path) for path in asked))
    assert [answer.status_code for answer in answers] == [200] * 9
    assert len({answer.content for answer in answers}) == 3


async def test_the_search_finds_sections_that_exist(browser: httpx.AsyncClient) -> None:
    index = (await browser.get("/docs/search.json")).json()
    [found] = [e for e in index if (e["page"], e["title"]) == ("Streams", "Close codes")]
    assert found["to"] == "streams#close-codes"
    assert "4409" in found["text"]
    assert {"errors/not_your_turn", "examples/bot.py", "./"} <= {each["to"] for each in index}


@pytest.mark.wide
async def test_while_the_document_is_made_others_are_answered(launch: Launch) -> None:
    """It takes a second or more of a processor, once."""
    async with launch() as live, live.client() as client:
        document = asyncio.create_task(client.get("/openapi.json"))
        answered = 0
        while not document.done():
            assert (await client.get("/health/live")).status_code == 200
            answered += 1
            await asyncio.sleep(0)
        assert (await document).status_code == 200
        assert answered > 10
