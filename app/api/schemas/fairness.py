"""How the dice of a game can be checked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from app.api.schemas.common import (
    MOST_SEATS,
    Count,
    Epoch,
    GameNumber,
    Hex32,
    Moment,
    SeatNumber,
    Seats,
    Sentence,
    VersionNumber,
)
from app.api.schemas.event_parts import CommitView
from app.api.schemas.words import DiceKind, Status

Verdict = TypeAliasType("Verdict", Literal["incomplete", "server_committed_only", "mixed"])


class RevealView(TypedDict):
    seat: SeatNumber
    seed: Hex32


class AttemptView(TypedDict):
    """A sealing attempt: the server's commitment, what seats contributed, the seal."""

    epoch: Epoch
    server_commit: Hex32
    seed: Annotated[Hex32 | None, Field(description="The server's, once the game is over.")]
    contributions: Annotated[
        Seats | None, Field(description="Seats mixed in; null while not sealed.")
    ]
    seal: Hex32 | None
    commits: Annotated[
        list[CommitView],
        Field(max_length=MOST_SEATS, description="By seat; while not closed, those that stand."),
    ]
    reveals: Annotated[
        list[RevealView],
        Field(max_length=MOST_SEATS, description="What seats contribute, by seat."),
    ]
    missing: Annotated[
        Seats | None,
        Field(description="Seats that did not reveal in time; null: the attempt has not failed."),
    ]


class MixedView(TypedDict):
    seat: SeatNumber
    mixed: Annotated[bool, Field(description="The seat's own random value is in the seal.")]


class FairnessView(TypedDict):
    """What is fixed, what is open yet, and how anybody checks it."""

    game_id: GameNumber
    version: VersionNumber
    now: Moment
    protocol: Literal["pf1"]
    status: Status
    dice: Annotated[
        DiceKind,
        Field(description="Scripted and seeded dice are known in advance, and count for nothing."),
    ]
    cheats: Annotated[bool, Field(description="Fair faces were changed as the log tells.")]
    verdict: Annotated[
        Verdict,
        Field(
            description="Incomplete: the secrets are not revealed yet. Mixed: by the seats that "
            "`seats` tells, after `failed_attempts`."
        ),
    ]
    attempts: Annotated[list[AttemptView], Field(max_length=100)]
    failed_attempts: Count
    seats: Annotated[list[MixedView], Field(max_length=MOST_SEATS)]
    rolls: Annotated[Count, Field(description="Rolls so far: the index of the next.")]
    revealed: bool
    how_to_verify: Annotated[list[Sentence], Field(max_length=20)]
