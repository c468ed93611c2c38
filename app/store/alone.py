"""
Outcomes of orders, as they come to stand; and orders of a transaction that failed, each in one of
its own: one spoilt it for its neighbours.

A game that is held up is waited for once, and so are only a few: where many are, it is the database
that is held up, and there would be no end to the waiting.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from app.errors import Overloaded
from app.ports import Order, Outcome, Tell

MOST_HELD = 3
"""Games that are waited for; whoever comes behind them is told to come back."""


Stands = TypeVar("Stands", bound=Outcome | None)


def told(orders: Sequence[Order], outcomes: list[Stands], tell: Tell | None) -> list[Stands]:
    """The outcomes, each of which has been told; None: it has yet to come."""
    if tell is not None:
        for order, outcome in zip(orders, outcomes, strict=True):
            if outcome is not None:
                tell(order, outcome)
    return outcomes


async def each_alone(
    orders: Sequence[Order],
    run: Callable[[Sequence[Order], Tell | None], Awaitable[list[Outcome]]],
    tell: Tell | None,
) -> list[Outcome]:
    """Outcome i belongs to order i."""
    outcomes: list[Outcome] = []
    held: set[str] = set()
    for order in orders:
        if order.game_id in held or len(held) >= MOST_HELD:
            outcomes += told([order], [Overloaded()], tell)
            continue
        [outcome] = await run([order], tell)
        outcomes.append(outcome)
        if isinstance(outcome, Overloaded):
            held.add(order.game_id)
    return outcomes
