"""
A test tool that knows the document alone (schemathesis) calls a real server, and finds no fault.

It sends the examples, values at every bound, what a schema refuses, and follows the links from one
answer to the next call. Failures say how to repeat them with curl.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.servers.hotdice import HotdiceServer
from tests.spec.answers import FILE

CONFIG = Path(__file__).with_name("schemathesis.toml")
OPERATOR = "a-token-of-an-operator-for-the-test-tool"
SETTINGS = {
    "HOTDICE_OPERATOR_TOKEN": OPERATOR,
    "HOTDICE_LOG_LEVEL": "warning",
    "HOTDICE_WAIT_MAX": "1",  # the tool asks to wait, too
    "HOTDICE_PAGE_MAX": "1000",  # as many as the document allows
}


@pytest.fixture(scope="module")
def server() -> Iterator[HotdiceServer]:
    with HotdiceServer(settings=SETTINGS) as server:
        yield server


def faults_found(server: HotdiceServer, folder: Path, *options: str) -> str:
    """All that the tool says, if it finds anything; nothing otherwise."""
    made = [httpx.post(f"{server.url}/v1/players", json={"name": name}) for name in ("Ana", "Bo")]
    tokens = [answer.json()["token"] for answer in made]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG)),
            *("run", str(FILE), "--url", server.url, "--no-color", "--continue-on-failure"),
            *("--generation-database", "none", "--no-shrink", "--seed", "1", *options),
        ],
        env={
            **os.environ,
            "PLAYER_TOKEN": tokens[0],
            "PASSING_TOKEN": tokens[1],
            "OPERATOR_TOKEN": OPERATOR,
        },
        cwd=folder,
        capture_output=True,
        text=True,
    )
    sys.stdout.write(done.stdout)  # the figures, for who asks for them: -rP
    cries = [line for line in server.output().splitlines() if "unforeseen" in line]
    return "" if done.returncode == 0 and not cries else done.stdout + "\n".join(cries)


@pytest.mark.wide
@pytest.mark.timeout(600)
def test_examples_bounds_and_links_show_no_fault(server: HotdiceServer, tmp_path: Path) -> None:
    few = ("--phases", "examples,stateful", "--max-examples", "15", "--mode", "positive")
    assert faults_found(server, tmp_path, *few) == ""


@pytest.mark.soak
def test_a_long_run_of_all_phases_shows_no_fault(server: HotdiceServer, tmp_path: Path) -> None:
    """Twenty minutes on a busy machine; `make soak ARGS="-k all_phases -rP"`."""
    assert faults_found(server, tmp_path, "--max-examples", "200") == ""
