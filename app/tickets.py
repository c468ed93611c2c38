"""
Tickets: what a page that cannot send its token along opens a WebSocket with.

A ticket goes into an address, and addresses end up in logs: it opens one stream, once, within
seconds, and reads nothing else.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from app.ids import new_token
from app.ports import Clock, Player
from app.tokens import hash_of
from engine.units import Millis

LIVES_MS = 30_000


class Ticket(NamedTuple):
    ticket: str
    expires_at: Millis


class Redeemed(NamedTuple):
    """What a ticket stood for."""

    player: Player
    token_hash: bytes
    """Of the token it was bought with: its end ends the stream too."""


class Tickets(Protocol):
    """One-use tickets for streams; kept and handed over as SHA-256 hashes."""

    async def issue(
        self, ticket_hash: bytes, player_id: str, token_hash: bytes, now: Millis, expires_at: Millis
    ) -> None: ...

    async def redeem(self, ticket_hash: bytes, now: Millis) -> Redeemed | None:
        """Uses it up. None for one that is unknown, used or expired, or whose token has ended."""
        ...


class TicketOffice:
    def __init__(self, tickets: Tickets, clock: Clock) -> None:
        self._tickets = tickets
        self._clock = clock

    async def issue(self, player_id: str, token_hash: bytes) -> Ticket:
        """A new ticket for the holder of a token."""
        ticket, now = new_token(), self._clock.now()
        await self._tickets.issue(
            hash_of(ticket.encode()), player_id, token_hash, now, now + LIVES_MS
        )
        return Ticket(ticket, now + LIVES_MS)

    async def redeem(self, ticket: str) -> Redeemed | None:
        """Uses it up. None for one that is unknown, used or expired, or whose token has ended."""
        return await self._tickets.redeem(hash_of(ticket.encode()), self._clock.now())
