"""What followers were told of games, and how far that is the log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.live.player import Json

OVER = "game_finished"


@dataclass
class Told:
    """What one follower was told of one game, frame for frame as it came."""

    game_id: str
    first: int | None = None
    """The version it began with; None until it is known."""
    versions: list[int] = field(default_factory=list)
    """Of every event, as it came."""
    ends: list[int] = field(default_factory=list)
    """Of every frame."""
    is_over: bool = False

    @property
    def version(self) -> int | None:
        """To resume from."""
        return self.ends[-1] if self.ends else self.first


@dataclass
class Faults:
    """How lists differ from the log."""

    gaps: int = 0
    doubles: int = 0
    out_of_order: int = 0
    torn: int = 0
    """Frames that are not one whole command."""
    different: int = 0
    """Events or states that are not those of the log."""
    followed: int = 0
    """Events that were told, and are right."""

    def compare(self, told: Told, commands: Sequence[int]) -> None:
        """
        Args:
            commands: the last version of each command of the game.
        """
        assert told.first is not None
        due = range(told.first + 1, commands[-1] + 1)
        came = set(told.versions)
        self.gaps += len(set(due) - came)
        self.doubles += len(told.versions) - len(came)
        self.out_of_order += sum(b < a for a, b in pairwise(told.versions))
        self.different += len(came - set(due))
        self.torn += told.ends != [version for version in commands if version > told.first]
        self.followed += len(came & set(due))


class Seen:
    """
    All that was told to anybody, once: each event and each state by game and version.

    Whoever is told something else of the same version is counted.
    """

    def __init__(self) -> None:
        self.events: dict[tuple[str, int], Json] = {}
        self.states: dict[tuple[str, int], int] = {}
        self.different = 0

    def take(self, told: Told, frame: Json) -> None:
        """A frame of the game, of any type."""
        if frame["type"] in ("state", "resumed"):
            if told.version is None:
                told.first = frame["version"]
            self.different += told.version != frame["version"]
        if "game" in frame:
            self._same_state(told.game_id, frame["version"], frame["game"])
            told.is_over |= frame["game"]["status"] == "finished"
        if frame["type"] != "played":
            return
        for event in frame["events"]:
            told.versions.append(event["version"])
            told.is_over |= event["type"] == OVER
            first = self.events.setdefault((told.game_id, event["version"]), event)
            self.different += first != event
        self.different += frame["events"][-1]["version"] != frame["version"]
        told.ends.append(frame["version"])

    def _same_state(self, game_id: str, version: int, state: Json) -> None:
        mark = mark_of(state)
        self.different += self.states.setdefault((game_id, version), mark) != mark

    def compare(self, logs: dict[str, list[Json]]) -> int:
        """How many events, and states told of another version, are not those of the logs."""
        return self.different + sum(
            logs[game][version - 1 : version] != [event]
            for (game, version), event in self.events.items()
        )


def mark_of(state: Json) -> int:
    """Equal for equal states, whenever they were sent and to whom."""
    same = {k: v for k, v in state.items() if k not in ("now", "join_code")}
    return hash(json.dumps(same, sort_keys=True))


@dataclass
class Tally:
    """What happened to the sockets of a run."""

    cuts: int = 0
    """Reconnects after a cut of ours."""
    moves: int = 0
    """Connections that were made at another process than the one before."""
    connections: int = 0
    bytes: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    """Ends that were not ours, by code."""
