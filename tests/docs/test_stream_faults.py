"""The faults of streams on their page: each is shown by a test that exists."""

from __future__ import annotations

import ast
import re

from app.live import endings
from app.live.frames import Ending
from tests.docs.test_docs import ROOT, page, table, tables

FAULTS = ("fault", "guard", "test")
WITHOUT_A_WORD = (endings.GONE, endings.NO_PROTOCOL, endings.TOO_LARGE)
"""Nothing is said before these: `test_corpus` has the cases."""
WORD = re.compile(r"`(\w+)`")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`( \(wide\))?")


def named(cell: str) -> list[tuple[str, str, bool]]:
    """(file, test, is said to be wide) of each test in a cell, which holds nothing else."""
    assert NAMED.sub("", cell).strip(", ") == "", cell
    return [(file, test, bool(wide)) for file, test, wide in NAMED.findall(cell)]


def marks_in(file: str) -> dict[str, bool]:
    """Each test in a file, and whether it or its file is marked wide."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    all_wide = any(
        isinstance(node, ast.Assign)
        and "pytestmark" in (said := ast.unparse(node))
        and "wide" in said
        for node in tree.body
    )
    return {
        node.name: all_wide or any("mark.wide" in ast.unparse(d) for d in node.decorator_list)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_fault_has_a_guard_and_tests_that_exist() -> None:
    found = tables(page("stream-faults.md"))
    rows = [row for rows in found for row in rows]
    assert len(rows) > 30
    for row in rows:
        assert all(row.values()), row
        assert named(row["test"]), row
        for file, test, is_wide in named(row["test"]):
            assert marks_in(file).get(test) is is_wide, (file, test)
    assert {tuple(rows[0]) for rows in found} == {FAULTS, ("code", "test")}


def test_every_close_code_is_shown_and_explained() -> None:
    shown = [row["code"] for row in table(page("stream-faults.md"), "code", "test")]
    rows = table(page("streams.md"), "code", "word", "meaning", "what to do")
    assert shown == [row["code"] for row in rows]
    ours = [
        (e.close, e.code)
        for e in vars(endings).values()
        if isinstance(e, Ending) and e not in WITHOUT_A_WORD
    ]
    ours += [(code, str(vars(error)["code"])) for error, code in endings._OF.items()]
    explained = {(int(row["code"]), word) for row in rows for word in WORD.findall(row["word"])}
    assert explained == set(ours)
