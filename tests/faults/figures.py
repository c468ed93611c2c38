"""What a run came to, in a form for `docs/reliability.md`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.faults.load import Load


@dataclass(frozen=True)
class Figures:
    what: str
    rounds: int
    recoveries: Sequence[float]
    """Seconds after each trouble until every table was answered."""
    load: Load
    more: str = ""

    def row(self) -> str:
        """A row of a Markdown table; nothing is lost, doubled or half-done, else there is none."""
        sent = self.load.history.sent
        unknown = sum(command.was_unknown for command in sent)
        away = ", ".join(f"{code} {count}" for code, count in sorted(self.load.away().items()))
        worst = f"{max(self.recoveries):.1f} s" if self.recoveries else "–"
        parts = (self.what, self.rounds, len(self.load.history.accepted), unknown)
        return (
            "| " + " | ".join(map(str, (*parts, "0, 0, 0", worst, away or "–", self.more))) + " |"
        )


HEAD = (
    "| trouble | times | acknowledged | unknown for a time | lost, doubled, by halves "
    "| all are answered again within | told to come back | |"
)


def show(capsys: pytest.CaptureFixture[str], figures: Figures) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{HEAD}\n{figures.row()}\n")


def share(sorted_seconds: Sequence[float], of: float) -> float:
    """That quantile, in milliseconds."""
    return 1_000 * sorted_seconds[min(len(sorted_seconds) - 1, int(of * len(sorted_seconds)))]
