"""What judges the server shares no code with it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
JUDGES = ("model", "refusals", "effects", "play", "pf1")


def imported(path: Path) -> set[str]:
    """Modules a file imports, also under a condition."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def reachable(module: str) -> set[str]:
    """Everything of this repository that a module needs."""
    seen: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop()
        path = ROOT / f"{name.replace('.', '/')}.py"
        if name in seen or not path.is_file():
            continue
        seen.add(name)
        todo += imported(path)
    return seen


@pytest.mark.parametrize("judge", JUDGES)
def test_a_judge_knows_nothing_of_the_server(judge: str) -> None:
    needed = reachable(f"tests.model.{judge}")
    assert f"tests.model.{judge}" in needed
    assert [name for name in needed if name.split(".")[0] in ("app", "engine")] == []
    outside = {part.split(".")[0] for name in needed for part in imported(_file(name))}
    assert not outside & {"app", "engine", "httpx", "sqlalchemy"}


def _file(module: str) -> Path:
    return ROOT / f"{module.replace('.', '/')}.py"
