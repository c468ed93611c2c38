"""Series: what was agreed on, who takes part, which games belong to them, how these ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import (
    ColumnElement,
    and_,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from app.errors import (
    KeyReused,
    SeriesNotFound,
    TooManyBotTables,
    TooManySeries,
    Unauthenticated,
)
from app.ports import Answer, Clock
from app.series.model import Recorded, Series, SeriesGame
from app.series.store import SeriesChange
from app.store import tables
from app.store.bot_tables import BotTables
from app.store.bulk import Insert
from app.store.database import Database, to_the_end
from app.store.rows import result_text
from app.store.series_rows import series_of_row, series_rows, series_values
from app.store.writing import ANSWER_COLUMNS
from engine.units import Millis

_s = tables.series.c
_p = tables.series_players.c
_n = tables.series_games.c
_g = tables.games.c
_a = tables.answers.c
_KEEP_ANSWER = Insert(tables.answers, ANSWER_COLUMNS, keeps=True)
_GAMES = Insert(tables.series_games, ("series_id", "number", "game_id"))
_PLAYERS = Insert(tables.series_players, ("series_id", "player_id"), keeps=True)


class SqlSeries:
    """
    `app.series.store.SeriesStore` on a database.

    Args:
        bot_tables: how many tables with bots a player may have at a time.
    """

    def __init__(self, database: Database, clock: Clock, *, bot_tables: int = 1_000_000) -> None:
        self._database = database
        self._clock = clock
        self._bot_tables = BotTables(database.dialect, bot_tables)

    @to_the_end
    async def create(
        self,
        series: Series,
        game_ids: Sequence[str],
        answer: Answer,
        *,
        most: int,
        key: str | None,
        fingerprint: bytes,
    ) -> Answer:
        """
        A new series and the ids of its games, in order; or the first answer to this key.

        Args:
            most: series of one owner that are not over.
        Raises: TooManySeries, TooManyBotTables, KeyReused; Unauthenticated, for an owner who is
        forgotten or banned.
        """
        mine = (_s.owner == series.owner) & _s.status.in_(("open", "running"))
        async with self._database.writing() as connection:
            kept = await self._keep(connection, series.owner, key, fingerprint, answer)
            if kept != answer:
                return kept
            await self._bot_tables.lock_on(connection, series.owner)
            held = await connection.execute(select(func.count()).where(mine))
            if held.scalar_one() >= most:
                raise TooManySeries(limit=most)
            if series.bot_tables > await self._bot_tables.left_on(connection, series.owner):
                raise TooManyBotTables(limit=self._bot_tables.limit)
            await _check(connection, {series.owner})
            values = series_values(series)
            await connection.execute(
                insert(tables.series),
                {**values, "id": series.id, "created_at": series.created_at},
            )
            await _PLAYERS(connection, _players(series))
            await _GAMES(connection, [(series.id, *pair) for pair in enumerate(game_ids)])
        return answer

    @to_the_end
    async def change(
        self,
        series_id: str,
        decide: SeriesChange,
        *,
        author: str = "",
        key: str | None = None,
        fingerprint: bytes = b"",
    ) -> Answer:
        """
        Changes a series under its lock; or the first answer to this key.

        Raises: SeriesNotFound, KeyReused, what `decide` raises; Unauthenticated, where somebody
        takes part who is forgotten or banned.
        """
        async with self._database.writing() as connection:
            locked = series_rows().where(_s.id == series_id).with_for_update()
            row = (await connection.execute(locked)).first()
            known = await _known(connection, author, key, fingerprint)
            if known is not None:
                return known
            if row is None:
                raise SeriesNotFound
            before = series_of_row(row)
            after, answer = decide(before)
            kept = await self._keep(connection, author, key, fingerprint, answer)
            if after != before:
                await _check(connection, _taking_part(after) - _taking_part(before))
                values = series_values(after)
                await connection.execute(
                    update(tables.series).where(_s.id == series_id).values(values)
                )
                await _PLAYERS(connection, _players(after))
        return kept

    async def _keep(
        self,
        connection: AsyncConnection,
        author: str,
        key: str | None,
        fingerprint: bytes,
        answer: Answer,
    ) -> Answer:
        """The answer that counts for this key. Raises: KeyReused."""
        if key is None:
            return answer
        row = (author, key, fingerprint, None, *answer, self._clock.now())
        await _KEEP_ANSWER(connection, [row])
        return await _known(connection, author, key, fingerprint) or answer

    async def get(self, series_id: str) -> Series | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(series_rows().where(_s.id == series_id))).first()
        return None if row is None else series_of_row(row)

    async def games(self, series_id: str, first: int, limit: int) -> list[SeriesGame]:
        """Games by number, from `first` on."""
        return await self._games(and_(_n.series_id == series_id, _n.number >= first), limit)

    async def unrecorded(self, series_id: str, limit: int) -> list[SeriesGame]:
        """The first games without a result that has been recorded."""
        return await self._games(and_(_n.series_id == series_id, _n.result.is_(None)), limit)

    async def _games(self, condition: ColumnElement[bool], limit: int) -> list[SeriesGame]:
        joined = tables.series_games.outerjoin(tables.games, _g.id == _n.game_id)
        query = (
            select(_n.number, _n.game_id, _g.status, _n.result)
            .select_from(joined)
            .where(condition)
            .order_by(_n.number)
            .limit(limit)
        )
        async with self._database.reading() as connection:
            return [
                SeriesGame(
                    number, game_id, status is not None, status == "finished", _result(result)
                )
                for number, game_id, status, result in await connection.execute(query)
            ]

    async def results(self, series_id: str) -> dict[int, Recorded]:
        """What has been recorded, by the number of the game."""
        query = select(_n.number, _n.result).where(
            _n.series_id == series_id, _n.result.is_not(None)
        )
        async with self._database.reading() as connection:
            return {row[0]: _read(row[1]) for row in await connection.execute(query)}

    @to_the_end
    async def record(self, series_id: str, results: Mapping[int, Recorded]) -> None:
        """
        Records how games ended; the first result stays. A game that is voided is recorded as such
        by the append, in the same transaction.
        """
        async with self._database.writing() as connection:
            for number, result in sorted(results.items()):
                this = and_(_n.series_id == series_id, _n.number == number, _n.result.is_(None))
                text = result_text(result)
                await connection.execute(
                    update(tables.series_games).where(this).values(result=text)
                )

    async def series_of(self, game_id: str) -> str | None:
        """The series a game belongs to."""
        query = select(_n.series_id).where(_n.game_id == game_id)
        async with self._database.reading() as connection:
            found: str | None = (await connection.execute(query)).scalar()
        return found

    async def unfinished(self, before: Millis, limit: int) -> list[str]:
        """Series that run or are to stop, and open ones made before then."""
        stale = and_(_s.status == "open", _s.created_at < before)
        moving = ("running", "stopping")
        query = (
            select(_s.id)
            .where(_s.status.in_(("open", *moving)), or_(_s.status.in_(moving), stale))
            .order_by(_s.id)
            .limit(limit)
        )
        async with self._database.reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def of_player(self, player_id: str) -> list[str]:
        """Series which the player owns or ever took part in."""
        query = select(_p.series_id).where(_p.player_id == player_id).order_by(_p.series_id)
        async with self._database.reading() as connection:
            return list((await connection.execute(query)).scalars())


def _players(series: Series) -> list[tuple[str, str]]:
    return [(series.id, player_id) for player_id in sorted(_taking_part(series))]


def _taking_part(series: Series) -> set[str]:
    return {p.player_id for p in series.participants if p.player_id} | {series.owner}


async def _check(connection: AsyncConnection, came: set[str]) -> None:
    """
    Locks the players who come, against being forgotten or banned meanwhile: their series are
    cancelled after that.

    Raises: Unauthenticated, when one is already.
    """
    players = tables.players.c
    gone = players.forgotten_at.is_not(None) | players.banned_at.is_not(None)
    locked = select(gone).where(players.id.in_(sorted(came))).with_for_update(read=True)
    if came and any((await connection.execute(locked)).scalars()):
        raise Unauthenticated


def _result(text: str | None) -> Recorded | None:
    return None if text is None else _read(text)


def _read(text: str) -> Recorded:
    reason, winners, scores = json.loads(text)
    return Recorded(reason, tuple(winners), tuple(scores))


async def _known(
    connection: AsyncConnection, author: str, key: str | None, fingerprint: bytes
) -> Answer | None:
    """The answer stored under this key. Raises: KeyReused."""
    if key is None:
        return None
    query = select(_a.fingerprint, _a.status, _a.body, _a.version, _a.location).where(
        _a.player_id == author, _a.key == key
    )
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    if row[0] != fingerprint:
        raise KeyReused
    return Answer._make(row[1:])
