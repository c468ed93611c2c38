"""Series as clients ask for them and see them."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    MOST_SEATS,
    PAGE_MAX,
    Body,
    Count,
    GameNumber,
    JoinCodeShown,
    Moment,
    NextCursor,
    PlayerId,
    PlayerName,
    PresetName,
    SeatCount,
    Seats,
    Total,
)
from app.api.schemas.requests import JoinCode
from app.api.schemas.rule_set import RuleSet
from app.api.schemas.rules import RulesChoice
from app.api.schemas.settings import ClocksChoice, ClocksView, DiceView, FairDice, SeededDice
from app.api.schemas.words import Character, Reason

MOST_PARTICIPANTS = 16
MOST_GAMES = 10_000

Number = Annotated[
    int,
    Field(
        ge=0, le=MOST_PARTICIPANTS - 1, description="Zero-based position among the participants."
    ),
]
ParticipantKind = TypeAliasType("ParticipantKind", Literal["player", "bot"])
SeriesStatus = TypeAliasType("SeriesStatus", Literal["open", "running", "finished", "cancelled"])


class Me(Body):
    """The caller."""

    kind: Literal["me"]


class AnyPlayer(Body):
    """A place for whoever comes with the join code."""

    kind: Literal["player"]


class BotSide(Body):
    kind: Literal["bot"]
    character: Character = "cautious"


Side = TypeAliasType("Side", Annotated[Me | AnyPlayer | BotSide, Field(discriminator="kind")])
SeriesDice = TypeAliasType(
    "SeriesDice", Annotated[FairDice | SeededDice, Field(discriminator="kind")]
)


def _me_once(sides: list[Side]) -> list[Side]:
    if sum(side.kind == "me" for side in sides) > 1:
        raise PydanticCustomError("repeated", "the caller twice")
    return sides


class CreateSeries(Body):
    """Many games between the same sides, each group of them as often as the others."""

    rules: RulesChoice
    participants: Annotated[
        list[Side],
        Field(min_length=2, max_length=MOST_PARTICIPANTS, description="Oneself at most once."),
        AfterValidator(_me_once),
    ]
    seats: Annotated[
        int, Field(ge=2, le=MOST_SEATS, description="Participants at a table; every group meets.")
    ] = 2
    games: Annotated[
        int, Field(ge=1, le=MOST_GAMES, description="Of each group; who begins changes.")
    ]
    at_once: Annotated[
        int | None, Field(ge=1, le=100, description="Games that run at a time. By default up to 4.")
    ] = None
    dice: Annotated[
        SeriesDice | None,
        Field(
            description="Seeded: games that differ in their seats alone have the same dice, "
            "made from this seed."
        ),
    ] = None
    clocks: ClocksChoice | None = None
    pace_ms: Annotated[int, Field(ge=0, le=60_000, description="Of bots, per decision.")] = 0
    advice: bool = False


class JoinSeries(Body):
    join_code: JoinCode


class ParticipantView(TypedDict):
    participant: Number
    kind: ParticipantKind
    player_id: Annotated[PlayerId | None, Field(description="Null: a bot, or nobody yet.")]
    name: PlayerName | None
    character: Annotated[Character | None, Field(description="Of a bot.")]


class ProgressView(TypedDict):
    """Games by how far they are."""

    planned: Annotated[Count, Field(description="In all.")]
    playing: Count
    counted: Annotated[Count, Field(description="Over, and in the results.")]
    uncounted: Annotated[Count, Field(description="Over early or voided, and left out of them.")]


class TallyView(TypedDict):
    """What a participant's games add up to; whole numbers, so that they are exact."""

    participant: Number
    games: Count
    wins: Annotated[Count, Field(description="Won alone.")]
    shared: Annotated[Count, Field(description="Won together with others.")]
    losses: Annotated[Count, Field(description="Won by others. What is left was won by nobody.")]
    points: Annotated[Total, Field(description="Final scores, added.")]
    first_games: Annotated[Count, Field(description="In which it began.")]
    first_wins: Annotated[Count, Field(description="Of these, won alone.")]


MOST_GROUPS = 12_870
"""Of 16 participants, eight at a table."""


class SeriesView(TypedDict):
    id: Annotated[str, Field(json_schema_extra={"format": "uuid"}, description="UUIDv7.")]
    now: Moment
    created_at: Moment
    status: Annotated[
        SeriesStatus,
        Field(description="`open`: somebody is missing."),
    ]
    owner: PlayerId
    join_code: NotRequired[Annotated[JoinCodeShown, Field(description="For members, while open.")]]
    rules: RuleSet
    preset: Annotated[PresetName | None, Field(description="Null: a custom rule set.")]
    seats: SeatCount
    games: Annotated[Count, Field(description="Of each group.")]
    at_once: Count
    dice: DiceView
    clocks: ClocksView | None
    pace_ms: Count
    advice: bool
    participants: Annotated[list[ParticipantView], Field(max_length=MOST_PARTICIPANTS)]
    progress: ProgressView
    results: Annotated[
        list[TallyView], Field(max_length=MOST_PARTICIPANTS, description="By participant.")
    ]
    groups: Annotated[
        list[Annotated[list[TallyView], Field(max_length=MOST_SEATS)]],
        Field(max_length=MOST_GROUPS, description="The same for each group that has met."),
    ]


SeriesGameStatus = TypeAliasType("SeriesGameStatus", Literal["planned", "playing", "finished"])


class SeriesGameView(TypedDict):
    """A game of a series."""

    number: Count
    status: SeriesGameStatus
    game_id: Annotated[GameNumber | None, Field(description="Null until it is opened.")]
    participants: Annotated[
        list[Number], Field(max_length=MOST_SEATS, description="By seat; seat 0 begins.")
    ]
    seed: Annotated[str | None, Field(max_length=64, description="Of seeded dice.")]
    reason: Reason | None
    winners: Annotated[Seats | None, Field(description="Seats. Null until finished.")]
    scores: Annotated[
        list[Total] | None,
        Field(max_length=MOST_SEATS, description="By seat. Null until finished."),
    ]


class SeriesGamePage(TypedDict):
    items: Annotated[list[SeriesGameView], Field(max_length=PAGE_MAX)]
    next: NextCursor
