"""The event store: `append`, and reads that see the last commit and wait for nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    Select,
    Text,
    bindparam,
    delete,
    exists,
    select,
    tuple_,
    update,
)

from app.errors import KeyReused
from app.ports import Answer, BotName, Clock, Head, Recorded, Summary
from app.store import rows, tables
from app.store.append import Appender
from app.store.batch import never
from app.store.bulk import Insert
from app.store.database import Database, to_the_end
from app.store.following import Following
from app.store.lanes import Query
from app.store.waiting import Waiting
from app.store.watching import Watching
from app.store.writing import ANSWER_COLUMNS
from engine.units import Millis

JOIN_CODE_LIVES_MS = 24 * 60 * 60 * 1000
FORGET_AT_ONCE = 200
"""Games whose names are replaced in one transaction, so that none is held up for long."""

_g = tables.games.c
_s = tables.seats.c
_a = tables.answers.c
_KEEP = Insert(tables.answers, ANSWER_COLUMNS, keeps=True)


class SqlEventStore(Appender, Following, Watching, Waiting):
    """`app.ports.EventStore` on a database."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        due: Callable[[Head], Millis | None] = never,
        shared_clock: Clock | None = None,
        *,
        notices: bool = False,
        bot_tables: int | None = None,
    ) -> None:
        super().__init__(database, clock, due, shared_clock, notices=notices, bot_tables=bot_tables)
        Following.__init__(self, database)
        Watching.__init__(self, database)
        Waiting.__init__(self, database)
        game_id, e, s = bindparam("game_id", type_=Text), tables.events.c, tables.seeds.c
        self._head = Query(database.dialect, rows.heads().where(_g.id == game_id))
        self._events = Query(
            database.dialect,
            select(e.version, e.data, e.hash)
            .where(e.game_id == game_id, e.version > bindparam("after", type_=BigInteger))
            .order_by(e.version)
            .limit(bindparam("most", type_=BigInteger)),
        )
        self._all_seeds = Query(
            database.dialect, select(s.seed).where(s.game_id == game_id).order_by(s.epoch)
        )

    async def answer_to(self, author: str, key: str, fingerprint: bytes) -> Answer | None:
        """
        The stored answer of a call that touches no game (rename, forget).

        Raises: KeyReused, when the key was used with another fingerprint.
        """
        async with self._database.reading() as connection:
            found = (await connection.execute(_answer(author, key))).first()
        return None if found is None else _same(found, fingerprint)

    @to_the_end
    async def remember_answer(
        self, author: str, key: str, fingerprint: bytes, answer: Answer
    ) -> Answer:
        """
        Stores the answer of a call that touches no game, unless there is one; the one that counts.

        Raises: KeyReused, when the key was used with another fingerprint.
        """
        row = (author, key, fingerprint, None, *answer, self._clock.now())
        async with self._database.writing() as connection:
            await _KEEP(connection, [row])
            found = (await connection.execute(_answer(author, key))).one()
        return _same(found, fingerprint)

    @to_the_end
    async def expire_answers(self, before: Millis) -> int:
        """Drops the answers stored before then; how many. Their keys may be used again."""
        async with self._database.writing() as connection:
            done = await connection.execute(delete(tables.answers).where(_a.created_at < before))
            return done.rowcount

    async def head(self, game_id: str) -> Head | None:
        found = await self._database.reading_lanes.fetch(self._head, game_id=game_id)
        return rows.head_of(found[0]) if found else None

    async def events(self, game_id: str, after: int, limit: int) -> list[Recorded]:
        """Events with a version above `after`, ascending, gap-free, at most `limit`."""
        found = await self._database.reading_lanes.fetch(
            self._events, game_id=game_id, after=after, most=limit
        )
        return [Recorded(*row) for row in found]

    async def seeds(self, game_id: str) -> tuple[bytes, ...]:
        """The seeds drawn for the game, by number of the attempt."""
        found = await self._database.reading_lanes.fetch(self._all_seeds, game_id=game_id)
        return tuple(row[0] for row in found)

    async def public_games(
        self,
        *,
        status: str | None,
        preset: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        """Public games, newest first (created_at, id descending); scripted and seeded left out."""
        conditions: list[ColumnElement[bool]] = [_g.listed]
        if preset is not None:
            conditions.append(_g.preset == preset)
        return await self._summaries(conditions, status, before, limit)

    async def games_of(
        self,
        player_id: str,
        *,
        status: str | None,
        to_move: bool | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        """Every game in which the player holds or held a seat, private ones too."""
        conditions: list[ColumnElement[bool]] = [
            _g.id.in_(select(_s.game_id).where(_s.player_id == player_id))
        ]
        if to_move is not None:
            moves = exists().where(
                _s.game_id == _g.id, _s.seat == _g.to_move, _s.player_id == player_id, _s.holds
            )
            conditions.append(moves if to_move else ~moves)
        return await self._summaries(conditions, status, before, limit)

    async def _summaries(
        self,
        conditions: Sequence[ColumnElement[bool]],
        status: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        query: Select[Any] = select(*rows.HEAD_COLUMNS).where(*conditions)
        if status is not None:
            query = query.where(_g.status == status)
        if before is not None:
            query = query.where(tuple_(_g.created_at, _g.id) < tuple_(*before))
        query = query.order_by(_g.created_at.desc(), _g.id.desc()).limit(limit)
        async with self._database.reading() as connection:
            found = await connection.execute(query)
            return [Summary(rows.head_of(row), row[-1]) for row in found]

    async def game_by_code(self, join_code: str) -> str | None:
        """The id of the lobby with this code."""
        query = select(_g.id).where(
            _g.join_code == join_code, _g.created_at > self._clock.now() - JOIN_CODE_LIVES_MS
        )
        async with self._database.reading() as connection:
            return (await connection.execute(query)).scalar()

    async def forget_names(self, player_id: str, name: str) -> None:
        """Replaces the player's name at every table it ever sat at."""
        query = select(_s.game_id).where(_s.player_id == player_id, _s.holds).distinct()
        async with self._database.reading() as connection:
            ids = sorted((await connection.execute(query)).scalars())
        for start in range(0, len(ids), FORGET_AT_ONCE):
            await self._rename(player_id, name, ids[start : start + FORGET_AT_ONCE])
        self.kept.forget()

    @to_the_end
    async def _rename(self, player_id: str, name: str, ids: Sequence[str]) -> None:
        # In the order of the ids, like the locks of `append`.
        held = select(_g.id, _g.names).where(_g.id.in_(ids)).order_by(_g.id).with_for_update()
        sits = select(_s.game_id, _s.seat).where(
            _s.game_id.in_(ids), _s.player_id == player_id, _s.holds
        )
        async with self._database.writing() as connection:
            names = {row[0]: list(rows.names_of(row[1])) for row in await connection.execute(held)}
            for game_id, seat in await connection.execute(sits):
                was_bot = isinstance(names[game_id][seat], BotName)
                names[game_id][seat] = BotName(name) if was_bot else name
            for game_id, of_seats in names.items():
                await connection.execute(
                    update(tables.games)
                    .where(_g.id == game_id)
                    .values(names=rows.names_text(tuple(of_seats)))
                )


def _answer(author: str, key: str) -> Select[Any]:
    return select(_a.fingerprint, _a.status, _a.body, _a.version, _a.location).where(
        _a.player_id == author, _a.key == key
    )


def _same(row: Row[Any], fingerprint: bytes) -> Answer:
    if row[0] != fingerprint:
        raise KeyReused()
    return Answer._make(row[1:])
