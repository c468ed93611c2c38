"""How the code treats secrets, read off the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECRET = re.compile(r"(?:^|_)(token|tokens|ticket|secret|password|join_code|credential)$")
"""Names of what somebody must not guess. A hash of it is looked up, and may be compared."""
DRAWS = {"random", "Random", "uuid4"}
OFFLINE = "app/arena/"
"""Contests of bots on the command line: dice that can be repeated, and no secret."""


def trees(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text("utf-8"))


def name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_column(node: ast.expr) -> bool:
    """Of a table (`_g.join_code`): the database compares, by its index."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id.startswith("_")
    )


def compared(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Secrets beside an == or !=; with None, or with a constant, nothing is given away."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if not any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
            continue
        if any(isinstance(side, ast.Constant) or is_column(side) for side in sides):
            continue
        for side in sides:
            if SECRET.search(name_of(side)):
                yield node.lineno, ast.unparse(node)


def test_the_rule_sees_what_it_is_for() -> None:
    bad = "if token == known or self.join_code != code or a.session_secret == b: pass"
    good = "if token_hash == other or token is None or _g.join_code == join_code: pass"
    assert len(list(compared(ast.parse(bad)))) == 3
    assert not list(compared(ast.parse(good)))


def test_no_secret_is_compared_letter_by_letter() -> None:
    """`==` stops at the first difference, and takes as long as it takes: `hmac.compare_digest`."""
    found = [
        f"{file}:{line}: {text}" for file, tree in trees("app") for line, text in compared(tree)
    ]
    assert found == []


def test_what_grants_something_is_drawn_from_the_system() -> None:
    """No module of the app or the engine imports a generator that can be predicted."""
    for file, tree in trees("app", "engine"):
        if file.startswith(OFFLINE):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
                assert not names & DRAWS, file
