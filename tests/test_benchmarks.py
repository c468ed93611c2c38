"""The benchmarks run. What they measure is for people to judge: no figure is looked at here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.servers.hotdice import ROOT


def measured(folder: Path, *sections: str) -> Any:
    """The tables of these sections, measured in short rounds."""
    figures = folder / "bench.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--json", str(figures), "--only"]
    done = subprocess.run(
        [*command, *sections], cwd=ROOT, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    return json.loads(figures.read_text("utf-8"))["tables"]


@pytest.mark.wide
def test_the_sections_with_listeners_print_their_rows(tmp_path: Path) -> None:
    fanout, slow = measured(tmp_path, "fanout", "slow")
    assert [(row["row"], row["listeners"]) for row in fanout["rows"]] == [
        (name, count) for count in (1, 10, 100) for name in ("raw broadcast", "hotdice")
    ]
    assert [row["row"] for row in slow["rows"]] == ["10 alone", "beside 20 slow ones"]
    assert all(h["deliveries"] == 10 * h["frames"] > 0 for h in slow["alone"] + slow["beside"])


@pytest.mark.wide
def test_the_section_with_commands_over_streams_prints_its_rows(tmp_path: Path) -> None:
    tables = measured(tmp_path, "sockets")
    for store, table in zip(("sqlite", "postgres"), tables, strict=True):
        rows = [(row["row"], row["connections"]) for row in table["rows"]]
        assert rows[:2] == [(f"{store}: HTTP", 32), (f"{store}: stream", 32)]
        assert all(each["asked"] > 0 for rounds in table["rounds"].values() for each in rounds)


@pytest.mark.wide
def test_the_section_with_bots_prints_its_rows(tmp_path: Path) -> None:
    tables = measured(tmp_path, "bots")
    for store, table in zip(("sqlite", "postgres"), tables, strict=True):
        names = ("alone", "pace 0", "pace 500 ms")
        assert [row["row"] for row in table["rows"]] == [f"{store}: {name}" for name in names]
        alone, free, paced = (table["rounds"][name] for name in names)
        assert all(window["decisions"] == 0 for window in alone)
        for beside in (free, paced):
            assert any(window["decisions"] > 0 for window in beside)


@pytest.mark.wide
@pytest.mark.timeout(300)
def test_the_engine_section_prints_its_rows(tmp_path: Path) -> None:
    figures = tmp_path / "bench.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", "engine"]
    done = subprocess.run(
        [*command, "--json", str(figures)], cwd=ROOT, capture_output=True, text=True, timeout=250
    )
    assert done.returncode == 0, done.stderr
    for preset in ("farkle", "house", "jester"):
        assert done.stdout.count(f"\n{preset} ") >= 2
    assert "python: " in done.stdout
    data = json.loads(figures.read_text("utf-8"))
    assert [table["title"] for table in data["tables"]] == [
        "Engine: games",
        "Engine: games of characters",
        "Engine: decisions of characters",
        "Engine: scoring",
    ]
    assert all(row["rule set"] for table in data["tables"] for row in table["rows"])
    assert "date" in data["machine"]


def test_an_unknown_section_is_refused() -> None:
    command = [sys.executable, "-m", "benchmarks", "--only", "luck"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
