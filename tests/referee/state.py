"""What a table remembers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.referee.scoring import Roll, Selection


class Refused(Exception):
    """The rules say no; nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Seat:
    playing: bool
    total: int = 0
    on_board: bool = False
    wild_rolls: int = 0
    purse: int = 0
    resigned: bool = False
    started_with: int = 0
    reached_total_at: int = 0
    """When the total became what it is, in credits since the start; 0: it is the starting total."""

    @property
    def active(self) -> bool:
        return self.playing and not self.resigned


@dataclass
class Turn:
    seat: int
    carried: int = 0
    locked: dict[int, int] = field(default_factory=dict)
    locked_points: int = 0
    locked_protected: int = 0
    sets: dict[int, int] = field(default_factory=dict)
    roll: Roll = field(default_factory=dict)
    """The current roll; empty before the turn's first."""
    selection: Selection | None = None

    @property
    def phase(self) -> str:
        return "to_select" if self.roll else "to_roll"

    @property
    def score(self) -> int:
        selected = self.selection.points if self.selection else 0
        return self.carried + self.locked_points + selected

    @property
    def protected(self) -> int:
        return self.locked_protected + (self.selection.protected if self.selection else 0)


@dataclass(frozen=True)
class Offer:
    seat: int
    score: int
    held: Mapping[int, int]
    """Position → face of the dice the banker held."""


@dataclass
class FinalRound:
    opened_by: int
    waiting: list[int]
    """Seats whose last turn is not over, in the order in which they play."""


@dataclass(frozen=True)
class Result:
    reason: str
    winners: tuple[int, ...]
    standings: tuple[tuple[int, int], ...]
    """(seat, total), highest first, of equal ones the lower seat; resigned seats included."""
