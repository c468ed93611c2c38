"""`examples/play_series.py` against a live server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.troubled import live
from tests.servers.hotdice import ROOT


@pytest.mark.wide
def test_it_plays_its_seat_and_prints_who_won(tmp_path: Path) -> None:
    script = str(ROOT / "examples" / "play_series.py")
    with live(tmp_path) as server:
        done = subprocess.run(
            [sys.executable, script, server.url, "gambler", "3", "spring"],
            capture_output=True, text=True, timeout=100,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    head, mine, theirs = (line.split() for line in done.stdout.splitlines())
    assert head == ["games", "won", "shared", "lost", "mean", "score"]
    assert (mine[:2], theirs[:2]) == (["Strategy", "3"], ["gambler", "3"])
    assert int(mine[2]) + int(mine[3]) + int(theirs[2]) == 3
    assert mine[2:5] == [theirs[4], theirs[3], theirs[2]]
