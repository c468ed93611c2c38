"""The page that checks an export: served whole from here, and right about games of this server."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.api.live import Guest
from tests.api.table import started
from tests.verify.javascript import VERIFIER, javascript


async def test_the_page_has_its_files_from_here_and_no_script_in_it(
    client: httpx.AsyncClient,
) -> None:
    page = await client.get("/verify")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "connect-src" not in policy  # nothing may be sent anywhere
    assert "://" not in page.text
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", page.text)
    for name in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        if not name.startswith("data:"):
            assert (await client.get(f"/{name}")).status_code == 200


@pytest.mark.parametrize(
    ("name", "kind"),
    [("verify.js", "text/javascript"), ("page.js", "text/javascript"), ("verify.css", "text/css")],
)
async def test_its_files(client: httpx.AsyncClient, name: str, kind: str) -> None:
    answer = await client.get(f"/verify/{name}")
    assert answer.headers["content-type"].startswith(kind)
    assert answer.content == VERIFIER.with_name(name).read_bytes()


async def test_nothing_else_is_served_there(client: httpx.AsyncClient) -> None:
    for name in ("verify.html", "..%2f__init__.py", "nothing.js", ""):
        assert (await client.get(f"/verify/{name}")).status_code == 404


def test_the_verifier_is_one_file_that_loads_nothing() -> None:
    text = VERIFIER.read_text("utf-8")
    loaded = set(re.findall(r"""import\(["']([^"']+)["']\)""", text))
    assert loaded == {"node:fs", "node:url", "node:zlib"}, "of node itself, by its command alone"
    loads = r"^\s*import |^export .* from |require\(|fetch\(|XMLHttp|WebSocket"
    assert not re.search(loads, text, re.MULTILINE)


async def test_it_finds_a_game_of_this_server_valid(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.roll()
    open_export = (await ana.get(f"{table.path}/export")).content
    await table.do("resign", by=bo)
    export = (await ana.get(f"{table.path}/export")).content
    with javascript() as verifier:
        assert verifier.verify(open_export)["verdict"] == "incomplete"
        report = verifier.verify(export)
    assert (report["verdict"], report["ended"]) == ("valid", "walkover")
    assert report["game_id"] == table.id
