"""
How much bots may do, so that people beside them feel little of it: pure.

A second's decisions are spread over it. A transaction has a small share of them, for whoever else
wants to write waits until it is through. Transactions keep a distance, so that what falls due at
many tables shares one; and a longer one where the store is slow, so that its time is people's.
"""

from __future__ import annotations

import math

SHARE_S = 0.03
"""What is earned in so long may be spent at once: at 400 a second 12 decisions, or 2 ms."""
EVERY_S = 0.02
"""Between the beginnings of two transactions: nobody sees a bot move so much later."""
RESTS = 3.0
"""Times what a transaction took, before the next: bots have a quarter of a slow store's time."""


class Allowance:
    """
    Times are seconds of any clock that never goes back.

    Args:
        per_second: decisions at most.
        every_s: between the beginnings of two transactions, at least.
        rests: times what a transaction took, before the next.
    """

    def __init__(self, per_second: int, every_s: float = EVERY_S, rests: float = RESTS) -> None:
        self.at_once = max(1, math.ceil(per_second * SHARE_S))
        """Decisions in one transaction at most."""
        self._per_second = per_second
        self._every_s = every_s
        self._rests = rests
        self._next_at = -math.inf

    def wait_s(self, now: float) -> float:
        """Until the next transaction may begin; 0 or less: now."""
        return self._next_at - now

    def spent(self, decisions: int, began: float, ended: float) -> None:
        """A transaction with so many is through, or has failed."""
        earned = began + decisions / self._per_second
        rested = ended + self._rests * (ended - began)
        self._next_at = max(earned, rested, began + self._every_s)
