"""
Places where a process may die, by name. In production passing one does nothing.

A simulation watches them and ends a process at one: between a commit and its answer, say. What is
promised must hold wherever that happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

FaultPoint = Literal["before_append", "before_commit", "after_commit", "before_hint", "after_hint"]

_watch: Callable[[FaultPoint], None] | None = None


def passing(point: FaultPoint) -> None:
    """Called at the place of this name."""
    if _watch is not None:
        _watch(point)


@contextmanager
def watched(watch: Callable[[FaultPoint], None]) -> Iterator[None]:
    """Calls `watch` wherever a fault point is passed; what it raises is raised there."""
    global _watch
    before, _watch = _watch, watch
    try:
        yield
    finally:
        _watch = before
