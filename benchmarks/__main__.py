"""`python -m benchmarks [--quick | --full] [--only NAME …]`: measures, prints, ends."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from uvicorn.loops.auto import auto_loop_factory

from benchmarks import aims, pages
from benchmarks.bench import Bench, Pace
from benchmarks.client import Unexpected
from benchmarks.pairs import Interval
from benchmarks.report import Table, load_average, machine, now, write_json
from benchmarks.sections import SECTIONS


@dataclass
class Run:
    """What a run has led to so far."""

    tables: list[Table] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)
    """What a page says of each section."""
    found: dict[str, float | Interval] = field(default_factory=dict)
    """What the aims are about."""
    failed: list[str] = field(default_factory=list)
    """Sections without figures."""

    async def section(self, bench: Bench, name: str) -> None:
        """One section, printed; one that fails costs no other its figures."""
        section = SECTIONS[name]
        began, load, limit = time.monotonic(), load_average(), section.seconds * bench.pace.patience
        bench.say(f"{name}: about {section.seconds} s at the usual pace, load average {load:.1f}")
        try:
            with ExitStack() as bench.brief:
                async with asyncio.timeout(limit):
                    found = await section.measure(bench)
        except (Unexpected, TimeoutError) as fault:
            why = str(fault) or f"not done after {limit:.0f} s"
            print(f"benchmarks: {name} has no figures: {why}", file=sys.stderr, flush=True)
            self.failed.append(name)
            return
        took = f"{time.monotonic() - began:.0f} s"
        facts = f"{now()}, {took}, load average {load:.1f} before and {load_average():.1f} after"
        for table in found:
            print(table.text(), flush=True)
        print(f"  {facts}", flush=True)
        self.told[name] = "\n\n".join([*(table.markdown() for table in found), f"{facts}."])
        self.tables += found

    def conclude(self, bench: Bench, *, is_whole: bool) -> None:
        """
        The aims: all after a whole run, else those that something was found about; none after a
        quick one.
        """
        if bench.pace.quick:
            return  # too short to judge anything by
        self.found = bench.found
        asked = [aim for aim in aims.AIMS if is_whole or aim.key in bench.found]
        if not asked:
            return
        table = aims.table(bench.found, asked, now())
        print(table.text(), flush=True)
        self.tables.append(table)

    def write(self, page: Path) -> None:
        """Into this page; of the aims, what nothing was found about stays as it is there."""
        before = pages.section(pages.read(page), "aims")
        if self.found:
            table = aims.table(self.found, aims.AIMS, now(), aims.rows_in(before))
            self.told["aims"] = table.markdown()
        pages.write(page, self.told)


async def run(names: Sequence[str], pace: Pace) -> Run:
    """These sections, each printed as soon as it is there."""
    done = Run()
    with ExitStack() as stack:
        bench = Bench(pace, stack)
        for name in names:
            await done.section(bench, name)
        done.conclude(bench, is_whole=not set(usual()) - set(names))
    return done


def usual() -> list[str]:
    """The sections of a run that is asked for none."""
    return [name for name, section in SECTIONS.items() if section.is_usual]


def many_descriptors() -> None:
    """For this process and all that it starts: a thousand sockets at either end."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--quick", action="store_true", help="short rounds: a rough look")
    pace.add_argument("--full", action="store_true", help="every section, more and longer rounds")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help=f"default: {' '.join(usual())}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round there too")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="write the tables into this page, each section between its marks",
    )
    asked = parser.parse_args()
    wanted = asked.only or (SECTIONS if asked.full else usual())
    asked.only = [name for name in SECTIONS if name in wanted]
    return asked


def main() -> int:
    asked = parsed()
    many_descriptors()
    began = time.monotonic()
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        done = runner.run(run(asked.only, Pace.of(asked.quick, asked.full)))
    facts = {**machine(), "took": f"{time.monotonic() - began:.0f} s"}
    lines = [f"{name}: {fact}" for name, fact in facts.items()]
    print("\n" + "\n".join(lines))
    if asked.json is not None:
        write_json(asked.json, done.tables, facts)
    if asked.markdown is not None:
        done.told["machine"] = "\n".join(f"- {line}" for line in lines)
        done.write(asked.markdown)
    return 1 if done.failed else 0


if __name__ == "__main__":
    sys.exit(main())
