"""Words that several schemas share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from app.api.fields import MOST_NAME, MOST_VERSION, QueryNumber
from app.api.schemas.words import Status
from app.api.strict import StrictModel

MOST_SEATS = 8
MOST_SAFE = 2**53 - 1
"""The largest number that every reader of JSON takes for what it is."""
MOST_COUNT = 2**31 - 1
"""Of what is counted one by one: events, games, rolls."""
PAGE_MAX = 1_000
"""No setting allows more."""
MOST_EVENTS = 1_000
"""Of one command; a few, but for the end of a game of many seats."""

SeatNumber = Annotated[int, Field(ge=0, le=MOST_SEATS - 1, description="Zero-based position.")]
SeatCount = Annotated[int, Field(ge=0, le=MOST_SEATS)]
SeatKey = Annotated[str, Field(pattern="^[0-7]$", description="A seat, as the key of an object.")]
FaceNumber = Annotated[int, Field(ge=1, le=6)]
FaceKey = Annotated[str, Field(pattern="^[1-6]$", description="A face, as the key of an object.")]
DieNumber = Annotated[int, Field(ge=0, le=5, description="Zero-based position of a die.")]
DiceCount = Annotated[int, Field(ge=0, le=6, description="So many dice.")]
Total = Annotated[int, Field(ge=0, le=MOST_SAFE, description="Points.")]
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
Epoch = Annotated[int, Field(ge=0, le=MOST_COUNT, description="Number of a sealing attempt.")]
VersionNumber = Annotated[int, Field(ge=1, le=MOST_VERSION)]
PlayerId = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
GameNumber = Annotated[str, Field(json_schema_extra={"format": "uuid"}, description="UUIDv7.")]
Moment = Annotated[
    str, Field(json_schema_extra={"format": "date-time"}, description="RFC 3339, UTC.")
]
Millis = Annotated[int, Field(ge=0, le=MOST_SAFE, description="Milliseconds since 1970-01-01 UTC.")]
Seats = Annotated[list[SeatNumber], Field(max_length=MOST_SEATS)]
Dice = Annotated[list[DieNumber], Field(max_length=6)]
PlayerName = Annotated[str, Field(max_length=MOST_NAME)]
PresetName = Annotated[str, Field(pattern="^[a-z0-9_-]{1,32}$")]
PackName = Annotated[str, Field(pattern="^[a-z0-9_-]{1,32}$")]
World = Annotated[
    str, Field(pattern="^[a-z0-9_-]{1,32}$", description="What first wins at presets lead to.")
]
Sentence = Annotated[str, Field(max_length=1_000)]
Secret = Annotated[str, Field(min_length=20, max_length=256, pattern="^[A-Za-z0-9_-]+$")]
JoinCodeShown = Annotated[str, Field(pattern="^[0-9A-HJKMNP-TV-Z]{8}$")]
NextCursor = Annotated[
    str | None,
    Field(max_length=128, description="`cursor` of the next page; null: no more."),
]
Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="32 bytes, lower-case hex.")]

SeatPath = Annotated[int, QueryNumber, Path(ge=0, le=MOST_SEATS - 1, description="A seat.")]
VersionPath = Annotated[int, QueryNumber, Path(ge=1, le=MOST_VERSION, description="A version.")]
Limit = Annotated[
    int | None,
    QueryNumber,
    # The most is a setting: the routes look, and there is one sentence for too many.
    Query(
        ge=1,
        json_schema_extra={"maximum": PAGE_MAX},
        description="How many, at most `limits.page_items` of `GET /v1`.",
    ),
]
StatusAsked = Annotated[Status | None, Query(description="Only games of this status.")]
PresetAsked = Annotated[
    str | None,
    Query(
        max_length=32,
        pattern="^[a-z0-9_-]+$",
        description="Only games of this preset, whatever its options.",
    ),
]
PresetPath = Annotated[
    str,
    # Any other text is the name of no preset: the route says so, and which there are.
    Path(json_schema_extra={"maxLength": 32}, description="Name of a preset."),
]


def _none_twice(numbers: list[int]) -> list[int]:
    if len(set(numbers)) != len(numbers):
        raise PydanticCustomError("repeated", "the same number twice")
    return numbers


NoneTwice = AfterValidator(_none_twice)
"""For lists of seats or dice."""


def _plain(value: object) -> object:
    """`true` or `false` in an address, and nothing like it."""
    if isinstance(value, str):
        if value not in ("true", "false"):
            raise PydanticCustomError("bad_format", "true or false is needed here")
        return value == "true"
    return value


PlainSwitch = BeforeValidator(_plain)
"""Put into the annotation of every switch in a query."""

Body = StrictModel
"""A request body: unknown fields are refused, and nothing is converted."""
