"""A bar on the terminal, while games are played; nothing where standard error is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

EVERY_S = 0.1


def shown(things: Iterable[T], total: int, what: str = "games") -> Iterator[T]:
    """The same things, with a bar that says how many of them have come."""
    if not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    # Without a thread of its own: processes are forked while it is there.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task, drawn = bar.add_task(what, total=total), 0.0
        for come, thing in enumerate(things, 1):
            if time.monotonic() - drawn > EVERY_S:
                drawn = time.monotonic()
                bar.update(task, completed=come, refresh=True)
            yield thing
