"""`examples/follow.html` in a real browser, while the server comes and goes and lines are cut."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from tests.chromium import chromium_page
from tests.examples.proxy import proxy_to
from tests.examples.troubled import ASKED, TROUBLES, live, play
from tests.live.player import Json, Player, all_events
from tests.servers.hotdice import ROOT

pytestmark = pytest.mark.browser

LINES = "nodes => nodes.map(node => [Number(node.dataset.version), node.textContent])"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def pages() -> Iterator[str]:
    """Where the examples are served: an origin of their own."""
    handler = partial(Quiet, directory=str(ROOT / "examples"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """A page of a real browser; printed, with what went wrong in it, when its test fails."""
    async with chromium_page(strict=False) as page:  # lines are cut: the console says so
        yield page


async def shown(page: Page, name: str) -> str:
    return await page.inner_text(f"#{name}")


def as_shown(event: Json) -> list[Any]:
    seat = "" if event["seat"] is None else f", seat {event['seat']}"
    return [event["version"], f"{event['type']}{seat}"]


async def test_it_misses_nothing(page: Page, pages: str, tmp_path: Path) -> None:
    settings = {"HOTDICE_CORS_ORIGINS": pages}
    with live(tmp_path, settings=settings) as server:
        ana = await Player.make(server.port)
        game = await ana.table(ASKED)
        async with proxy_to(server.port) as proxy:
            at = f"server=http://127.0.0.1:{proxy.port}&game={game['id']}"
            await page.goto(f"{pages}/follow.html?{at}")
            await page.wait_for_selector("#line:text-is('following')")
            game = await play(ana, game, server, proxy)
            await page.wait_for_selector("#line:text-is('over')")
            assert proxy.cuts >= TROUBLES.count("cut")
        log = await all_events(ana, game["id"])
    assert await page.locator("#events li").evaluate_all(LINES) == [as_shown(e) for e in log]
    assert (await shown(page, "missing"), await shown(page, "double")) == ("0", "0")
    assert await shown(page, "version") == str(game["version"])
    assert int(await shown(page, "connects")) == 1 + len(TROUBLES)
    scores = [seat["score"] for seat in game["seats"]]
    assert await page.locator("#seats li").all_inner_texts() == [f"Ana: {s}" for s in scores]


async def test_it_says_why_it_may_not(page: Page, pages: str, tmp_path: Path) -> None:
    """A private table without and with its token, typed into the form; and a page not allowed."""
    private = ASKED | {"visibility": "private"}
    with live(tmp_path, settings={"HOTDICE_CORS_ORIGINS": pages}) as server:
        ana = await Player.make(server.port)
        game = await ana.table(private)
        await page.goto(f"{pages}/follow.html?server={server.url}&game={game['id']}")
        await page.wait_for_selector("#line:text('4401')")
        await page.fill("input[name=token]", ana.token)
        await page.click("button")
        await page.wait_for_selector("#line:text-is('following')")
        assert await shown(page, "version") == str(game["version"])
        await page.goto(f"{pages.replace('127.0.0.1', 'localhost')}/follow.html")
        await page.fill("input[name=server]", server.url)
        await page.fill("input[name=game]", game["id"])
        await page.click("button")
        await page.wait_for_selector("#line:text('1008')")
