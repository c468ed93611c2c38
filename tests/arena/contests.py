"""Contests for tests, and a short one of each kind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from app.arena.contest import Contest
from app.arena.game import Played, played
from app.arena.watch import Watch
from app.arena.workers import sitters_of
from app.rulebook import Rulebook
from tests.servers.hotdice import ROOT

BOOK = Rulebook.shipped()
SHORT: dict[str, Any] = {"target": 1500, "opening": 0}


def contest(
    *strategies: str,
    preset: str = "farkle",
    seed: str = "test",
    limit_s: float = 5.0,
    **options: Any,
) -> Contest:
    rules = BOOK.preset(preset, options, "").rules
    return Contest(strategies, rules, preset, seed, limit_s)


def some_games(asked: Contest, games: int, first: int = 0) -> list[Played]:
    """In this process."""
    sitters = sitters_of(asked, Watch(asked.limit_s))
    return [played(asked, number, sitters) for number in range(first, first + games)]


def strategy(folder: Path, body: str, name: str = "mine") -> str:
    """The name of a strategy with these lines in its function."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    path = folder / f"{name}.py"
    path.write_text(f"import os, random, re, signal, sys, time\n\n\ndef decide(game):\n{lines}\n")
    return str(path)


def arena_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "app.cli", "arena", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def arena(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, as a process."""
    return subprocess.run(
        arena_command(*arguments),
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
