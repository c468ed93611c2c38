"""What a run came to, in a form for `docs/reliability.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.cluster.soak.seen import Faults, Tally


@dataclass(frozen=True)
class Figures:
    processes: int
    sockets: int
    games: int
    commands: int
    happened: Counter[str]
    tally: Tally
    states: int
    faults: Faults
    seconds: float

    def rows(self) -> Iterator[tuple[str, int]]:
        ends, happened, faults = self.tally.ends, self.happened, self.faults
        yield "processes", self.processes
        yield "sockets at a time", self.sockets
        yield "reconnects after a cut at a random byte", self.tally.cuts
        yield "streams ended by a restart, with its code", ends["1012"] + ends["restarting"]
        yield "streams torn by a kill", ends["broken"]
        yield "streams ended for slow reading", ends["4408"] + ends["too_slow"]
        yield "moves to another process", self.tally.moves
        yield "outages of the bus", happened["outages"]
        yield "orderly restarts of a process", happened["rolled"]
        yield "processes killed", happened["killed"]
        yield "games", self.games
        yield "commands acknowledged, all in the log", self.commands
        yield "events followed", faults.followed
        yield "different states seen, each the same for all", self.states
        yield "megabytes received", self.tally.bytes // 1_000_000
        yield "gaps", faults.gaps
        yield "doubles", faults.doubles
        yield "out of order", faults.out_of_order
        yield "frames that are not one command", faults.torn
        yield "events or states that differ from the log", faults.different
        yield "seconds", round(self.seconds)

    def table(self, over: str) -> str:
        """Markdown."""
        lines = [f"| | {over} |", "|---|---:|"]
        for name, count in self.rows():
            grouped = f"{count:,}".replace(",", " ")
            lines.append(f"| {name} | {grouped} |")
        return "\n".join(lines) + "\n"
