"""Tickets: each opens one stream, for a few seconds. Only hashes are kept, as of tokens."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from app.ports import Player
from app.store import tables
from app.store.accounts import PLAYER
from app.store.database import Database, to_the_end
from app.tickets import Redeemed
from app.tokens import Lifetimes
from engine.units import Millis

_k = tables.tickets.c
_p = tables.players.c
_t = tables.tokens.c


class SqlTickets:
    """`app.tickets.Tickets` on a database."""

    def __init__(self, database: Database, lives: Lifetimes) -> None:
        self._database = database
        self._lives = lives

    @to_the_end
    async def issue(
        self, ticket_hash: bytes, player_id: str, token_hash: bytes, now: Millis, expires_at: Millis
    ) -> None:
        """A new ticket; those that have expired by now are dropped."""
        async with self._database.writing() as connection:
            await connection.execute(delete(tables.tickets).where(_k.expires_at <= now))
            await connection.execute(
                insert(tables.tickets),
                {
                    "hash": ticket_hash,
                    "player_id": player_id,
                    "token_hash": token_hash,
                    "expires_at": expires_at,
                },
            )

    @to_the_end
    async def redeem(self, ticket_hash: bytes, now: Millis) -> Redeemed | None:
        """The ticket is used up by this. None for one that is unknown, used or expired, or whose
        token has ended."""
        used = (
            delete(tables.tickets)
            .where(_k.hash == ticket_hash)
            .returning(_k.player_id, _k.token_hash, _k.expires_at)
        )
        async with self._database.writing() as connection:
            row = (await connection.execute(used)).first()
            if row is None or row.expires_at <= now:
                return None
            holder = (
                select(*PLAYER, _t.created_at, _t.used_at, _t.expires_at)
                .select_from(tables.players.join(tables.tokens))
                .where(_p.id == row.player_id, _p.banned_at.is_(None), _t.hash == row.token_hash)
            )
            found = (await connection.execute(holder)).first()
        if found is None:
            return None
        *player, created_at, used_at, expires_at = found
        if self._lives.has_expired(now, used_at, self._lives.end_of(created_at, expires_at)):
            return None
        return Redeemed(Player(*player), row.token_hash)
