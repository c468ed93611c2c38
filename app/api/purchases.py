"""Wild Rolls that were paid for: what the operator's payment webhook calls."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from app.api.fields import PlayerId
from app.api.operations import operation
from app.api.operator_calls import Reasoned, journalled, once
from app.api.refusals import BadPart, InvalidRequest
from app.api.routing import api_router
from app.api.schemas import common
from app.api.schemas.common import Count, Moment, PackName
from app.clock import rfc3339
from app.errors import PlayerNotFound
from app.parts import parts_of
from app.purses import Purchase
from app.spelled import MOST_IN_PACK, Pack

router = api_router("operator")

MOST_REFERENCE = 128


class CreditWildRolls(Reasoned):
    """What was paid for: either a pack of the catalogue, or an amount."""

    reference: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MOST_REFERENCE,
            pattern=r"^[\x21-\x7e]+$",
            description="Of the payment. It counts once, for ever.",
        ),
    ]
    pack: (
        Annotated[
            PackName,
            Field(description="One of `wild_roll_packs` of `GET /v1`."),
        ]
        | None
    ) = None
    amount: Annotated[int, Field(ge=1, le=MOST_IN_PACK)] | None = None


class CreditView(BaseModel):
    player_id: common.PlayerId
    reference: Annotated[str, Field(max_length=MOST_REFERENCE)]
    pack: PackName | None
    wild_rolls: Annotated[Count, Field(description="Put into the purse by this purchase.")]
    purse: Annotated[Count, Field(description="What the purse held right after it.")]
    at: Moment


@router.post(
    "/v1/operator/players/{player_id}/wild-rolls",
    response_model=CreditView,
    **operation(
        "player_not_found", "reference_reused", operator=True, body=CreditWildRolls, key=True
    ),
)
async def credit_wild_rolls(request: Request, player_id: PlayerId) -> Response:
    """
    Put a purchase into a player's purse, once for each payment reference. A repeated call changes
    nothing and gets the first answer.
    """
    body, fingerprint = await journalled(
        request, CreditWildRolls, "credit", player_id, may_be_empty=False
    )
    parts = parts_of(request)

    async def credit() -> CreditView:
        _check(body)
        bought = Purchase(player_id, body.reference, body.amount or 0, body.pack)
        # First of all: a repeated call is answered also when the pack, or the player, has gone.
        done = await parts.purses.repeated(bought)
        if done is None:
            if body.pack is not None:
                size = _size_of(body.pack, parts.settings.wild_roll_packs)
                bought = bought._replace(wild_rolls=size)
            if await parts.accounts.get(player_id) is None:
                raise PlayerNotFound
            done = await parts.purses.credit(bought, parts.clock.now())
        return CreditView(
            player_id=player_id,
            reference=body.reference,
            pack=body.pack,
            wild_rolls=done.purchase.wild_rolls,
            purse=done.balance,
            at=rfc3339(done.at),
        )

    return await once(request, fingerprint, credit)


def _check(body: CreditWildRolls) -> None:
    """Raises: InvalidRequest."""
    if body.pack is None and body.amount is None:
        raise InvalidRequest((BadPart("missing", "A pack or an amount is required.", ""),))
    if body.pack is not None and body.amount is not None:
        raise InvalidRequest(
            (BadPart("not_allowed", "Cannot go together with a pack.", "/amount"),)
        )


def _size_of(name: str, packs: tuple[Pack, ...]) -> int:
    """What is in a pack. Raises: InvalidRequest."""
    sizes = {pack.name: pack.wild_rolls for pack in packs}
    if name not in sizes:
        says = f"Must be one of: {', '.join(sizes)}." if sizes else "No pack is for sale."
        raise InvalidRequest((BadPart("not_allowed", says, "/pack"),))
    return sizes[name]
