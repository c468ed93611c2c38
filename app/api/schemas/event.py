"""
Events as they travel: the stored bytes of the log with the version in front. A union by `type`.
An event may gain fields in a later release; what a field means never changes.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    MOST_COUNT,
    MOST_SEATS,
    PAGE_MAX,
    Count,
    Dice,
    Epoch,
    FaceNumber,
    GameNumber,
    Hex32,
    Millis,
    PlayerId,
    PresetName,
    SeatNumber,
    Seats,
    Total,
    VersionNumber,
)
from app.api.schemas.event_parts import (
    CommitView,
    PlaceView,
    Policy,
    PolicyView,
    StandingOfSeat,
)
from app.api.schemas.rule_set import RuleSet
from app.api.schemas.settings import BotsView, CheatsView, ClocksView, DiceView
from app.api.schemas.words import Character, Reason, SeatKind, Visibility


class _Event(TypedDict):
    version: VersionNumber
    at: Millis


class _OfTable(_Event):
    seat: None


class _OfSeat(_Event):
    seat: SeatNumber


class _Settings(_OfTable):
    rules: RuleSet
    preset: PresetName | None
    visibility: Visibility
    dice: DiceView
    clocks: ClocksView | None
    bots: BotsView
    advice: bool
    cheats: CheatsView | None


class GameCreatedEvent(_Settings):
    """The table, whole."""

    type: Literal["game_created"]
    game_id: GameNumber
    protocol: Literal["pf1"]
    server_commits: Annotated[list[Hex32], Field(max_length=2, description="Of attempts 0 and 1.")]
    seats: Annotated[list[PlaceView], Field(max_length=MOST_SEATS)]
    host: Annotated[PlayerId | None, Field(description="Null: nobody rules the table.")]
    pass_and_play: bool
    start_seat: SeatNumber
    rematch_of: GameNumber | None


class SettingsChangedEvent(_Settings):
    """Every setting as it is from here on."""

    type: Literal["settings_changed"]


class PlayerJoinedEvent(_OfSeat):
    type: Literal["player_joined"]
    player_id: PlayerId


class PlayerLeftEvent(_OfSeat):
    type: Literal["player_left"]
    player_id: PlayerId
    kicked: Annotated[bool, Field(description="Removed by the host.")]


class SeatChangedEvent(_OfSeat):
    type: Literal["seat_changed"]
    kind: SeatKind
    character: Character | None


class HostChangedEvent(_OfSeat):
    type: Literal["host_changed"]
    player_id: PlayerId


class EntropyCommittedEvent(_OfSeat):
    """The seat will contribute to the dice; it replaces what the seat committed to before."""

    type: Literal["entropy_committed"]
    epoch: Epoch
    commit: Hex32


class EntropyClosedEvent(_OfTable):
    """Who takes part in a sealing attempt."""

    type: Literal["entropy_closed"]
    epoch: Epoch
    commits: Annotated[list[CommitView], Field(max_length=MOST_SEATS)]
    server_commit: Annotated[Hex32, Field(description="Of attempt epoch + 2.")]
    reveal_by: NotRequired[
        Annotated[Millis | None, Field(description="Null where nobody takes part.")]
    ]


class EntropyRevealedEvent(_OfSeat):
    type: Literal["entropy_revealed"]
    epoch: Epoch
    seed: Annotated[Hex32, Field(description="What the seat contributes.")]
    next_commit: Annotated[Hex32, Field(description="For attempt epoch + 1, if this one fails.")]


class EntropySealedEvent(_OfTable):
    """From here on nobody can change a die."""

    type: Literal["entropy_sealed"]
    epoch: Epoch
    seal: Hex32
    seats: Annotated[Seats, Field(description="Whose contributions are mixed in.")]


class EntropyFailedEvent(_OfTable):
    """These seats did not reveal in time: they contribute no more to this game."""

    type: Literal["entropy_failed"]
    epoch: Epoch
    missing: Seats


class GameStartedEvent(_OfSeat):
    """`seat` moves first."""

    type: Literal["game_started"]
    policies: Annotated[
        list[PolicyView],
        Field(max_length=3, description="Of the characters at the table; see docs/bots.md."),
    ]


class DiceRolledEvent(_OfSeat):
    type: Literal["dice_rolled"]
    epoch: Epoch
    roll: Annotated[Count, Field(description="Index in the whole game.")]
    sides: Annotated[int, Field(ge=6, le=6)]
    positions: Annotated[Dice, Field(description="The dice rolled, no Jester.")]
    dice: Annotated[list[FaceNumber], Field(max_length=6, description="What they show.")]
    wild: Annotated[bool, Field(description="The last die was rolled with them, as the Jester.")]
    scripted: bool
    fair: Annotated[
        list[FaceNumber] | None,
        Field(
            max_length=12,
            description="The fair faces, where a cheat changed them; two for each die with some.",
        ),
    ]


class DiceSelectedEvent(_OfSeat):
    type: Literal["dice_selected"]
    dice: Dice
    wild_face: FaceNumber | None
    points: Total
    protected: Annotated[Total, Field(description="The part that survives a bust.")]


class HotDiceEvent(_OfSeat):
    """All dice are locked; all of them are rolled again."""

    type: Literal["hot_dice"]
    score: Total


class WildRollEarnedEvent(_OfSeat):
    type: Literal["wild_roll_earned"]
    wild_rolls: Annotated[Count, Field(description="What the seat has left now.")]


class PurseCountedEvent(_OfSeat):
    """What the seat's player has of its own, where the game did not know."""

    type: Literal["purse_counted"]
    purse: Count


