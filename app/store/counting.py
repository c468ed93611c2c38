"""
Games that ended, counted once: rows of `results`, and the sums of them in `ladders`.

    ended → read each log, without a lock → lock the rows of `ended` → results, ladders → commit

An append that ends a game that may count, or moves one that is over, leaves a row in `ended`.
Whoever locks that row counts the game; what others hold is passed over, what a crash interrupts is
still there. A log that moved while it was read is left for the next look. A game that is counted
again (it was voided, or the figures are rebuilt) has its results replaced, and the sums they were
in made anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, bindparam, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app.log import log
from app.rulebook import rules_key
from app.statistics import LEAST_PEOPLE, ladders_of
from app.store import tables
from app.store.bulk import Insert
from app.store.database import Database, to_the_end
from app.store.lanes import Query, Rows
from app.store.sums import FIGURES, Pair, Sum, add, make_anew
from engine.errors import BrokenHistory
from engine.events import Event
from engine.figures import Figures, ScoreSheet, by_player

AT_ONCE = 20
"""Games counted in one transaction."""
PAGE = 100
"""Events read at once: a few milliseconds' work between two chances for others."""
WHATEVER_COMES = 2**63 - 1
PAUSE_S = 0.05
"""For a rebuild, while another process counts what it asked for."""

_e = tables.events.c
_n = tables.ended.c
_p = tables.players.c
_r = tables.results.c
RESULT = ("game_id", "player_id", "rules_key", "preset", "ended_at", "wins", *FIGURES)
_RESULTS = Insert(tables.results, RESULT)


class Result(NamedTuple):
    """A row of `results`."""

    game_id: str
    player_id: str
    rules_key: str
    preset: str | None
    ended_at: int
    wins: int
    figures: Figures

    @classmethod
    def of_row(cls, row: Any) -> Result:
        game_id, player_id, key, preset, ended_at, wins, *figures = row
        return cls(game_id, player_id, key, preset, ended_at, wins, Figures(*figures))

    @property
    def pairs(self) -> list[Pair]:
        """Ladder and player of each sum it belongs to."""
        return [(ladder, self.player_id) for ladder in ladders_of(self.preset, self.rules_key)]


class Read(NamedTuple):
    """What a log says."""

    version: int
    """As far as it was read; `WHATEVER_COMES` where more events change nothing."""
    results: tuple[Result, ...]


