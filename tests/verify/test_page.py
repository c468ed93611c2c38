"""The page at /verify in a real browser: files dropped and chosen, a changed one, what was kept."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.chromium import chromium_page
from tests.examples.troubled import live
from tests.live.player import Player

pytestmark = pytest.mark.browser

DROP = """([text, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
  const how = {dataTransfer: data, bubbles: true, cancelable: true};
  document.body.dispatchEvent(new DragEvent("drop", how));
}"""
ASKED = {"rules": {"preset": "jester"}, "pass_and_play": True}


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """A phone's page; nothing may go wrong in it, and no answer may be refused by its policy."""
    phone = {"width": 360, "height": 640}
    async with chromium_page(viewport=phone, color_scheme="dark") as page:
        yield page


async def drop(page: Page, data: bytes, name: str) -> None:
    await page.evaluate(DROP, [base64.b64encode(data).decode(), name])


async def verdict(page: Page, expected: str) -> str:
    """The lines below it."""
    await page.wait_for_selector(f"#verdict:text-is('{expected}')")
    return await page.inner_text("#answer")


async def test_a_file_is_judged_in_the_browser(page: Page, tmp_path: Path) -> None:
    with live(tmp_path) as server:
        ana = await Player.make(server.port)
        game = await ana.table(ASKED)
        path = f"/v1/games/{game['id']}"
        if game["status"] == "lobby":
            await ana.do("POST", f"{path}/start")
        await ana.do("POST", f"{path}/roll")
        open_export = (await ana.ask("GET", f"{path}/export")).body
        await ana.do("POST", f"{path}/end")
        export = (await ana.ask("GET", f"{path}/export")).body

        await page.goto(f"{server.url}/verify")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await drop(page, export, "game.ndjson")
        assert "1 rolls" in await verdict(page, "Valid")
        assert await page.evaluate("document.activeElement.id") == "answer"
        wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert await page.evaluate(wide)

        changed = export.replace(b'\\"roll\\":0,', b'\\"roll\\":1,')
        await drop(page, changed, "changed.ndjson")
        told = await verdict(page, "Invalid")
        assert "changed.ndjson" in told
        assert "At version" in told

        await drop(page, gzip.compress(export), "game.ndjson.gz")
        assert "1 rolls" in await verdict(page, "Valid")
        await drop(page, gzip.compress(export)[:-9], "damaged.ndjson.gz")
        await verdict(page, "Not checked")

        await drop(page, open_export, "open.ndjson")
        assert "not over" in await verdict(page, "Incomplete")

        (tmp_path / "chosen.ndjson").write_bytes(export)
        await page.set_input_files("#file", tmp_path / "chosen.ndjson")
        await verdict(page, "Valid")

        line = json.loads(export.splitlines()[3])
        await page.click("summary")
        await page.fill("#kept", f"version 3 {line['hash']}")
        await page.locator("#kept").blur()
        await verdict(page, "Valid")
        await page.fill("#kept", f"3:{'00' * 32}")
        await page.locator("#kept").blur()
        assert "you kept" in await verdict(page, "Invalid")
        await page.fill("#kept", "what I remember")
        await page.locator("#kept").blur()
        assert "what I remember" in await verdict(page, "Not checked")
        assert asked == []  # nothing left the browser
