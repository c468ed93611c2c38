"""Commands over the stream of a game: the body of the same call over HTTP, and an envelope."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, TypeAdapter

from app.api.fields import MOST_VERSION
from app.api.schemas.common import Body
from app.api.schemas.requests import MaySelect, ResignSeat, SelectDice, SkipSeat, StartGame
from app.api.strict import MOST_KEY, NoFields

MOST_ID = 64
"""Characters."""
MOST_NUMBER = 2**53 - 1
"""The largest integer that every JSON library keeps."""

CommandId = Annotated[
    Annotated[int, Field(ge=0, le=MOST_NUMBER)]
    | Annotated[str, Field(min_length=1, max_length=MOST_ID)],
    Field(description="The client's own: comes back in the answer."),
]
Key = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_KEY,
        pattern="^[!-~]+$",
        description=(
            "As `Idempotency-Key`: the same key acts once, whichever way it is sent, and gets the "
            "first answer, as short or as long as that was asked for."
        ),
    ),
]
Expected = Annotated[
    int,
    Field(ge=0, le=MOST_VERSION, description="As `If-Match`: refused on any other version."),
]


class Envelope(Body):
    """What every command carries beside its own fields."""

    id: CommandId
    idempotency_key: Key | None = None
    if_match: Expected | None = None
    answer: Annotated[
        Literal["minimal", "full"],
        Field(description="full: with the game, which `played` tells too."),
    ] = "minimal"


class RollCommand(MaySelect, Envelope):
    """Lock the selection and roll the dice that are left; all of them when none is."""

    command: Literal["roll"]


class SelectCommand(SelectDice, Envelope):
    """Select dice of the current roll, instead of those selected before."""

    command: Literal["select"]


class BankCommand(MaySelect, Envelope):
    """End the turn and add its points to the seat's total."""

    command: Literal["bank"]


class TakeOverCommand(NoFields, Envelope):
    """Take over the turn that was just banked."""

    command: Literal["take-over"]


class WildRollCommand(MaySelect, Envelope):
    """Spend a Wild Roll: roll all dice, the last of them as the Jester."""

    command: Literal["wild-roll"]


class ResignCommand(ResignSeat, Envelope):
    """Give up a seat."""

    command: Literal["resign"]


class EndCommand(NoFields, Envelope):
    """The host ends the game, or closes the table."""

    command: Literal["end"]


class SkipNextCommand(SkipSeat, Envelope):
    """The host cheats: the next turn of a seat passes without a roll."""

    command: Literal["skip-next"]


class StartCommand(StartGame, Envelope):
    """The host starts the game."""

    command: Literal["start"]


AnyCommand = Annotated[
    RollCommand
    | SelectCommand
    | BankCommand
    | TakeOverCommand
    | WildRollCommand
    | ResignCommand
    | EndCommand
    | SkipNextCommand
    | StartCommand,
    Field(discriminator="command"),
]
COMMANDS: tuple[type[Envelope], ...] = get_args(get_args(AnyCommand)[0])
READER: TypeAdapter[Envelope] = TypeAdapter(AnyCommand)
ENVELOPE = frozenset({*Envelope.model_fields, "command"})
"""What is not in the body of the same call."""
