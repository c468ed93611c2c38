"""What a route hands over: who calls, how a retry is known, how the answer shall look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from app.ports import Head, Player, Recorded
from app.series.model import Participant
from engine.state import Bots, Cheats, Clocks, DiceSource, Place, Visibility
from engine.units import Millis


class Render(Protocol):
    """The body of an answer; pure."""

    def __call__(
        self, head: Head, events: Sequence[Recorded], now: Millis, viewer: str | None
    ) -> bytes: ...


class Call(NamedTuple):
    """A changing call."""

    player: Player
    render: Render
    key: str | None = None
    """Idempotency-Key."""
    fingerprint: bytes = b""
    expected_version: int | None = None
    """If-Match."""
    address: str = ""
    """Where it comes from; wrong join codes are counted by it too."""


@dataclass(frozen=True, slots=True)
class RulesAsked:
    """A preset with options, or a custom rule set: data, not yet checked."""

    preset: str | None = None
    options: dict[str, object] | None = None
    custom: object = None


@dataclass(frozen=True, slots=True)
class TableAsked:
    """A table to open; None is what the server chooses."""

    rules: RulesAsked
    places: tuple[Place, ...] | None
    visibility: Visibility
    dice: DiceSource
    clocks: Clocks | None
    pass_and_play: bool
    bots: Bots
    advice: bool | None
    cheats: Cheats | None


@dataclass(frozen=True, slots=True)
class MatchAsked:
    """What one wants to play with whoever wants the same; None is what the server chooses."""

    rules: RulesAsked
    seats: int | None
    clocks: Clocks | None
    bots_after_s: int | None
    advice: bool | None


@dataclass(frozen=True, slots=True)
class SeriesAsked:
    """A series to play; the API has held the numbers against the caps."""

    rules: RulesAsked
    participants: tuple[Participant | None, ...]
    """None stands for the caller."""
    seats: int
    games: int
    at_once: int
    dice: DiceSource
    clocks: Clocks | None
    pace_ms: int
    advice: bool


class Unchanged:
    """Stands for a setting the host did not send."""


UNCHANGED = Unchanged()


@dataclass(frozen=True, slots=True)
class ChangesAsked:
    """Settings to change; the rest stay."""

    rules: RulesAsked | Unchanged = UNCHANGED
    visibility: Visibility | Unchanged = UNCHANGED
    dice: DiceSource | Unchanged = UNCHANGED
    clocks: Clocks | Unchanged | None = UNCHANGED
    bots: Bots | Unchanged = UNCHANGED
    advice: bool | Unchanged = UNCHANGED
    cheats: Cheats | Unchanged | None = UNCHANGED
