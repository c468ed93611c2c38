"""A page of a real browser, in which nothing may go wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Page, async_playwright

WITHIN_MS = 30_000


@asynccontextmanager
async def chromium_page(*, strict: bool = True, **options: Any) -> AsyncIterator[Page]:
    """
    Args:
        strict: what the console calls an error is one: an answer refused by a policy, say.
        options: of the page: viewport, color_scheme, …
    """
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert chromium, "no chromium: install it, or name it in CHROMIUM"
    arguments = ["--no-sandbox"] if os.getuid() == 0 else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=arguments)
        page = await browser.new_page(**options)
        page.set_default_timeout(WITHIN_MS)
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        if strict:
            page.on(
                "console", lambda said: faults.append(said.text) if said.type == "error" else None
            )
        yield page
        print(await page.content())  # noqa: T201 — pytest shows it when the test failed
        await browser.close()
        assert not faults
