"""`python -m benchmarks [--quick] [--only NAME …] [--json FILE]`: measures, prints, ends."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from uvicorn.loops.auto import auto_loop_factory

from benchmarks import bots, engine, fanout, growth, rest, slow, sockets
from benchmarks.bench import Bench, Pace
from benchmarks.client import Unexpected
from benchmarks.report import Table, machine, write_json

SECTIONS: dict[str, Callable[[Bench], Awaitable[list[Table]]]] = {
    "engine": engine.section,
    "rest": rest.section,
    "sockets": sockets.section,
    "growth": growth.section,
    "fanout": fanout.section,
    "slow": slow.section,
    "bots": bots.section,
}
"""Each measures, and hands back its tables; in this order."""


async def run(names: Sequence[str], pace: Pace) -> list[Table]:
    """The tables of these sections, each printed as soon as it is there. Raises: Unexpected."""
    tables: list[Table] = []
    with ExitStack() as stack:
        bench = Bench(pace, stack)
        for name in names:
            for table in await SECTIONS[name](bench):
                print(table.text(), flush=True)
                tables.append(table)
    return tables


def many_descriptors() -> None:
    """For this process and all that it starts: a thousand sockets at either end."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds: a rough look")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    asked = parser.parse_args()
    many_descriptors()
    began = time.monotonic()
    names = [name for name in SECTIONS if name in asked.only]
    try:
        with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            tables = runner.run(run(names, Pace.of(asked.quick)))
    except Unexpected as fault:
        print(f"benchmarks: an unexpected answer, so no figures: {fault}", file=sys.stderr)
        return 1
    facts = {**machine(), "took": f"{time.monotonic() - began:.0f} s"}
    print("\n" + "\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    if asked.json is not None:
        write_json(asked.json, tables, facts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
