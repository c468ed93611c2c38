"""The game as its viewers see it, and the answers that carry it."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    MOST_EVENTS,
    MOST_SEATS,
    PAGE_MAX,
    Count,
    DiceCount,
    DieNumber,
    Epoch,
    FaceNumber,
    GameNumber,
    JoinCodeShown,
    Moment,
    NextCursor,
    PlayerId,
    PlayerName,
    PresetName,
    SeatNumber,
    Total,
    VersionNumber,
)
from app.api.schemas.event import EventView
from app.api.schemas.rule_set import RuleSet
from app.api.schemas.settings import SettingsView
from app.api.schemas.words import Character, CommandName, Reason, SeatKind, Status, Visibility

DieState = TypeAliasType("DieState", Literal["free", "rolled", "locked"])
Phase = TypeAliasType("Phase", Literal["to_roll", "to_select"])

PlayedByProgram = Annotated[
    bool,
    Field(description="A program plays: one of the server's (kind `bot`), or a bot account."),
]


class SeatView(TypedDict):
    """A seat; in the lobby with what it will start with."""

    seat: SeatNumber
    kind: SeatKind
    name: Annotated[PlayerName | None, Field(description="The player's name when seated.")]
    player_id: PlayerId | None
    bot: PlayedByProgram
    character: Annotated[
        Character | None, Field(description="Of one of the server's own bots (kind `bot`).")
    ]
    score: Total
    on_board: bool
    wild_rolls: Annotated[
        Count | None,
        Field(description="Left in this game, the purse not counted; null: not played."),
    ]
    purse: Annotated[
        Count | None, Field(description="Wild Rolls the player's purse adds; null: not used here.")
    ]
    active: Annotated[bool, Field(description="False: closed, or resigned.")]
    stand_in: Annotated[
        Character | None,
        Field(description="The bot that plays for an absent player, until they come back."),
    ]


class DieView(TypedDict):
    """A die of the table in the turn of the seat to move."""

    die: DieNumber
    state: DieState
    face: Annotated[
        FaceNumber | None, Field(description="Null when free, and for a Jester without a face.")
    ]
    selected: bool
    spicy: Annotated[bool, Field(description="Shows its spicy face.")]
    wild: Annotated[bool, Field(description="The Jester of this roll.")]


class TurnView(TypedDict):
    seat: SeatNumber
    phase: Annotated[Phase, Field(description="`to_roll`: before the first roll.")]
    score: Annotated[Total, Field(description="Carried, locked and selected points.")]
    protected: Annotated[Total, Field(description="The part a bust would still credit.")]
    dice_to_roll: Annotated[
        DiceCount, Field(description="What roll would roll now, the selection counted as locked.")
    ]
    deadline: Annotated[
        Moment | None, Field(description="Of the turn clock; null: none, or a bot's turn.")
    ]
    dice: Annotated[list[DieView], Field(max_length=6)]


class OfferView(TypedDict):
    """A banked turn that may be taken over."""

    seat: Annotated[SeatNumber, Field(description="Who may take it over.")]
    score: Annotated[Total, Field(description="The turn score it starts with.")]
    dice: Annotated[DiceCount, Field(description="How many dice it rolls.")]


class FinalRoundView(TypedDict):
    opened_by: SeatNumber
    waiting: Annotated[
        tuple[SeatNumber, ...],
        Field(
            max_length=MOST_SEATS,
            description="Seats whose last turn is not over, the one to move included.",
        ),
    ]


MOST_SELECTIONS = 63 * 6
"""Some of six dice, with any face of the Jester."""


class SelectionView(TypedDict):
    dice: Annotated[tuple[DieNumber, ...], Field(max_length=6)]
    points: Total
    wild_face: NotRequired[
        Annotated[FaceNumber, Field(description="The face the Jester takes, if it is in it.")]
    ]


class BankView(TypedDict):
    """What bank would do now, with the selection there is."""

    score: Annotated[
        Total,
        Field(description="0 beyond an exact target: the turn would end and be worth nothing."),
    ]
    total: Total


class LegalView(TypedDict):
    """
    What the seat to move may do. `commands` are those open as things stand, with the selection
    there is or without one. Beside them `roll`, `bank` and `wild-roll` may bring one of
    `selections` along as `select` (its `dice` and `wild_face`): it is selected and the command
    given, both or neither.
    """

    seat: SeatNumber
    commands: Annotated[tuple[CommandName, ...], Field(max_length=5)]
    selections: Annotated[list[SelectionView], Field(max_length=MOST_SELECTIONS)]
    bank: BankView | None


class StandingView(TypedDict):
    seat: SeatNumber
    score: Total


class ResultView(TypedDict):
    reason: Reason
    winners: Annotated[tuple[SeatNumber, ...], Field(max_length=MOST_SEATS)]
    standings: Annotated[
        list[StandingView], Field(max_length=MOST_SEATS, description="Best first.")
    ]


class SealingView(TypedDict):
    """The attempt to seal the dice that is under way."""

    epoch: Epoch
    reveal_by: Annotated[Moment | None, Field(description="When the reveals must be there.")]
    waiting: Annotated[
        tuple[SeatNumber, ...],
        Field(max_length=MOST_SEATS, description="Seats that have yet to reveal."),
    ]


class GameStamp(TypedDict):
    """Which game, at which version, seen when; and what is played."""

    id: GameNumber
    version: VersionNumber
    now: Annotated[Moment, Field(description="The server's time.")]
    status: Status
    rules: RuleSet


class GameTable(TypedDict):
    """The table as it was laid; it stays as it is once the game has started."""

    preset: Annotated[PresetName | None, Field(description="Null: a custom rule set.")]
    host: Annotated[PlayerId | None, Field(description="Null: nobody rules the table.")]
    visibility: Visibility
    cheats: Annotated[bool, Field(description="Played with cheats: it counts for nothing.")]
    settings: SettingsView
    created_at: Moment


class GamePlay(TypedDict):
    """What moves."""

    join_code: NotRequired[
        Annotated[JoinCodeShown, Field(description="For members, until the start.")]
    ]
    sealing: NotRequired[Annotated[SealingView, Field(description="While the status is sealing.")]]
    seats: Annotated[list[SeatView], Field(max_length=MOST_SEATS)]
    game_deadline: Annotated[Moment | None, Field(description="Of the game clock.")]
    turn: TurnView | None
    take_over: OfferView | None
    final_round: FinalRoundView | None
    legal: LegalView | None
    result: ResultView | None
    rematch: Annotated[GameNumber | None, Field(description="The game that carries on.")]


class GameView(GameStamp, GameTable, GamePlay):
    """A game at one version; the same for every viewer, but for the join code."""


class Played(TypedDict):
    """The answer to a command; with `Prefer: return=minimal` it is `Minimal` instead."""

    game: GameView
    events: Annotated[
        list[EventView], Field(max_length=MOST_EVENTS, description="What this command caused.")
    ]


class Minimal(TypedDict):
    """The answer to a changing call with `Prefer: return=minimal`."""

    version: VersionNumber
    events: Annotated[list[EventView], Field(max_length=MOST_EVENTS)]


class SummarySeat(TypedDict):
    seat: SeatNumber
    kind: SeatKind
    name: PlayerName | None
    player_id: PlayerId | None
    bot: PlayedByProgram
    character: Character | None
    score: Total
    active: bool


class SummaryView(TypedDict):
    """A game in a list."""

    id: GameNumber
    version: VersionNumber
    status: Status
    preset: PresetName | None
    rules_name: PresetName
    target: Total
    host: PlayerId | None
    visibility: Visibility
    cheats: bool
    pass_and_play: bool
    seats: Annotated[list[SummarySeat], Field(max_length=MOST_SEATS)]
    seat_to_move: SeatNumber | None
    winners: Annotated[
        tuple[SeatNumber, ...] | None,
        Field(max_length=MOST_SEATS, description="Null until finished."),
    ]
    created_at: Moment
    updated_at: Moment


class GamePage(TypedDict):
    items: Annotated[list[SummaryView], Field(max_length=PAGE_MAX)]
    next: NextCursor
    now: Moment
