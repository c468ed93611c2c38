"""
The append transaction: one for a batch of orders, the same on SQLite and Postgres.

    lock the games' rows → stored answers to the keys → seeds → each order in turn
    → lock and count tables with bots, where some are added, and each order again
    → lock the players who sit down → write → commit

The locks make racers wait; they are not what keeps the log straight. That is the primary key of
`events` and the guard on the head's version: a transaction that breaks either is run again from
fresh state, whole, a bounded number of times. Nothing is announced or answered before the commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Select, select, true

from app.errors import Overloaded, Unauthenticated
from app.faultpoints import passing
from app.ports import Answer, Clock, Head, Order, Outcome
from app.store import rows, tables
from app.store.batch import Batch, BotRoom, Stored, never
from app.store.bot_tables import BotTables
from app.store.bulk import Delete, Dialect, GuardedUpdate, Insert, listed, one_of, paired, pairs
from app.store.database import Database, to_the_end
from app.store.due_notices import DueNotices
from app.store.faults import Fault, LostRace, StaleLane, as_app_error, fault_of
from app.store.lanes import Asked, Lane, Query, Writes
from app.store.purses import STATE, Purse, Purses, may_spend, owners, purse_of
from app.store.times import now_of
from engine.errors import BrokenHistory
from engine.state import Finished
from engine.units import Millis

PAUSES_S = (0.0, 0.005, 0.02, 0.05, 0.1)
"""Before each further attempt; whoever lost five races in a row is told to come back."""

SEEDS_KEPT = 4_096
"""Games whose seeds stay in memory: one statement less for each of their commands."""

_EVENTS = Insert(tables.events, ("game_id", "version", "data", "hash", "command"))
_SNAPSHOTS = Insert(tables.snapshots, rows.SNAPSHOT, replaces=("hash", "setup", "play"))
_SEEDS = Insert(tables.seeds, ("game_id", "epoch", "seed"))
ANSWER_COLUMNS = (
    *("player_id", "key", "fingerprint", "game_id"),
    *("status", "body", "version", "location", "created_at"),
)
_ANSWERS = Insert(tables.answers, ANSWER_COLUMNS)
_STANDING = ("holds", "running")
_SEATS = Insert(tables.seats, ("game_id", "seat", "player_id", *_STANDING), replaces=_STANDING)
_CLOCK = ("due_at", "bots_of")
_CLOCKS = Insert(tables.clocks, ("game_id", *_CLOCK), replaces=_CLOCK)
_NO_CLOCKS = Delete(tables.clocks, key="game_id")
_ENDED = Insert(tables.ended, ("game_id", "version"), replaces=("version",))
_OPENED = Insert(tables.games, (*rows.OPENED, *rows.PLAYED, *rows.SETTLED))
_PLAYED = GuardedUpdate(tables.games, rows.PLAYED, key="id", guard="version")
_CHANGED = GuardedUpdate(tables.games, (*rows.PLAYED, *rows.SETTLED), key="id", guard="version")


class Appender:
    """
    Runs orders and writes what they lead to.

    Args:
        clock: of this process; when answers are stored.
        due: when something falls due at a game.
        shared_clock: instead of the database's, which all processes share.
        notices: whether somebody polls for notices of turns.
        bot_tables: how many tables with bots a player may have at a time; None: any number.
    """

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
        self._notices = notices
        self._bot_tables = None if bot_tables is None else BotTables(database.dialect, bot_tables)
        self._database = database
        self._clock = clock
        self._due = due
        self._shared_clock = shared_clock
        self.some_ended = asyncio.Event()
        """Set when a game ends here: `app.store.counting` need not wait for its next look."""
        self._drawn: dict[str, tuple[bytes, ...]] = {}
        dialect = database.dialect
        # In the order of the ids, so that two batches never wait for each other in a circle.
        ids = one_of(dialect, tables.games.c.id, "ids")
        in_order = rows.heads().where(ids).order_by(tables.games.c.id)
        self._locked = Query(dialect, in_order.add_columns(now_of(dialect)).with_for_update())
        self._unlocked = Query(dialect, in_order)
        seeds = tables.seeds.c
        self._seeds = Query(
            dialect,
            select(seeds.game_id, seeds.seed)
            .where(one_of(dialect, seeds.game_id, "ids"))
            .order_by(seeds.game_id, seeds.epoch),
        )
        players = tables.players.c
        gone = players.forgotten_at.is_not(None) | players.banned_at.is_not(None)
        sitters = select(players.id, gone).where(one_of(dialect, players.id, "ids"))
        self._sitters = Query(dialect, sitters.order_by(players.id).with_for_update(read=True))
        self._answers = Query(dialect, _answers_asked(dialect))
        held = tables.purses.c
        purses = (
            select(held.player_id, *(held[name] for name in STATE))
            .where(one_of(dialect, held.player_id, "ids"))
            .order_by(held.player_id)
        )
        self._purses = Query(dialect, purses)
        self._locked_purses = Query(dialect, purses.with_for_update())

    async def append(self, orders: Sequence[Order]) -> list[Outcome]:
        """Runs the orders; outcome i belongs to order i. A game may occur more than once."""
        if not orders:
            return []
        failed: Exception = LostRace()
        for pause in PAUSES_S:
            try:
                return await self._attempt(orders)
            except Exception as error:
                failed = error
            if fault_of(failed) is not Fault.CONFLICT:
                break
            await asyncio.sleep(pause)
        if len(orders) == 1 or _strikes_all(failed):
            return [as_app_error(failed) for _ in orders]
        # Some order spoils the transaction for its neighbours: each gets one of its own.
        return [outcome for order in orders for outcome in await self.append([order])]

    @to_the_end
    async def _attempt(self, orders: Sequence[Order]) -> list[Outcome]:
        async with self._database.writing_lanes.lane() as lane:
            batch, outcomes = await self._run(lane, orders)
            await self._check_sitters(lane, orders, batch)
            passing("before_commit")
            await lane.commit(_writes(batch))
            passing("after_commit")
        if any(isinstance(head.game, Finished) for _, _, head, _ in batch.moves()):
            self.some_ended.set()
        self._remember_seeds(batch)
        return outcomes

    async def _run(self, lane: Lane, orders: Sequence[Order]) -> tuple[Batch, list[Outcome]]:
        """Who adds a table with bots is known once the orders have run: then they run again."""
        fresh, left = await self._read(lane, orders), dict[str, int]()
        while True:
            batch = fresh()
            if self._bot_tables is not None:
                batch.bot_room = BotRoom(self._bot_tables.limit, left)
            outcomes = [batch.run(order) for order in orders]
            unknown = batch.adding.keys() - left.keys()
            if self._bot_tables is None or not unknown:
                return batch, outcomes
            left |= await self._bot_tables.left(lane, unknown)

    async def _read(self, lane: Lane, orders: Sequence[Order]) -> Callable[[], Batch]:
        dialect = self._database.dialect
        ids = sorted({order.game_id for order in orders})
        asked: list[Asked] = [(self._locked, self._locked.bind(**listed(dialect, "ids", ids)))]
        keys = sorted({(o.author, o.key) for o in orders if o.author and o.key})
        if keys:
            asked.append((self._answers, self._answers.bind(**paired(dialect, "asked", keys))))
        was_fresh = lane.is_fresh
        try:
            locked, *found = await lane.begin(asked)
        except Exception as error:
            if was_fresh or fault_of(error) is not Fault.UNAVAILABLE:
                raise
            raise StaleLane() from error
        heads = {row[0]: rows.head_or_fault(row) for row in locked}
        answers: dict[tuple[str, str], Stored] = {}
        for row in found[0] if found else ():
            answers[row[0], row[1]] = Stored(row[2], row[3], Answer(*row[4:]))
        seeds = await self._seeds_of(lane, heads)
        others: dict[str, Head | BrokenHistory] = {}
        elsewhere = sorted({s.game_id for s in answers.values() if s.game_id} - heads.keys())
        if elsewhere:
            bound = self._unlocked.bind(**listed(dialect, "ids", elsewhere))
            others = {
                row[0]: rows.head_or_fault(row) for row in await lane.fetch(self._unlocked, bound)
            }
        read_at = max((row[-1] for row in locked), default=0)
        if self._shared_clock is not None:
            read_at = self._shared_clock.now()
        purses = await self._purses_of(lane, heads)
        now = self._clock.now()

        def fresh() -> Batch:
            return Batch(
                *(heads, seeds, dict(answers), others, now),
                *(Purses(purses), read_at, self._due),
                DueNotices() if self._notices else None,
            )

        return fresh

    async def _purses_of(
        self, lane: Lane, heads: Mapping[str, Head | BrokenHistory]
    ) -> dict[str, Purse]:
        """
        Of who sits at games that play with purses.

        Locked after the games, where one may be spent: whoever spends elsewhere waits. Otherwise a
        purse that is changed meanwhile is noticed when it is written.
        """
        games = [head.game for head in heads.values() if isinstance(head, Head)]
        ids = sorted(set[str]().union(*map(owners, games)))
        if not ids:
            return {}
        query = self._locked_purses if any(map(may_spend, games)) else self._purses
        found = await lane.fetch(query, query.bind(**listed(self._database.dialect, "ids", ids)))
        stored = dict.fromkeys(ids, Purse())
        stored.update({row[0]: purse_of(*row[1:]) for row in found})
        return stored

    async def _check_sitters(self, lane: Lane, orders: Sequence[Order], batch: Batch) -> None:
        """
        Locks the players who sit down, against being forgotten or banned meanwhile.

        Raises: Unauthenticated, when an author is already; LostRace, when somebody else is, whom a
        rematch would seat.
        """
        if not (sitters := batch.sitters()):
            return
        bound = self._sitters.bind(**listed(self._database.dialect, "ids", sitters))
        gone = {row[0] for row in await lane.fetch(self._sitters, bound) if row[1]}
        if gone:
            raise Unauthenticated() if gone & {o.author for o in orders} else LostRace()

    async def _seeds_of(
        self, lane: Lane, heads: Mapping[str, Head | BrokenHistory]
    ) -> dict[str, tuple[bytes, ...]]:
        """From memory, where as many are known as the game has commitments."""
        known: dict[str, tuple[bytes, ...]] = {}
        unknown: list[str] = []
        for game_id, head in heads.items():
            drawn = self._drawn.get(game_id, ())
            if isinstance(head, Head) and len(drawn) == len(head.game.setup.server_commits):
                known[game_id] = drawn
            else:
                unknown.append(game_id)
        if unknown:
            bound = self._seeds.bind(**listed(self._database.dialect, "ids", unknown))
            found = await lane.fetch(self._seeds, bound)
            for game_id, group in groupby(found, key=lambda row: str(row[0])):
                known[game_id] = tuple(row[1] for row in group)
        return known

    def _remember_seeds(self, batch: Batch) -> None:
        """Seeds never change, and more come with more commitments: only after the commit."""
        for game_id, table in batch.tables.items():
            self._drawn.pop(game_id, None)
            self._drawn[game_id] = table.seeds
        while len(self._drawn) > SEEDS_KEPT:
            del self._drawn[next(iter(self._drawn))]


def _writes(batch: Batch) -> Writes:
    opened: list[tuple[Any, ...]] = []
    played: list[tuple[Any, ...]] = []
    changed: list[tuple[Any, ...]] = []
    clocks = batch.clock_rows
    ended: list[tuple[Any, ...]] = []
    snapshots: list[tuple[Any, ...]] = []
    for game_id, before, head, updated_at in batch.moves():
        values = rows.played_values(head, updated_at)
        if isinstance(head.game, Finished):
            ended.append((game_id, head.version))
        past = 0 if before is None else before.version // rows.SNAPSHOT_EVERY
        if head.version // rows.SNAPSHOT_EVERY > past:
            snapshots.append(rows.snapshot_values(game_id, *head[:3]))
        if before is None:
            opened.append((game_id, head.created_at, *values, *rows.settled_values(head)))
        elif rows.settled(before) == rows.settled(head):
            played.append((*values, game_id, before.version))
        else:
            changed.append((*values, *rows.settled_values(head), game_id, before.version))
    return (
        (_OPENED, opened),
        (_PLAYED, played),
        (_CHANGED, changed),
        (_EVENTS, batch.event_rows),
        (_SNAPSHOTS, snapshots),
        (_SEEDS, batch.seed_rows),
        # In the order of their keys, so that no two batches wait for each other in a circle.
        (_ANSWERS, sorted(batch.answer_rows)),
        (_SEATS, [(*key, *standing) for key, standing in sorted(batch.seats.items())]),
        (_CLOCKS, [(game, *row) for game, row in sorted(clocks.items()) if row is not None]),
        (_NO_CLOCKS, sorted((game,) for game, row in clocks.items() if row is None)),
        *batch.purses.writes(),
        *(() if batch.notices is None else batch.notices.writes()),
        (_ENDED, ended),
    )


def _answers_asked(dialect: Dialect) -> Select[Any]:
    """Stored answers to a list of (player, key)."""
    asked, answers = pairs(dialect, "asked"), tables.answers.c
    found = select(
        *(answers.player_id, answers.key, answers.fingerprint, answers.game_id),
        *(answers.status, answers.body, answers.version, answers.location),
    )
    same = (answers.player_id == asked.first) & (answers.key == asked.second)
    if dialect != "postgresql":
        return found.select_from(asked.table.join(tables.answers, same))
    # Postgres takes a list for a hundred keys and reads the whole table beside it. One key at a
    # time, it goes by the index.
    one = found.where(same).limit(1).lateral("one")
    return select(*one.c).select_from(asked.table.join(one, true()))


def _strikes_all(error: Exception) -> bool:
    """Whether one order alone would fare no better."""
    return fault_of(error) is Fault.UNAVAILABLE or isinstance(error, Overloaded)
