"""Words that several schemas share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from app.api.fields import MOST_VERSION, QueryNumber
from app.api.strict import StrictModel

MOST_SEATS = 8
PAGE_MAX = 1_000
"""No setting allows more."""

SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS, description="Zero-based position.")]
FaceNumber = Annotated[int, Field(ge=1, le=6)]
FaceKey = Annotated[str, Field(pattern="^[1-6]$", description="A face, as the key of an object.")]
DieNumber = Annotated[int, Field(ge=0, le=5, description="Zero-based position of a die.")]
Total = Annotated[int, Field(description="Points.")]
VersionNumber = Annotated[int, Field(ge=1, le=MOST_VERSION)]
PlayerId = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
GameNumber = Annotated[str, Field(json_schema_extra={"format": "uuid"}, description="UUIDv7.")]
Moment = Annotated[
    str, Field(json_schema_extra={"format": "date-time"}, description="RFC 3339, UTC.")
]
Millis = Annotated[int, Field(description="Milliseconds since 1970-01-01 UTC.")]
Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="32 bytes, lower-case hex.")]

SeatPath = Annotated[int, QueryNumber, Path(ge=0, lt=MOST_SEATS, description="A seat.")]
VersionPath = Annotated[int, QueryNumber, Path(ge=1, le=MOST_VERSION, description="A version.")]
Limit = Annotated[
    int | None,
    QueryNumber,
    # The most is a setting: the routes look, and there is one sentence for too many.
    Query(ge=1, json_schema_extra={"maximum": PAGE_MAX}, description="How many items at most."),
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
