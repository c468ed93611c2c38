"""Who may do what, as `docs/access.md` says it: its tables, read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "access.md"

VISIBILITIES = ("public", "unlisted", "private")
YES = "yes"
COLUMNS = ("no token", "a stranger", "a member", "to move", "the host")

Cells = list[list[str]]


class Row(NamedTuple):
    """A call, or a stream: who may, and what a token must open."""

    who: str
    scope: str | None


class Matrix(NamedTuple):
    calls: dict[str, Row]
    """By method and path, as routes spell them."""
    streams: dict[str, Row]
    answers: dict[str, dict[str, str]]
    """Who may -> column -> the cell."""

    def answer(self, who: str, column: str, visibility: str) -> str:
        """`yes`, or the code of the refusal."""
        usual, *others = self.answers[who][column].split("; ")
        known = dict(other.split(": ") for other in others)
        return known.get(visibility, usual).strip("`")


def read() -> Matrix:
    text = PAGE.read_text("utf-8")
    answers = {row[0]: dict(zip(COLUMNS, row[1:], strict=True)) for row in _table(text, "who may")}
    return Matrix(_rows(text, "call"), _rows(text, "stream"), answers)


def _rows(text: str, heading: str) -> dict[str, Row]:
    return {
        row[0].strip("`"): Row(row[1], None if row[2] == "–" else row[2].strip("`"))
        for row in _table(text, heading)
    }


def _table(text: str, heading: str) -> Cells:
    """The lines of the table whose first column has this heading; none twice."""
    [block] = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n?)+)", text, re.MULTILINE)
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
    assert len({line[0] for line in lines}) == len(lines)
    return lines
