"""
What was heard of servers that run in processes of their own, kept until their seeds can be known.

Those draw their seeds themselves. So what they send and log is remembered in parts; once one has
ended, its seeds are read from its database and looked for there. A seed may be said where an end
is told, and nowhere before: what tells of one is kept apart, and held against games that go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tests.canary.canary import CANARY, PART, RUN, STRIDE, Canary, parts_of

MOST = 300_000
"""Parts kept at least, of each kind; the oldest are let go: some twenty megabytes."""
REVEALS = (b"fairness_revealed", b'"seeds"')


class Seed(NamedTuple):
    value: bytes
    is_revealed: bool
    """Its game is over."""


class _Parts:
    def __init__(self) -> None:
        self._new: set[int] = set()
        self._old: set[int] = set()

    def add(self, part: bytes) -> None:
        self._new.add(hash(part))
        if len(self._new) > MOST:
            self._old, self._new = self._new, set()

    def __contains__(self, part: bytes) -> bool:
        return hash(part) in self._new or hash(part) in self._old


class Heard:
    def __init__(self, canary: Canary = CANARY) -> None:
        self._canary = canary
        self._before, self._ends = _Parts(), _Parts()

    def note(self, data: bytes) -> None:
        """Bytes that a server sent or logged."""
        into = self._ends if any(word in data for word in REVEALS) else self._before
        for run in RUN.findall(data):
            for at in range(0, len(run) - PART + 1, STRIDE):
                into.add(run[at : at + PART])

    def look_for(self, seeds: Iterable[Seed], where: str) -> None:
        """Whatever is found is among the canary's hits."""
        for seed in seeds:
            for part in parts_of(seed.value):
                if part in self._before or (not seed.is_revealed and part in self._ends):
                    self._canary.hits.append(f"a seed in what was sent or logged by {where}")
                    break


HEARD = Heard()
"""All that this process of the test run has heard."""
