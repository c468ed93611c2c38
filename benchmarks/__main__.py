"""`python -m benchmarks [--quick | --full] [--only NAME …]`: measures, prints, ends."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from uvicorn.loops.auto import auto_loop_factory

from benchmarks import aims, pages
from benchmarks.bench import Bench, Pace
from benchmarks.client import Unexpected
from benchmarks.report import Table, load_average, machine, now, write_json
from benchmarks.sections import SECTIONS


class TooSlow(Exception):
    """A section took far longer than it is meant to."""


async def run(names: Sequence[str], pace: Pace) -> tuple[list[Table], dict[str, str]]:
    """
    The tables of these sections, each printed as soon as it is there, and what a page says of each
    section. Raises: Unexpected, TooSlow.
    """
    tables: list[Table] = []
    told: dict[str, str] = {}
    with ExitStack() as stack:
        bench = Bench(pace, stack)
        for name in names:
            section = SECTIONS[name]
            began, load = time.monotonic(), load_average()
            bench.say(
                f"{name}: about {section.seconds} s at the usual pace, load average {load:.1f}"
            )
            try:
                async with asyncio.timeout(section.seconds * pace.patience):
                    found = await section.measure(bench)
            except TimeoutError:
                limit = section.seconds * pace.patience
                raise TooSlow(f"{name} was not done after {limit:.0f} s") from None
            took = f"{time.monotonic() - began:.0f} s"
            facts = (
                f"{now()}, {took}, load average {load:.1f} before and {load_average():.1f} after"
            )
            for table in found:
                print(table.text(), flush=True)
            print(f"  {facts}", flush=True)
            told[name] = "\n\n".join([*(table.markdown() for table in found), f"{facts}."])
            tables += found
        is_whole = all(name in names for name in usual())
        asked = [aim for aim in aims.AIMS if is_whole or aim.key in bench.found]
        if asked:
            tables.append(aims.table(bench.found, asked))
            print(tables[-1].text(), flush=True)
        if is_whole:
            told["aims"] = tables[-1].markdown()  # a page keeps those of its last whole run
    return tables, told


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
    try:
        with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            tables, told = runner.run(run(asked.only, Pace.of(asked.quick, asked.full)))
    except (Unexpected, TooSlow) as fault:
        print(f"benchmarks: no figures: {fault}", file=sys.stderr)
        return 1
    facts = {**machine(), "took": f"{time.monotonic() - began:.0f} s"}
    lines = [f"{name}: {fact}" for name, fact in facts.items()]
    print("\n" + "\n".join(lines))
    if asked.json is not None:
        write_json(asked.json, tables, facts)
    if asked.markdown is not None:
        told["machine"] = "\n".join(f"- {line}" for line in lines)
        pages.write(asked.markdown, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
