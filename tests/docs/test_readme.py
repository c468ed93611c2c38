"""The README's promises: its snippets run against a real server, its table is the settings'."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import settings_table
from tests.servers.hotdice import HotdiceServer

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
DEFAULT = "http://127.0.0.1:8000"


def snippet(language: str) -> str:
    found = re.search(rf"<!-- tested: {language} -->\n```{language}\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def server() -> Iterator[HotdiceServer]:
    with HotdiceServer() as running:
        yield running


def test_the_curl_game_prints_what_its_comments_say(server: HotdiceServer) -> None:
    script = snippet("bash").replace(DEFAULT, server.url)
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[:6] == [
        "0",
        "{'dice': [0], 'points': 100}",
        "300",
        "{'score': 400, 'total': 400}",
        "turn_banked",
        "turn_busted",
    ]
    assert lines[6] == "0"
    assert lines[7] == "{'opened_by': 0, 'waiting': [1]}"
    assert lines[8:10] == ["1", "below_opening"]
    assert "'reason': 'target', 'winners': [0]" in lines[10]
    assert re.fullmatch(r"\['[0-9a-f]{64}', '[0-9a-f]{64}', '[0-9a-f]{64}'\]", lines[11])


def test_the_python_game_plays_to_its_end(server: HotdiceServer) -> None:
    script = snippet("python").replace(DEFAULT, server.url)
    assert len(script.splitlines()) <= 40
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=100
    )
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"won by (Ana|Bo) after \d+ events", ran.stdout)


def test_the_settings_table_is_that_of_the_server() -> None:
    table = [
        f"| `{row.variable}` | {f'`{row.default}`' if row.default else ''} | {row.meaning} |"
        for row in settings_table()
    ]
    listed = [line for line in README.splitlines() if line.startswith("| `HOTDICE_")]
    assert listed == table


def test_every_page_the_readme_names_is_there() -> None:
    for page in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / page).exists(), page
