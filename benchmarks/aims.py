"""What this project wants to reach, each aim beside what a run has found: a run's last table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from benchmarks.pairs import Interval
from benchmarks.report import Cell, Table, shown
from benchmarks.servers import STORES

COLUMNS = ("", "aim", "limit", "measured", "kept?", "when")


class Aim(NamedTuple):
    """One row of that table."""

    number: int
    """Of the aim in docs/performance.md; several rows may belong to one."""
    what: str
    key: str
    """Under which a section leaves what it found, in `Bench.found`."""
    side: Literal["≤", "≥"]
    limit: float
    unit: str = "×"

    def is_kept(self, found: float | Interval | None) -> str:
        """An interval that holds the limit says neither."""
        if found is None:
            return ""
        low, high = (found, found) if isinstance(found, float) else (found.low, found.high)
        if self.side == "≥":
            low, high = -high, -low
        limit = self.limit if self.side == "≤" else -self.limit
        return "yes" if high <= limit else "no" if low > limit else "too noisy to say"


def _of_stores(number: int, what: str, key: str, limit: float, unit: str = "×") -> list[Aim]:
    return [
        Aim(number, f"{what}, {store}", f"{key}, {store}", "≤", limit, unit) for store in STORES
    ]


AIMS: tuple[Aim, ...] = (
    *_of_stores(1, "REST commands, server CPU × bare typed route", "rest × bare", 1.6),
    *_of_stores(1, "the same, an Idempotency-Key with each", "rest, keys × bare", 1.6),
    Aim(2, "moves/s × boardgame.io in memory, 32 matches", "× boardgame memory", "≥", 1.5),
    Aim(2, "moves/s × boardgame.io with files, 32 matches", "× boardgame files", "≥", 10),
    Aim(2, "one match, p50 × boardgame.io in memory", "alone × boardgame memory", "≤", 1),
    Aim(2, "p50 × Colyseus as it comes, 32 matches", "p50 × colyseus default", "≤", 0.1),
    Aim(2, "server CPU × Colyseus, patches at once", "cpu × colyseus at once", "≤", 2),
    Aim(3, "deliveries/s × raw broadcast, 1 000 listeners", "fanout × raw", "≥", 0.8),
    *_of_stores(4, "all CPU at event 10 000 × event 10", "event 10 000 × 10", 1.05),
    *_of_stores(4, "all CPU with 100 000 games stored × 100", "games 100 000 × 100", 1.1),
    *_of_stores(4, "resuming the end of a long game × a short one", "resume long × short", 1.1),
    Aim(5, "commands, farkle", "engine commands", "≥", 60_000, "/s"),
    Aim(5, "whole games of cautious, farkle", "games of cautious", "≥", 200, "/s"),
    Aim(5, "whole games of strategist, farkle", "games of strategist", "≥", 100, "/s"),
    Aim(6, "two processes, server CPU × one, REST", "two × one, REST", "≤", 1.15),
    Aim(6, "two processes, server CPU × one, streams", "two × one, streams", "≤", 1.15),
    Aim(6, "two processes, rate × what the cores allow", "two × cores", "≥", 0.9),
    *_of_stores(7, "start to ready", "ready", 2, "s"),
    *_of_stores(7, "idle process", "idle", 90, "MiB"),
    *_of_stores(7, "idle live game", "idle game", 4, "KiB"),
)


def table(
    found: Mapping[str, float | Interval],
    aims: Iterable[Aim],
    when: str,
    earlier: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    """
    These aims; what nothing was found about stands empty.

    Args:
        when: it was found.
        earlier: rows by their aim, as `rows_in` gives them; they stand where nothing was found now.
    """
    rows: list[list[Cell]] = []
    for aim in aims:
        value = found.get(aim.key)
        if value is None and earlier is not None and aim.what in earlier:
            rows.append([*earlier[aim.what]])
            continue
        text = str(value) if isinstance(value, Interval) else shown(value)
        limit = f"{aim.side} {shown(aim.limit)} {aim.unit}"
        is_kept = aim.is_kept(value)
        rows.append([str(aim.number), aim.what, limit, text, is_kept, when if is_kept else ""])
    notes = (
        "intervals: 95 %; kept where the whole of it is, too noisy to say where it holds the limit",
        "–: not measured",
    )
    return Table("Aims", COLUMNS, rows, notes)


def rows_in(page: str) -> dict[str, list[str]]:
    """Of the table of aims in a page, by aim: what earlier runs have found."""
    found: dict[str, list[str]] = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == len(COLUMNS) and cells[0].isdecimal():
            found[cells[1]] = cells
    return found
