"""
What happened: past facts, enough to rebuild the game without dice, clock or rule files.

Every event has `at`, and `seat` where one seat is concerned. `EVENT_NAMES` gives the word on the
wire. An event carries outcomes (`TurnBanked.total`), so that a reader of the log needs no rules to
follow it; replay needs no more than `evolve`.
"""

# ruff: noqa: PLC0414  -- these names are handed on

from __future__ import annotations

from typing import NamedTuple, get_args

from engine.entropy_events import EntropyClosed as EntropyClosed
from engine.entropy_events import EntropyCommitted as EntropyCommitted
from engine.entropy_events import EntropyFailed as EntropyFailed
from engine.entropy_events import EntropyRevealed as EntropyRevealed
from engine.entropy_events import EntropySealed as EntropySealed
from engine.entropy_events import FairnessRevealed as FairnessRevealed
from engine.rules import Rules
from engine.state import (
    Bots,
    Character,
    Cheats,
    Clocks,
    DiceSource,
    Place,
    Policy,
    Reason,
    SeatKind,
    Visibility,
)
from engine.units import Dice, Face, Millis, Points, Seat


class GameCreated(NamedTuple):
    """The table, whole: editing a preset file never changes a game already created."""

    at: Millis
    game_id: str
    protocol: str
    """Of the dice: `pf1`."""
    server_commits: tuple[str, str]
    """server_commit(0) and server_commit(1)."""
    rules: Rules
    preset: str | None
    places: tuple[Place, ...]
    host: str | None
    visibility: Visibility
    dice: DiceSource
    clocks: Clocks | None
    pass_and_play: bool
    bots: Bots
    advice: bool
    cheats: Cheats | None
    start_seat: Seat
    rematch_of: str | None


class SettingsChanged(NamedTuple):
    """The host changed the table in the lobby; every setting as it is from here on."""

    at: Millis
    rules: Rules
    preset: str | None
    visibility: Visibility
    dice: DiceSource
    clocks: Clocks | None
    bots: Bots
    advice: bool
    cheats: Cheats | None


class PlayerJoined(NamedTuple):
    at: Millis
    seat: Seat
    player_id: str


class PlayerLeft(NamedTuple):
    """A player left the lobby, or was removed by the host (`kicked`)."""

    at: Millis
    seat: Seat
    player_id: str
    kicked: bool


class SeatChanged(NamedTuple):
    """The host made a seat human, bot or closed."""

    at: Millis
    seat: Seat
    kind: SeatKind
    character: Character | None


class HostChanged(NamedTuple):
    at: Millis
    seat: Seat
    player_id: str


class GameStarted(NamedTuple):
    at: Millis
    seat: Seat
    """Who moves first."""
    policies: tuple[Policy, ...] = ()
    """By which versions the characters at the table move. Older logs do not say."""


class DiceRolled(NamedTuple):
    """pf1 step 7."""

    at: Millis
    seat: Seat
    epoch: int
    roll: int
    """Index of the roll in the whole game, from 0; scripted rolls count."""
    sides: int
    positions: Dice
    """The dice rolled, the Jester left out."""
    dice: tuple[Face, ...]
    """What they show, in the order of `positions`."""
    wild: bool
    """The last die was rolled with them as the Jester, and one Wild Roll spent."""
    scripted: bool
    fair: tuple[Face, ...] | None
    """The faces of the fair stream, where a cheat changed what the dice show."""


class DiceSelected(NamedTuple):
    at: Millis
    seat: Seat
    dice: Dice
    wild_face: Face | None
    points: Points
    protected: Points
    """The part of `points` that survives a bust."""


class HotDice(NamedTuple):
    """All dice are locked: all of them are rolled again, the turn score stays."""

    at: Millis
    seat: Seat
    score: Points


class WildRollEarned(NamedTuple):
    at: Millis
    seat: Seat
    wild_rolls: int
    """What the seat has left now, the purse not counted."""


class PurseCounted(NamedTuple):
    """What the seat's player has of its own, at the start and when it was changed elsewhere."""

    at: Millis
    seat: Seat
    purse: int


class PurseSpent(NamedTuple):
    """The wild roll that follows is paid from the player's purse: the game's own are used up."""

    at: Millis
    seat: Seat
    purse: int
    """What is left in it."""


class TurnTakenOver(NamedTuple):
    at: Millis
    seat: Seat
    score: Points
    held: Dice


