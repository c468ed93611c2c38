"""
Guests and the hashes of their tokens.

A player's tokens are numbered. A new one waits; its first use ends every one with a lower number,
so that an answer lost on its way costs nobody their account.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.errors import PlayerNotFound
from app.ports import Player
from app.store import tables
from app.store.database import Database, to_the_end
from app.store.lanes import Query
from engine.units import Millis

_p = tables.players.c
_t = tables.tokens.c

_BY_TOKEN = (
    select(_p.id, _p.name, _p.created_at, _t.waits, _t.number)
    .select_from(tables.tokens.join(tables.players))
    .where(_t.hash == bindparam("token_hash"), _p.banned_at.is_(None))
)


TOKENS_AT_ONCE = 500


class SqlAccounts:
    """`app.ports.Accounts` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._by_token = Query(database.dialect, _BY_TOKEN)

    @to_the_end
    async def create(self, player: Player, token_hash: bytes) -> None:
        async with self._database.writing() as connection:
            await connection.execute(insert(tables.players), player._asdict())
            await connection.execute(
                insert(tables.tokens),
                {
                    "hash": token_hash,
                    "player_id": player.id,
                    "number": 1,
                    "waits": False,
                    "created_at": player.created_at,
                },
            )

    async def by_token(self, token_hash: bytes) -> Player | None:
        """
        The player of a live token. The first use of a token that replaced another one ends the
        other one.
        """
        found = await self._database.reading_lanes.fetch(self._by_token, token_hash=token_hash)
        if not found:
            return None
        player_id, name, created_at, waits, number = found[0]
        if waits:
            with suppress(PlayerNotFound):  # being forgotten: its older tokens end with that
                await self._first_use(player_id, token_hash, number)
        return Player(player_id, name, created_at)

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        """Those of them that still open something; looking ends none."""
        hashes, found = list(token_hashes), set[bytes]()
        async with self._database.reading() as connection:
            for start in range(0, len(hashes), TOKENS_AT_ONCE):
                asked = hashes[start : start + TOKENS_AT_ONCE]
                query = (
                    select(_t.hash)
                    .select_from(tables.tokens.join(tables.players))
                    .where(_t.hash.in_(asked), _p.banned_at.is_(None))
                )
                found.update((await connection.execute(query)).scalars())
        return found

    @to_the_end
    async def _first_use(self, player_id: str, token_hash: bytes, number: int) -> None:
        async with self._database.writing() as connection:
            await _lock(connection, player_id)
            await connection.execute(
                update(tables.tokens).where(_t.hash == token_hash).values(waits=False)
            )
            await connection.execute(
                delete(tables.tokens).where(_t.player_id == player_id, _t.number < number)
            )

    @to_the_end
    async def rotate(self, player_id: str, token_hash: bytes, now: Millis) -> None:
        """
        A new token; older ones work until it is first used, then never again.

        Raises: PlayerNotFound.
        """
        async with self._database.writing() as connection:
            await _lock(connection, player_id)
            newest = select(func.max(_t.number)).where(_t.player_id == player_id)
            number = (await connection.execute(newest)).scalar() or 0
            await connection.execute(
                insert(tables.tokens),
                {
                    "hash": token_hash,
                    "player_id": player_id,
                    "number": number + 1,
                    "waits": True,
                    "created_at": now,
                },
            )

    async def get(self, player_id: str) -> Player | None:
        """None for a forgotten player too."""
        query = select(_p.id, _p.name, _p.created_at).where(
            _p.id == player_id, _p.forgotten_at.is_(None)
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else Player(*row)

    @to_the_end
    async def rename(self, player_id: str, name: str) -> None:
        """Raises: PlayerNotFound."""
        async with self._database.writing() as connection:
            await _lock(connection, player_id)
            await connection.execute(
                update(tables.players).where(_p.id == player_id).values(name=name)
            )

    @to_the_end
    async def unseat(self, player_id: str, now: Millis) -> None:
        """
        It may sit down nowhere from now on. Seats that are being taken meanwhile are taken when
        this returns, or refused: both sides lock the player.
        """
        async with self._database.writing() as connection:
            mine = update(tables.players).where(_p.id == player_id, _p.forgotten_at.is_(None))
            await connection.execute(mine.values(forgotten_at=now))

    @to_the_end
    async def forget(self, player_id: str) -> None:
        """Ends the tokens and drops the name; the id stays, for the logs that carry it."""
        async with self._database.writing() as connection:
            mine = update(tables.players).where(_p.id == player_id)
            await connection.execute(mine.values(name=None))
            await connection.execute(delete(tables.tokens).where(_t.player_id == player_id))
            for table in (tables.on_call, tables.notices):
                await connection.execute(delete(table).where(table.c.player_id == player_id))

    @to_the_end
    async def ban(self, player_id: str, now: Millis) -> Millis:
        """
        Its tokens open nothing any more; since when.

        Raises: PlayerNotFound.
        """
        async with self._database.writing() as connection:
            await _lock(connection, player_id)
            mine = update(tables.players).where(_p.id == player_id)
            await connection.execute(mine.where(_p.banned_at.is_(None)).values(banned_at=now))
            since = select(_p.banned_at).where(_p.id == player_id)
            found: Millis = (await connection.execute(since)).scalar_one()
        return found

    @to_the_end
    async def unban(self, player_id: str) -> None:
        """Its tokens work again. Raises: PlayerNotFound."""
        async with self._database.writing() as connection:
            await _lock(connection, player_id)
            await connection.execute(
                update(tables.players).where(_p.id == player_id).values(banned_at=None)
            )


async def _lock(connection: AsyncConnection, player_id: str) -> None:
    """One change of an account at a time. Raises: PlayerNotFound, also once forgotten."""
    query = select(_p.id).where(_p.id == player_id, _p.forgotten_at.is_(None)).with_for_update()
    if (await connection.execute(query)).first() is None:
        raise PlayerNotFound()
