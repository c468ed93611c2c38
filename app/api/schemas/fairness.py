"""How the dice of a game can be checked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.common import GameNumber, Hex32, Moment, SeatNumber, VersionNumber
from app.api.schemas.words import Status


class AttemptView(TypedDict):
    """A sealing attempt: the server's commitment, what seats contributed, the seal."""

    epoch: int
    server_commit: Hex32
    seed: Annotated[Hex32 | None, Field(description="The server's, once the game is over.")]
    contributions: Annotated[
        list[SeatNumber] | None, Field(description="Seats mixed in; null while not closed.")
    ]
    seal: Hex32 | None


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
        Literal["fair", "scripted", "seeded"],
        Field(description="Scripted and seeded dice are known in advance, and count for nothing."),
    ]
    cheats: Annotated[bool, Field(description="Fair faces were changed as the log tells.")]
    verdict: Annotated[
        Literal["incomplete", "server_committed_only"],
        Field(description="Incomplete: the secrets are not revealed yet."),
    ]
    attempts: list[AttemptView]
    failed_attempts: int
    seats: list[MixedView]
    rolls: Annotated[int, Field(description="Rolls so far: the index of the next.")]
    revealed: bool
    how_to_verify: list[str]