class TurnBanked(NamedTuple):
    at: Millis
    seat: Seat
    dice: Dice
    """The dice of the current roll that were counted."""
    wild_face: Face | None
    held: Dice
    """All dice held at the end: locked and counted."""
    score: Points
    total: Points


class TurnBusted(NamedTuple):
    at: Millis
    seat: Seat
    lost: Points
    credited: Points
    """Protected points, which a bust does not take."""
    total: Points


class TurnOvershot(NamedTuple):
    """A bank past an exact target: the turn scores nothing."""

    at: Millis
    seat: Seat
    lost: Points
    credited: Points
    total: Points


class TurnSkipped(NamedTuple):
    at: Millis
    seat: Seat


class TurnTimedOut(NamedTuple):
    """The turn clock is at zero; the next event says what becomes of the turn."""

    at: Millis
    seat: Seat
    deadline: Millis
    """When that was."""


class TurnLapsed(NamedTuple):
    """A turn that ended on the clock without a bank; nothing rolled, nothing lost."""

    at: Millis
    seat: Seat
    lost: Points
    credited: Points
    total: Points


class ClockExtended(NamedTuple):
    """The server was away: running deadlines move on by as much."""

    at: Millis
    gap: int
    """Its number: none is credited twice."""
    began: Millis
    ended: Millis
    by_ms: Millis
    """For the game clock; a turn that began within the gap gets what was left of it."""


class BotTookSeat(NamedTuple):
    """A bot plays for a player who is absent, until the player comes back."""

    at: Millis
    seat: Seat
    character: Character


class PolicyNamed(NamedTuple):
    """By which policy the bot of a seat moves from here on."""

    at: Millis
    seat: Seat
    character: Character
    policy: int
    """The version of the character: the same one makes the same moves."""


class AdviceGiven(NamedTuple):
    """The player of the seat to move was told what the analysis makes of this moment."""

    at: Millis
    seat: Seat


class PlayerReturned(NamedTuple):
    """The player plays again where a bot stood in."""

    at: Millis
    seat: Seat


class ScriptDropped(NamedTuple):
    """The script did not fit a roll that the server had to make: from here on rolls are fair."""

    at: Millis
    left: int
    """How many rolls it still had."""


class FinalRoundOpened(NamedTuple):
    at: Millis
    seat: Seat
    waiting: tuple[Seat, ...]


class SeatResigned(NamedTuple):
    at: Millis
    seat: Seat
    lost: Points
    credited: Points
    total: Points


class SkipOrdered(NamedTuple):
    """The host cheats: the next turn of this seat passes without a roll."""

    at: Millis
    seat: Seat


class GameFinished(NamedTuple):
    at: Millis
    reason: Reason
    winners: tuple[Seat, ...]
    standings: tuple[tuple[Seat, Points], ...]


class ResultVoided(NamedTuple):
    """An operator took back the result of a finished game: nobody won, it counts for nothing."""

    at: Millis


class RematchCreated(NamedTuple):
    at: Millis
    game_id: str


Event = (
    GameCreated
    | SettingsChanged
    | PlayerJoined
    | PlayerLeft
    | SeatChanged
    | HostChanged
    | EntropyCommitted
    | EntropyClosed
    | EntropyRevealed
    | EntropySealed
    | EntropyFailed
    | GameStarted
    | DiceRolled
    | DiceSelected
    | HotDice
    | WildRollEarned
    | PurseCounted
    | PurseSpent
    | TurnTakenOver
    | TurnBanked
    | TurnBusted
    | TurnOvershot
    | TurnSkipped
    | TurnTimedOut
    | TurnLapsed
    | ClockExtended
    | BotTookSeat
    | PolicyNamed
    | AdviceGiven
    | PlayerReturned
    | ScriptDropped
    | FinalRoundOpened
    | SeatResigned
    | SkipOrdered
    | GameFinished
    | ResultVoided
    | FairnessRevealed
    | RematchCreated
)

EVENT_TYPES: tuple[type[Event], ...] = get_args(Event)

EVENT_NAMES: dict[type[Event], str] = {
    kind: "".join(f"_{c.lower()}" if c.isupper() else c for c in kind.__name__)[1:]
    for kind in EVENT_TYPES
}
"""The word on the wire: `dice_rolled` for `DiceRolled`. Stored in every log: never renamed."""
