"""
Operators: who they are, and the journal of what they do.

A token is compared by its hash, in constant time, and is never written anywhere. Several count at
once, so that one can replace another; the journal tells them apart by the beginning of their hash.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol

from app.ids import new_id
from app.log import log
from app.ports import Clock
from app.tokens import hash_of
from engine.units import Millis

Action = Literal["void", "close", "ban", "unban", "credit"]

AUTHOR = "operator"
"""Whose keys an operator's are: all operators', and no player's."""
MARK = 8
"""Hexadecimal digits by which a token is told from another."""


class OperatorCall(NamedTuple):
    """A line of the operators' journal: what was asked for, written down before it was done."""

    id: str
    at: Millis
    action: str
    subject: str
    """Id of the game or the player it is about."""
    token: str
    """Which token: the beginning of its hash."""
    note: str | None = None


class OperatorJournal(Protocol):
    """What operators did; lines are added, never changed."""

    async def add(self, call: OperatorCall) -> None: ...

    async def calls(self, before: str | None, limit: int) -> list[OperatorCall]:
        """The newest first; those with a lower id than `before`."""
        ...


class Operators:
    """
    Args:
        tokens: of the settings.
    """

    def __init__(self, tokens: Iterable[str], journal: OperatorJournal, clock: Clock) -> None:
        self._hashes = [hash_of(token.encode()) for token in tokens]
        self._journal = journal
        self._clock = clock

    def mark_of(self, token_hash: bytes) -> str | None:
        """Which of the tokens has this hash; None for none of them."""
        found = [known for known in self._hashes if hmac.compare_digest(known, token_hash)]
        return found[0].hex()[:MARK] if found else None

    async def journal(self, mark: str, action: Action, subject: str, note: str | None) -> None:
        """Writes down what is about to be done."""
        log.info("operator", action=action, subject=subject, token=mark)
        await self._journal.add(
            OperatorCall(new_id(), self._clock.now(), action, subject, mark, note)
        )

    async def calls(self, before: str | None, limit: int) -> list[OperatorCall]:
        """The journal, the newest first; those with a lower id than `before`."""
        return await self._journal.calls(before, limit)
