"""Messages over streams: what the server sends, and what it takes beside commands."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.api.fields import MOST_VERSION
from app.api.problems import Problem
from app.api.schemas.commands import CommandId
from app.api.schemas.common import Body, GameNumber, Moment, SeatNumber, VersionNumber
from app.api.schemas.event import EventView
from app.api.schemas.game import GameView, Minimal, Played, SummaryView
from app.api.schemas.words import Status
from app.live.endings import WORDS

MOST_TOKEN = 256

StreamWord = StrEnum("StreamWord", [(w.upper(), w) for w in WORDS])  # type: ignore[misc]  # one source

_After = Annotated[
    int, Field(ge=0, le=MOST_VERSION, description="What the client named with `after`.")
]


class StateMessage(TypedDict):
    """The game as it is: the first message, without `after`. Its `game` never has a join code."""

    type: Literal["state"]
    version: VersionNumber
    game: GameView
    now: Moment


class ResumedMessage(TypedDict):
    """The first message, with `after`: what was missed follows."""

    type: Literal["resumed"]
    version: _After
    current_version: VersionNumber
    now: Moment


class PlayedMessage(TypedDict):
    """What one command (or clock) did, and the game it leads to. In order, without a gap."""

    type: Literal["played"]
    version: Annotated[VersionNumber, Field(description="Of the last event.")]
    events: list[EventView]
    game: NotRequired[Annotated[GameView, Field(description="Missing with `view=events`.")]]
    now: Moment


class PresenceMessage(TypedDict):
    """The seats with a live connection: at first, and whenever they change."""

    type: Literal["presence"]
    seats: list[SeatNumber]
    now: Moment


class HeartbeatMessage(TypedDict):
    """Every 20 s."""

    type: Literal["heartbeat"]
    now: Moment


class PongMessage(TypedDict):
    """In answer to `ping`."""

    type: Literal["pong"]
    now: Moment


class ErrorMessage(TypedDict):
    """Why the server closes: before the close, where the client can act on it."""

    type: Literal["error"]
    code: StreamWord
    detail: str


class AnsweredMessage(TypedDict):
    """A command is stored."""

    type: Literal["answered"]
    id: CommandId
    status: Literal[200]
    version: Annotated[VersionNumber, Field(description="Of the last event it caused.")]
    answer: Annotated[
        Minimal | Played,
        Field(
            description="That of the same call. A `Played` where `answer` was full; a repeated "
            "key gets what was answered first."
        ),
    ]
    now: Moment


class RefusedMessage(TypedDict):
    """A command was not carried out."""

    type: Literal["refused"]
    id: CommandId
    status: Annotated[int, Field(ge=400, le=599)]
    problem: Problem
    now: Moment


class SittingView(TypedDict):
    """A game of the player's own."""

    game_id: GameNumber
    version: VersionNumber
    status: Status
    to_move: Annotated[SeatNumber | None, Field(description="Null in the lobby and after the end.")]
    seats: Annotated[
        list[SeatNumber], Field(description="The player's, those it resigned included.")
    ]


class GamesMessage(TypedDict):
    """The player's games that wait or run: the first message, and instead of what was missed."""

    type: Literal["games"]
    games: list[SittingView]
    now: Moment


class SeatedMessage(SittingView):
    """The player has sat down, or a rematch was opened with its seat."""

    type: Literal["seated"]
    now: Moment


class StartedMessage(SittingView):
    """The game runs."""

    type: Literal["started"]
    now: Moment


class YourTurnMessage(SittingView):
    """A turn of the player has begun."""

    type: Literal["your_turn"]
    now: Moment


class MovedMessage(SittingView):
    """The game has a new version, and nothing else holds."""

    type: Literal["moved"]
    now: Moment


class EndedMessage(SittingView):
    """The game is over, or its lobby closed: it leaves the list."""

    type: Literal["ended"]
    now: Moment


class UnseatedMessage(SittingView):
    """The player left or was removed: the game leaves the list."""

    type: Literal["unseated"]
    now: Moment


class TablesMessage(TypedDict):
    """The public tables of the lobby, the newest 500: the first message, and instead of what was
    missed."""

    type: Literal["tables"]
    tables: list[SummaryView]
    now: Moment


class OpenedMessage(TypedDict):
    """A table is in the lobby that was not."""

    type: Literal["opened"]
    table: SummaryView
    now: Moment


class FilledMessage(TypedDict):
    """The last human seat of a table is taken."""

    type: Literal["filled"]
    table: SummaryView
    now: Moment


class ChangedMessage(TypedDict):
    """A table has a new version."""

    type: Literal["changed"]
    table: SummaryView
    now: Moment


class TableStartedMessage(TypedDict):
    """A table leaves the lobby: it runs, or its dice are being sealed."""

    type: Literal["started"]
    game_id: GameNumber
    now: Moment


class ClosedMessage(TypedDict):
    """A table leaves the lobby otherwise."""

    type: Literal["closed"]
    game_id: GameNumber
    now: Moment


class PingMessage(Body):
    """Is answered with `pong`. Nobody need send it."""

    type: Literal["ping"]


class AuthMessage(Body):
    """Whose stream it is; once, where the handshake did not say."""

    type: Literal["auth"]
    token: Annotated[str, Field(max_length=MOST_TOKEN)]


GAME = (
    *(StateMessage, ResumedMessage, PlayedMessage, PresenceMessage),
    *(AnsweredMessage, RefusedMessage),
)
PLAYER = (
    *(GamesMessage, SeatedMessage, StartedMessage, YourTurnMessage, MovedMessage),
    *(EndedMessage, UnseatedMessage),
)
LOBBY = (
    *(TablesMessage, OpenedMessage, FilledMessage, ChangedMessage),
    *(TableStartedMessage, ClosedMessage),
)
EVERYWHERE = (HeartbeatMessage, PongMessage, ErrorMessage)
TAKEN = (PingMessage, AuthMessage)
