"""
Guests and the hashes of their tokens.

A player's own tokens are numbered. A new one waits; its first use ends every one with a lower
number, so that an answer lost on its way costs nobody their account. Tokens lent to scripts stand
beside them in the same table (`app.store.scoped_tokens`): a rotation leaves them alone.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import cast

from sqlalchemy import LargeBinary, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.accounts import Caller, Scope
from app.errors import PlayerNotFound, TokenExpired
from app.ports import Clock, Player
from app.store import tables
from app.store.database import Database, to_the_end
from app.store.lanes import Query
from app.tokens import USES_COUNT_AFTER_MS, Lifetimes
from engine.units import Millis

_p = tables.players.c
_t = tables.tokens.c
PLAYER = (_p.id, _p.name, _p.created_at, _p.bot)
"""The fields of a `Player`."""

_CALLERS = (
    select(
        *(_t.hash, *PLAYER),
        *(_t.waits, _t.number, _t.created_at, _t.used_at, _t.expires_at, _t.scopes),
    )
    .select_from(tables.tokens.join(tables.players))
    .where(_p.banned_at.is_(None))
)
_NAMED = [f"token_{number}" for number in range(32)]
"""A statement for so many, whose text is always the same: the rest of them are repeats."""
_BY_TOKENS = _CALLERS.where(_t.hash.in_([bindparam(name, type_=LargeBinary) for name in _NAMED]))
_BY_TOKEN = _CALLERS.where(_t.hash == bindparam("token_hash"))


TOKENS_AT_ONCE = 500


class SqlAccounts:
    """`app.ports.Accounts` on a database."""

    def __init__(self, database: Database, clock: Clock, lives: Lifetimes) -> None:
        self._database = database
        self._clock = clock
        self._lives = lives
        self._by_token = Query(database.dialect, _BY_TOKEN)
        self._callers = Query(database.dialect, _BY_TOKENS)

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
                    "used_at": player.created_at,
                },
            )

    async def by_token(self, token_hash: bytes) -> Caller | None:
        """
        Who brings a live token. The first use of a token that replaced another one ends the other
        one.

        Raises: TokenExpired.
        """
        found = await self._database.reading_lanes.fetch(self._by_token, token_hash=token_hash)
        if not found:
            return None
        _, *player, waits, number, created_at, used_at, expires_at, scopes = found[0]
        now, player_id = self._clock.now(), player[0]
        end = self._lives.end_of(created_at, expires_at)
        if self._lives.has_expired(now, used_at, end):
            raise TokenExpired
        if waits:
            with suppress(PlayerNotFound):  # being forgotten: its older tokens end with that
                await self._first_use(player_id, token_hash, number, now)
        elif now - used_at >= USES_COUNT_AFTER_MS:
            await self._used([token_hash], now)
        return Caller(_player(*player), end, scopes_of(scopes))

    async def callers(self, token_hashes: Collection[bytes]) -> dict[bytes, Caller]:
        """Those that open something, where nothing has to be written for their use."""
        hashes, found = list(token_hashes), dict[bytes, Caller]()
        for start in range(0, len(hashes), len(_NAMED)):
            asked = hashes[start : start + len(_NAMED)]
            asked += asked[-1:] * (len(_NAMED) - len(asked))
            named = dict(zip(_NAMED, asked, strict=True))
            for row in await self._database.reading_lanes.fetch(self._callers, **named):
                token_hash, *player, waits, _, created_at, used_at, expires_at, scopes = row
                now, end = self._clock.now(), self._lives.end_of(created_at, expires_at)
                noted = now - used_at < USES_COUNT_AFTER_MS and not waits
                if noted and not self._lives.has_expired(now, used_at, end):
                    found[token_hash] = Caller(_player(*player), end, scopes_of(scopes))
        return found

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        """
        Those of them that still open something. They count as used by this; no other token is
        ended by it.
        """
        hashes, found, stale = list(token_hashes), set[bytes](), list[bytes]()
        now, lives = self._clock.now(), self._lives
        async with self._database.reading() as connection:
            for start in range(0, len(hashes), TOKENS_AT_ONCE):
                asked = hashes[start : start + TOKENS_AT_ONCE]
                query = (
                    select(_t.hash, _t.created_at, _t.used_at, _t.expires_at)
                    .select_from(tables.tokens.join(tables.players))
                    .where(_t.hash.in_(asked), _p.banned_at.is_(None))
                )
                for token_hash, created_at, used_at, expires_at in await connection.execute(query):
                    if lives.has_expired(now, used_at, lives.end_of(created_at, expires_at)):
                        continue
                    found.add(token_hash)
                    if now - used_at >= USES_COUNT_AFTER_MS:
                        stale.append(token_hash)
        if stale:
            await self._used(stale, now)
        return found

    @to_the_end
    async def _used(self, token_hashes: Collection[bytes], now: Millis) -> None:
        hashes = sorted(token_hashes)
        async with self._database.writing() as connection:
            for start in range(0, len(hashes), TOKENS_AT_ONCE):
                asked = hashes[start : start + TOKENS_AT_ONCE]
                await connection.execute(
                    update(tables.tokens).where(_t.hash.in_(asked)).values(used_at=now)
                )

    @to_the_end
    async def expire_tokens(self, before: Millis) -> int:
        """
        Drops the tokens that had expired by then: from now on they are unknown. How many.
        """
        ended = delete(tables.tokens).where(
            or_(
                _t.used_at <= before - self._lives.idle,
                _t.created_at <= before - self._lives.most,
                _t.expires_at <= before,
            )
        )
        async with self._database.writing() as connection:
            return (await connection.execute(ended)).rowcount

    @to_the_end
    async def _first_use(self, player_id: str, token_hash: bytes, number: int, now: Millis) -> None:
        async with self._database.writing() as connection:
            await lock_account(connection, player_id)
            await connection.execute(
                update(tables.tokens).where(_t.hash == token_hash).values(waits=False, used_at=now)
            )
            older = (_t.player_id == player_id, _t.number < number, _t.scopes.is_(None))
            await connection.execute(delete(tables.tokens).where(*older))

    @to_the_end
    async def rotate(self, player_id: str, token_hash: bytes, now: Millis) -> None:
        """
        A new token; older ones work until it is first used, then never again.

        Raises: PlayerNotFound.
        """
        async with self._database.writing() as connection:
            await lock_account(connection, player_id)
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
                    "used_at": now,
                },
            )

    async def get(self, player_id: str) -> Player | None:
        """None for a forgotten player too."""
        query = select(*PLAYER).where(_p.id == player_id, _p.forgotten_at.is_(None))
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else Player(*row)

    @to_the_end
    async def rename(self, player_id: str, name: str) -> None:
        """Raises: PlayerNotFound."""
        async with self._database.writing() as connection:
            await lock_account(connection, player_id)
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
            await lock_account(connection, player_id)
            mine = update(tables.players).where(_p.id == player_id)
            await connection.execute(mine.where(_p.banned_at.is_(None)).values(banned_at=now))
            since = select(_p.banned_at).where(_p.id == player_id)
            found: Millis = (await connection.execute(since)).scalar_one()
        return found

    @to_the_end
    async def unban(self, player_id: str) -> None:
        """Its tokens work again. Raises: PlayerNotFound."""
        async with self._database.writing() as connection:
            await lock_account(connection, player_id)
            await connection.execute(
                update(tables.players).where(_p.id == player_id).values(banned_at=None)
            )


def _player(player_id: str, name: str, since: Millis, bot: bool) -> Player:
    return Player(player_id, name, since, bool(bot))


async def lock_account(connection: AsyncConnection, player_id: str) -> None:
    """One change of an account at a time. Raises: PlayerNotFound, also once forgotten."""
    query = select(_p.id).where(_p.id == player_id, _p.forgotten_at.is_(None)).with_for_update()
    if (await connection.execute(query)).first() is None:
        raise PlayerNotFound()


def scopes_of(text: str | None) -> frozenset[Scope] | None:
    """Of a token as they are stored; None where it opens everything."""
    return None if text is None else frozenset(cast("list[Scope]", text.split()))
