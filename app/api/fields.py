"""The types of fields and parameters that more than one request uses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from app.players import FORGOTTEN

UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
MOST_VERSION = 2**31 - 1
MOST_GRAPHEMES = 24
MOST_NAME = 96
"""Characters of a name of so many graphemes."""
MOST_MARKS = 4
MOST_STACKED = 2
"""Marks of one letter, and those of them that grow upwards or downwards: Vietnamese, polytonic
Greek and Hindi stay within these; letters that drip over other people's lines do not."""
_STACKS_FROM = 200
"""Unicode's combining classes from here on name places around the letter."""

_UNSEEN = frozenset(
    chr(c)
    for first, last in (
        *((0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
        *((0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF)),
    )
    for c in range(first, last + 1)
)
"""Letters and marks that show nothing (Unicode's Default_Ignorable, as far as no control)."""

_NAME_SIGNS = frozenset("-_.'\u2019!&+#()")


def bad_text() -> PydanticCustomError:
    return PydanticCustomError("bad_text", "characters that are not allowed")


def _plain(text: str) -> str:
    """NFC; no control, format, surrogate, private or unassigned characters."""
    if any(unicodedata.category(c)[0] == "C" for c in text):
        raise bad_text()
    return unicodedata.normalize("NFC", text)


def _apart(text: str) -> Iterator[str]:
    """Letters and their marks one by one; a Korean syllable stays the one sign it is."""
    for c in text:
        yield from c if "\uac00" <= c <= "\ud7a3" else unicodedata.normalize("NFD", c)


def _name(text: str) -> str:
    """Letters, marks, digits, a few signs, single spaces inside; counted as a reader would."""
    text = _plain(text)
    graphemes = marks = stacked = 0
    previous = " "
    for c in _apart(text):
        kind = unicodedata.category(c)
        if kind in {"Mn", "Mc"}:
            marks += 1
            stacked += unicodedata.combining(c) >= _STACKS_FROM
            if marks > MOST_MARKS or stacked > MOST_STACKED or previous == " ":
                raise bad_text()
            continue
        if not (kind[0] == "L" or kind == "Nd" or c in _NAME_SIGNS or c == " "):
            raise bad_text()
        if c == " " and previous == " ":
            raise bad_text()
        graphemes += 1
        marks = stacked = 0
        previous = c
    if text.endswith(" ") or not _UNSEEN.isdisjoint(text):
        raise bad_text()
    if unicodedata.normalize("NFKC", text).casefold() == FORGOTTEN:  # in wide letters too
        raise bad_text()
    if not 1 <= graphemes <= MOST_GRAPHEMES:
        raise PydanticCustomError("bad_length", "length", {"most": MOST_GRAPHEMES})
    return text


def _digits(value: object) -> object:
    """Query numbers are plain digits: no sign, space, underscore or leading zero."""
    if isinstance(value, str):
        if not re.fullmatch(r"0|[1-9][0-9]{0,9}", value, re.ASCII):
            raise PydanticCustomError("bad_format", "not a plain number")
        return int(value)
    return value


PlainText = Annotated[str, AfterValidator(_plain)]
"""Text without control characters, as NFC; bound its length where it is used."""

PlayerName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_NAME,
        description=f"1 to {MOST_GRAPHEMES} letters, digits, single spaces and -_.'\u2019!&+#()",
        examples=["Ana"],
    ),
    AfterValidator(_name),
]

GameId = Annotated[str, Path(pattern=UUID_PATTERN, description="Id of a game.")]
MatchId = Annotated[str, Path(pattern=UUID_PATTERN, description="Id of a match.")]
SeriesId = Annotated[str, Path(pattern=UUID_PATTERN, description="Id of a series.")]
PlayerId = Annotated[str, Path(pattern=UUID_PATTERN, description="Id of a player.")]
TokenId = Annotated[str, Path(pattern=UUID_PATTERN, description="Id of a token for a script.")]

QueryNumber = BeforeValidator(_digits)
"""Put into the annotation of every number in a query: `Annotated[int, QueryNumber, …]`."""

After = Annotated[
    int,
    QueryNumber,
    Query(ge=0, le=MOST_VERSION, description="Only what is above this version."),
]
Cursor = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=128,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="`next` of the page before.",
    ),
]
