"""
Steps made for those who catch up from the log, kept for a moment by the whole process: after a
restart many come back at once, and have missed the same.
"""

from __future__ import annotations

from collections import OrderedDict

from app.live.frames import Step, View
from engine.units import Millis

MOST = 512
"""Steps, of all games together: a few megabytes."""

KEPT_MS = 10_000
"""A frame shows names as they are known: one that is older is made anew."""


class Replayed:
    def __init__(self) -> None:
        self._steps: OrderedDict[tuple[str, View, int], Step] = OrderedDict()

    def find(self, game_id: str, view: View, version: int, now: Millis) -> Step | None:
        """The whole step that ends with this version, if it was made a moment ago."""
        step = self._steps.get((game_id, view, version))
        return step if step is not None and 0 <= now - step.now <= KEPT_MS else None

    def keep(self, game_id: str, view: View, step: Step) -> None:
        """A step with all events of its command."""
        self._steps[game_id, view, step.version] = step
        self._steps.move_to_end((game_id, view, step.version))
        if len(self._steps) > MOST:
            self._steps.popitem(last=False)
