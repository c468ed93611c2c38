"""`make simulate SEEDS=1000 FIRST=0`: runs of many seeds; stops at the first that fails."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.ended import Run
from tests.simulation.run import simulate


def main() -> None:
    asked = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    asked.add_argument("--seeds", type=int, default=1_000, help="how many")
    asked.add_argument("--first", type=int, default=0, help="the first of them")
    options = asked.parse_args()
    began, runs = time.monotonic(), list[Run]()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        seeds = range(options.first, options.first + options.seeds)
        for run in pool.map(simulate, seeds, chunksize=5):
            runs.append(run)
            if len(runs) % 100 == 0:
                sys.stdout.write(f"{len(runs)} runs\n")
                sys.stdout.flush()
    figures = {
        "commands": sum(run.commits for run in runs),
        "conflicts": sum(run.conflicts for run in runs),
        "deaths": sum(run.deaths for run in runs),
        "connections of followers": sum(run.connections for run in runs),
        "commands of bots and clocks": sum(run.own for run in runs),
        "turns that ran out": sum(run.timed_out for run in runs),
        "times without service": sum(run.gaps for run in runs),
        "hints dropped": sum(run.hints_dropped for run in runs),
        "changes of tables of strangers": sum(run.meetings for run in runs),
        "games of series": sum(run.series_games for run in runs),
        "entries of purses": sum(run.purse_entries for run in runs),
        "seconds of virtual time": round(sum(run.seconds for run in runs)),
    }
    sys.stdout.write(f"{len(runs)} seeds from {options.first} on, all as promised\n")
    for name, figure in figures.items():
        sys.stdout.write(f"  {figure:>12,} {name}\n")
    sys.stdout.write(f"  {time.monotonic() - began:>12,.0f} seconds of ours\n")


if __name__ == "__main__":
    main()
