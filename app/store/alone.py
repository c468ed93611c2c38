"""
Orders of a transaction that failed, each in one of its own: one spoilt it for its neighbours.

A game that is held up is waited for once, and so are only a few: where many are, it is the database
that is held up, and there would be no end to the waiting.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from app.errors import Overloaded
from app.ports import Order, Outcome

MOST_HELD = 3
"""Games that are waited for; whoever comes behind them is told to come back."""


async def each_alone(
    orders: Sequence[Order], run: Callable[[Sequence[Order]], Awaitable[list[Outcome]]]
) -> list[Outcome]:
    """Outcome i belongs to order i."""
    outcomes: list[Outcome] = []
    held: set[str] = set()
    for order in orders:
        if order.game_id in held or len(held) >= MOST_HELD:
            outcomes.append(Overloaded())
            continue
        [outcome] = await run([order])
        outcomes.append(outcome)
        if isinstance(outcome, Overloaded):
            held.add(order.game_id)
    return outcomes
