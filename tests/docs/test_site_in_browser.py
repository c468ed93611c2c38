"""The docs site in a real browser: search, a phone's list of pages, the reference of every call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chromium import chromium_page
from tests.servers.hotdice import HotdiceServer

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server() -> Iterator[HotdiceServer]:
    with HotdiceServer() as running:
        yield running


async def test_the_search_leads_to_a_section(server: HotdiceServer) -> None:
    async with chromium_page(color_scheme="dark") as page:
        await page.goto(f"{server.url}/docs/errors/not_your_turn")
        await page.fill("input[type=search]", "streams close codes")
        await page.wait_for_selector(".search li")
        assert await page.locator(".search li b").first.inner_text() == "Streams: Close codes"
        await page.press("input[type=search]", "Enter")
        await page.wait_for_url("**/docs/streams#close-codes")
        assert await page.locator("body").evaluate("b => getComputedStyle(b).backgroundColor") == (
            "rgb(25, 24, 23)"
        )


@pytest.mark.parametrize("name", ["rules", "errors", "performance"])
async def test_a_phone_shows_every_page_without_scrolling_sideways(
    server: HotdiceServer, name: str
) -> None:
    async with chromium_page(viewport={"width": 360, "height": 640}) as page:
        await page.goto(f"{server.url}/docs/{name}")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not await page.is_visible("nav.chapters")
        await page.click("text=Pages")
        await page.click("nav.chapters >> text=Concepts")
        await page.wait_for_url("**/docs/concepts")


async def test_the_reference_shows_every_call(server: HotdiceServer) -> None:
    async with chromium_page() as page:
        await page.goto(f"{server.url}/docs/api")
        await page.wait_for_selector('#docs [data-path="/v1/games/{game_id}/take-over"]')
        await page.click("text=all pages")
        await page.wait_for_selector("h1 >> text=Hotdice")