class PurseSpentEvent(_OfSeat):
    """The wild roll that follows is paid from the player's purse."""

    type: Literal["purse_spent"]
    purse: Annotated[Count, Field(description="What is left in it.")]


class TurnTakenOverEvent(_OfSeat):
    type: Literal["turn_taken_over"]
    score: Total
    held: Dice


class TurnBankedEvent(_OfSeat):
    type: Literal["turn_banked"]
    dice: Annotated[Dice, Field(description="Counted of the current roll.")]
    wild_face: FaceNumber | None
    held: Annotated[Dice, Field(description="Locked and counted.")]
    score: Total
    total: Total


class _TurnLost(_OfSeat):
    lost: Total
    credited: Annotated[Total, Field(description="Protected points.")]
    total: Total


class TurnBustedEvent(_TurnLost):
    type: Literal["turn_busted"]


class TurnOvershotEvent(_TurnLost):
    """A bank past an exact target."""

    type: Literal["turn_overshot"]


class TurnSkippedEvent(_OfSeat):
    type: Literal["turn_skipped"]


class TurnTimedOutEvent(_OfSeat):
    """The turn clock is at zero; the next event says what becomes of the turn."""

    type: Literal["turn_timed_out"]
    deadline: Millis


class TurnLapsedEvent(_TurnLost):
    """A turn that ended on the clock without a bank."""

    type: Literal["turn_lapsed"]


class ClockExtendedEvent(_OfTable):
    """The server was away: running deadlines move on."""

    type: Literal["clock_extended"]
    gap: Annotated[
        int, Field(ge=1, le=MOST_COUNT, description="Number of the gap; none is credited twice.")
    ]
    began: Millis
    ended: Millis
    by_ms: Annotated[Millis, Field(description="By how much the game's deadline moves.")]


class BotTookSeatEvent(_OfSeat):
    """A bot plays for an absent player."""

    type: Literal["bot_took_seat"]
    character: Character


class PolicyNamedEvent(_OfSeat):
    """By which policy the bot of a seat moves from here on."""

    type: Literal["policy_named"]
    character: Character
    policy: Policy


class AdviceGivenEvent(_OfSeat):
    """The player to move was told what the analysis makes of this moment."""

    type: Literal["advice_given"]


class PlayerReturnedEvent(_OfSeat):
    """The player plays again where a bot stood in."""

    type: Literal["player_returned"]


class ScriptDroppedEvent(_OfTable):
    """The script did not fit a roll that the server had to make; from here on rolls are fair."""

    type: Literal["script_dropped"]
    left: Annotated[Count, Field(description="How many rolls it still had.")]


class FinalRoundOpenedEvent(_OfSeat):
    type: Literal["final_round_opened"]
    waiting: Seats


class SeatResignedEvent(_TurnLost):
    type: Literal["seat_resigned"]


class SkipOrderedEvent(_OfSeat):
    """The next turn of this seat passes without a roll."""

    type: Literal["skip_ordered"]


class GameFinishedEvent(_OfTable):
    type: Literal["game_finished"]
    reason: Reason
    winners: Seats
    standings: Annotated[list[StandingOfSeat], Field(max_length=MOST_SEATS)]


class ResultVoidedEvent(_OfTable):
    """An operator took the result back: nobody won, and the game counts for nothing."""

    type: Literal["result_voided"]


class FairnessRevealedEvent(_OfTable):
    """Every seed the server drew, by number of the attempt."""

    type: Literal["fairness_revealed"]
    seeds: Annotated[list[Hex32], Field(max_length=100)]


class RematchCreatedEvent(_OfTable):
    type: Literal["rematch_created"]
    game_id: GameNumber


EventView = TypeAliasType(
    "EventView",
    Annotated[
        GameCreatedEvent
        | SettingsChangedEvent
        | PlayerJoinedEvent
        | PlayerLeftEvent
        | SeatChangedEvent
        | HostChangedEvent
        | EntropyCommittedEvent
        | EntropyClosedEvent
        | EntropyRevealedEvent
        | EntropySealedEvent
        | EntropyFailedEvent
        | GameStartedEvent
        | DiceRolledEvent
        | DiceSelectedEvent
        | HotDiceEvent
        | WildRollEarnedEvent
        | PurseCountedEvent
        | PurseSpentEvent
        | TurnTakenOverEvent
        | TurnBankedEvent
        | TurnBustedEvent
        | TurnOvershotEvent
        | TurnSkippedEvent
        | TurnTimedOutEvent
        | TurnLapsedEvent
        | ClockExtendedEvent
        | BotTookSeatEvent
        | PolicyNamedEvent
        | AdviceGivenEvent
        | PlayerReturnedEvent
        | ScriptDroppedEvent
        | FinalRoundOpenedEvent
        | SeatResignedEvent
        | SkipOrderedEvent
        | GameFinishedEvent
        | ResultVoidedEvent
        | FairnessRevealedEvent
        | RematchCreatedEvent,
        Field(discriminator="type"),
    ],
)


class EventPage(TypedDict):
    items: Annotated[list[EventView], Field(max_length=PAGE_MAX)]
    next: Annotated[
        VersionNumber | None,
        Field(description="`after` of the next page; null: this is all there is yet."),
    ]
