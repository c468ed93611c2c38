"""What players contribute to the dice, as it travels."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, RootModel, Tag

from app.api.schemas.common import Body, Hex32


class CommitEntropy(Body):
    """In the lobby: it replaces what the seat has committed to before."""

    commit: Annotated[Hex32, Field(description="seat_commit(e, seat), e the next attempt.")]


class RevealEntropy(Body):
    """While sealing."""

    seed: Annotated[Hex32, Field(description="What was committed to for this attempt.")]
    next_commit: Annotated[
        Hex32, Field(description="seat_commit(e + 1, seat) of a new value, should this one fail.")
    ]


def _which(body: Any) -> str:
    reveals = isinstance(body, RevealEntropy) or (isinstance(body, dict) and "seed" in body)
    return "a reveal" if reveals else "a commitment"


class Contribute(
    RootModel[
        Annotated[
            Annotated[CommitEntropy, Tag("a commitment")]
            | Annotated[RevealEntropy, Tag("a reveal")],
            Discriminator(_which),
        ]
    ]
):
    """A commitment, or its reveal."""
