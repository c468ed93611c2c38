"""
What is asked for: orders, which the rules may refuse.

`at` and `entropy` are filled in by the server; a client can set neither. Who may give an order
(is this player the host, does that player hold this seat) is settled before it gets here.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from engine.rules import Rules
from engine.state import (
    Bots,
    Character,
    Cheats,
    Clocks,
    DiceSource,
    SeatKind,
    Setup,
    Visibility,
)
from engine.units import Dice, Face, Millis, Seat


class Entropy(Protocol):
    """Where fair faces come from; see `engine.dice`."""

    def faces(self, roll: int, count: int) -> tuple[Face, ...]:
        """The first `count` faces of the stream of roll number `roll`; always the same ones."""
        ...


class Create(NamedTuple):
    at: Millis
    setup: Setup
    rematch_of: str | None = None


class Join(NamedTuple):
    at: Millis
    player_id: str
    seat: Seat | None = None
    """None: the first free human seat."""


class Leave(NamedTuple):
    at: Millis
    player_id: str


class SetSeat(NamedTuple):
    """Make a seat human, bot or closed; whoever sat there is removed."""

    at: Millis
    seat: Seat
    kind: SeatKind
    character: Character | None = None


class ChangeSettings(NamedTuple):
    """Every setting as it shall be."""

    at: Millis
    rules: Rules
    preset: str | None
    visibility: Visibility
    dice: DiceSource
    clocks: Clocks | None
    bots: Bots
    advice: bool
    cheats: Cheats | None


class CommitEntropy(NamedTuple):
    """What a seat will contribute to the dice."""

    at: Millis
    seat: Seat
    commit: str
    """seat_commit of the next attempt, as hex."""


class Start(NamedTuple):
    at: Millis
    server_commit: str
    """server_commit(e + 2) as hex, where e is the next attempt."""
    reveal_ms: Millis = 5_000
    """How long seats that contribute may take to reveal."""
    server_committed_only: bool = False
    """Also where seats had committed, and none of them has revealed."""


class RevealEntropy(NamedTuple):
    at: Millis
    seat: Seat
    seed: str
    """32 bytes as hex."""
    next_commit: str
    """seat_commit of the attempt after this one, as hex."""


class FailSealing(NamedTuple):
    """The clock of the reveals is at zero."""

    at: Millis
    server_commit: str
    """server_commit(e + 3) as hex, where e is the attempt under way."""
    reveal_ms: Millis = 5_000


class Selection(NamedTuple):
    """Dice of the current roll to keep; `wild_face` with the Jester, and only then."""

    dice: Dice
    wild_face: Face | None = None


class Roll(NamedTuple):
    at: Millis
    seat: Seat
    entropy: Entropy
    select: Selection | None = None


class Select(NamedTuple):
    at: Millis
    seat: Seat
    select: Selection


class Bank(NamedTuple):
    at: Millis
    seat: Seat
    select: Selection | None = None


class TakeOver(NamedTuple):
    at: Millis
    seat: Seat
    entropy: Entropy


class WildRoll(NamedTuple):
    at: Millis
    seat: Seat
    entropy: Entropy
    select: Selection | None = None


class Resign(NamedTuple):
    at: Millis
    seat: Seat


class End(NamedTuple):
    """End the game, or close the lobby, early."""

    at: Millis


class CountPurses(NamedTuple):
    """The server looked into the purses of who sits here; the game is told where it differs."""

    at: Millis
    purses: tuple[int | None, ...]
    """By seat; None: nobody's, or not looked into."""


class VoidGame(NamedTuple):
    """An operator declares that the game counts for nothing, whatever its phase."""

    at: Millis


class SkipNext(NamedTuple):
    at: Millis
    seat: Seat


class AnnounceRematch(NamedTuple):
    at: Millis
    game_id: str


class TimeOut(NamedTuple):
    """The turn clock is at zero."""

    at: Millis


class EndOnClock(NamedTuple):
    """The game clock is at zero."""

    at: Millis


class ExtendClocks(NamedTuple):
    """The server was away; a gap that is known already changes nothing."""

    at: Millis
    gap: int
    """Its number; later gaps have higher ones."""
    began: Millis
    ended: Millis


class BotTakesSeat(NamedTuple):
    """For an absent player, where the table lets bots do that."""

    at: Millis
    seat: Seat
    character: Character = "cautious"


class NamePolicy(NamedTuple):
    """Says by which version of its character a bot moves; changes nothing where that is known."""

    at: Millis
    seat: Seat
    character: Character
    policy: int


class Advise(NamedTuple):
    """
    The player of the seat to move is given advice; changes nothing where it was given at this
    moment already.
    """

    at: Millis
    seat: Seat


class Return(NamedTuple):
    """The player is back; changes nothing where no bot stood in."""

    at: Millis
    seat: Seat


class PassHost(NamedTuple):
    """The host is gone: whoever holds this seat is the host."""

    at: Millis
    seat: Seat


class DropScript(NamedTuple):
    """What is left of the table's script does not fit a roll that the server has to make."""

    at: Millis


Command = (
    Create
    | Join
    | Leave
    | SetSeat
    | ChangeSettings
    | CommitEntropy
    | Start
    | RevealEntropy
    | FailSealing
    | Roll
    | Select
    | Bank
    | TakeOver
    | WildRoll
    | Resign
    | CountPurses
    | End
    | VoidGame
    | SkipNext
    | AnnounceRematch
    | TimeOut
    | EndOnClock
    | ExtendClocks
    | BotTakesSeat
    | NamePolicy
    | Advise
    | Return
    | PassHost
    | DropScript
)