class Counting:
    """
    Args:
        decode: bytes of the log -> event. Raises: BrokenHistory.
    """

    def __init__(self, database: Database, decode: Callable[[bytes], Event]) -> None:
        self._database = database
        self._decode = decode
        dialect, most = database.dialect, bindparam("most", type_=BigInteger)
        self._backlog = Query(dialect, select(func.count()).select_from(tables.ended))
        self._waiting = Query(dialect, select(_n.game_id).order_by(_n.game_id).limit(most))
        self._events = Query(
            dialect,
            select(_e.version, _e.data)
            .where(_e.game_id == bindparam("game_id"), _e.version > bindparam("after"))
            .order_by(_e.version)
            .limit(most),
        )

    async def round(self) -> None:
        """Counts what has ended, until nothing is left that is not in other hands."""
        lanes = self._database.reading_lanes
        while waiting := [row[0] for row in await lanes.fetch(self._waiting, most=AT_ONCE)]:
            if not await self.count(waiting):
                return

    async def uncounted(self) -> int:
        """Games that ended and wait to be counted, in all processes together."""
        return int((await self._database.reading_lanes.fetch(self._backlog))[0][0])

    async def again(self, game_ids: Collection[str]) -> None:
        """Counts these games anew, whatever was said of them; returns when it is done."""
        await self._ask(sorted(game_ids))
        left = sorted(game_ids)
        while left := await self._left(left):
            if not await self.count(left[:AT_ONCE]):
                await asyncio.sleep(PAUSE_S)

    async def count(self, game_ids: Collection[str]) -> int:
        """How many of these games, which wait, were counted."""
        return await self._write({game_id: await self._read(game_id) for game_id in game_ids})

    async def _read(self, game_id: str) -> Read:
        """A log that does not replay counts for nothing: it must not hold up the others."""
        sheet, version = ScoreSheet(), 0
        lanes = self._database.reading_lanes
        page: Rows | None = None
        while page is None or len(page) == PAGE:  # a shorter one is the last
            page = await lanes.fetch(self._events, game_id=game_id, after=version, most=PAGE)
            version = page[-1][0] if page else version
            try:
                for _, data in page:
                    sheet.add(self._decode(data))
            except BrokenHistory as fault:
                log.error("not_counted", game=game_id, reason=str(fault))
                sheet.may_count = False
            if not sheet.may_count:
                return Read(WHATEVER_COMES, ())
        game = sheet.counted()
        if game is None:
            return Read(version, ())
        key = rules_key(game.rules)
        return Read(
            version,
            tuple(
                Result(game_id, player, key, game.preset, game.ended_at, int(row.won), row.figures)
                for player, row in sorted(by_player(game).items())
            ),
        )

    @to_the_end
    async def _write(self, games: Mapping[str, Read]) -> int:
        async with self._database.writing() as connection:
            mine = (
                select(_n.game_id, _n.version)
                .where(_n.game_id.in_(games))
                .with_for_update(skip_locked=True)
            )
            taken = {
                game_id: games[game_id]
                for game_id, version in await connection.execute(mine)
                if version <= games[game_id].version
            }
            if not taken:
                return 0
            taken = await _of_people(connection, taken)
            before = await _stored(connection, taken)
            changed = {i for i, rows in before.items() if rows != set(taken[i].results)}
            new = {i for i, read in taken.items() if read.results and i not in before}
            if changed:
                # New ones after these, so that one transaction takes the locks of its sums once.
                taken = {i: read for i, read in taken.items() if i not in new}
                old = [row for i in changed for row in before[i]]
                await _replace(connection, old, [row for i in changed for row in taken[i].results])
            else:
                await _insert(connection, [row for i in new for row in taken[i].results])
            await connection.execute(delete(tables.ended).where(_n.game_id.in_(taken)))
        return len(taken)

    @to_the_end
    async def _ask(self, game_ids: Collection[str]) -> None:
        asked = Insert(tables.ended, ("game_id", "version"), keeps=True)
        async with self._database.writing() as connection:
            await asked(connection, [(game_id, 0) for game_id in game_ids])

    async def _left(self, game_ids: Collection[str]) -> list[str]:
        async with self._database.reading() as connection:
            left = select(_n.game_id).where(_n.game_id.in_(game_ids)).order_by(_n.game_id)
            return list((await connection.execute(left)).scalars())


async def _of_people(connection: AsyncConnection, games: Mapping[str, Read]) -> dict[str, Read]:
    """
    Without the results of bot accounts, and none of a game that fewer than two people played.

    What an account is never changes: a game counted again comes out the same.
    """
    players = {result.player_id for read in games.values() for result in read.results}
    programs = select(_p.id).where(_p.id.in_(players), _p.bot)
    bots = set((await connection.execute(programs)).scalars()) if players else set()
    if not bots:
        return dict(games)
    found = {}
    for game_id, read in games.items():
        people = tuple(result for result in read.results if result.player_id not in bots)
        found[game_id] = read._replace(results=people if len(people) >= LEAST_PEOPLE else ())
    return found


async def _stored(connection: AsyncConnection, game_ids: Collection[str]) -> dict[str, set[Result]]:
    """What was counted of these games before."""
    found: dict[str, set[Result]] = {}
    query = select(*(_r[name] for name in RESULT)).where(_r.game_id.in_(game_ids))
    for row in await connection.execute(query):
        found.setdefault(row[0], set()).add(Result.of_row(row))
    return found


async def _insert(connection: AsyncConnection, results: Iterable[Result]) -> None:
    rows, sums = [], dict[Pair, Sum]()
    for result in results:
        rows.append((*result[:-1], *result.figures))
        one = Sum(1, result.wins, result.figures)
        for pair in result.pairs:
            sums[pair] = sums[pair].plus(one) if pair in sums else one
    await _RESULTS(connection, rows)
    await add(connection, sums)


async def _replace(
    connection: AsyncConnection, old: Collection[Result], new: Collection[Result]
) -> None:
    ids = {result.game_id for result in old}
    await connection.execute(delete(tables.results).where(_r.game_id.in_(ids)))
    await _RESULTS(connection, [(*result[:-1], *result.figures) for result in new])
    await make_anew(connection, {pair for result in (*old, *new) for pair in result.pairs})
