"""Tokens lent to scripts: rows of `tokens` with scopes. They are hashes, as all of them are."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import delete, insert, select

from app.accounts import Scope
from app.errors import TooManyTokens
from app.scoped_tokens import ScopedToken
from app.store import tables
from app.store.accounts import lock_account
from app.store.database import Database, to_the_end
from app.tokens import Lifetimes
from engine.units import Millis

_t = tables.tokens.c


class SqlScopedTokens:
    """`app.scoped_tokens.ScopedTokens` on a database."""

    def __init__(self, database: Database, lives: Lifetimes) -> None:
        self._database = database
        self._lives = lives

    @to_the_end
    async def add(self, player_id: str, token: ScopedToken, token_hash: bytes, most: int) -> None:
        """
        One more; where there are too many, those that have expired make room.

        Raises: PlayerNotFound, TooManyTokens.
        """
        mine = (_t.player_id == player_id, _t.scopes.is_not(None))
        async with self._database.writing() as connection:
            await lock_account(connection, player_id)
            rows = (await connection.execute(select(tables.tokens).where(*mine))).all()
            if len(rows) >= most:
                gone = [row.hash for row in rows if self._known(row, token.created_at) is None]
                if not gone:
                    raise TooManyTokens(limit=most)
                await connection.execute(delete(tables.tokens).where(_t.hash.in_(gone)))
            await connection.execute(
                insert(tables.tokens),
                {
                    **token._asdict(),
                    "hash": token_hash,
                    "player_id": player_id,
                    "number": 0,
                    "waits": False,
                    "scopes": " ".join(token.scopes),
                },
            )

    async def of_player(self, player_id: str, now: Millis) -> list[ScopedToken]:
        """Those that have not expired, the newest first."""
        query = (
            select(tables.tokens)
            .where(_t.player_id == player_id, _t.scopes.is_not(None))
            .order_by(_t.id.desc())
        )
        async with self._database.reading() as connection:
            rows = [self._known(row, now) for row in await connection.execute(query)]
        return [known for known in rows if known is not None]

    def _known(self, row: Any, now: Millis) -> ScopedToken | None:
        """None for one that has expired."""
        end = self._lives.end_of(row.created_at, row.expires_at)
        if self._lives.has_expired(now, row.used_at, end):
            return None
        scopes = tuple(cast("list[Scope]", row.scopes.split()))
        return ScopedToken(row.id, row.name, scopes, row.created_at, row.used_at, end)

    @to_the_end
    async def revoke(self, player_id: str, token_id: str) -> bool:
        """Whether there was one."""
        mine = (_t.player_id == player_id, _t.id == token_id)
        async with self._database.writing() as connection:
            ended = await connection.execute(delete(tables.tokens).where(*mine))
        return ended.rowcount > 0
