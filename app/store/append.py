"""
The append transaction: one for a batch of orders, the same on SQLite and Postgres.

    lock the games' rows → stored answers to the keys → seeds → each order in turn
    → lock and count tables with bots, where some are added, and each order again
    → lock the players who sit down → write → commit

The locks make racers wait; they are not what keeps the log straight. That is the primary key of
`events` and the guard on the head's version: a transaction that breaks either is run again from
fresh state, whole, a bounded number of times. Nothing is announced or answered before the commit.

So a running game whose head this process has kept needs no lock, and mostly one statement:

    stored answers to the keys, if any → each order in turn → write, all or nothing

Whatever does not come to be that way takes the way above: refusals, which may come from a head that
is behind, and all orders of a write that met another version.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Select, select, true

from app.errors import Overloaded, Unauthenticated
from app.faultpoints import passing
from app.ports import Answer, Clock, Done, Head, Order, Outcome, SittersGone, Tell
from app.store import rows, tables
from app.store.alone import each_alone, told
from app.store.batch import Batch, BotRoom, Stored, never
from app.store.bot_tables import BotTables
from app.store.bulk import Dialect, listed, one_of, paired, pairs
from app.store.database import Database, to_the_end
from app.store.due_notices import DueNotices
from app.store.faults import Fault, LostRace, StaleLane, as_app_error, fault_of
from app.store.kept import DueOnce, KeptHeads
from app.store.lanes import Asked, Lane, Query, Rows
from app.store.purses import STATE, Purse, Purses, may_spend, owners, purse_of
from app.store.times import now_of
from app.store.writing import writes_of
from engine.errors import BrokenHistory
from engine.state import Finished
from engine.units import Millis

PAUSES_S = (0.0, 0.005, 0.02, 0.05, 0.1)
"""Before each further attempt; whoever lost five races in a row is told to come back."""

SEEDS_KEPT = 4_096
"""Games whose seeds stay in memory: one statement less for each of their commands."""


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
        self._due = DueOnce(due)
        self._shared_clock = shared_clock
        self.some_ended = asyncio.Event()
        """Set when a game ends here: `app.store.counting` need not wait for its next look."""
        self.kept = KeptHeads(clock)
        self._drawn: dict[str, tuple[bytes, ...]] = {}
        dialect = database.dialect
        # In the order of the ids, so that two batches never wait for each other in a circle.
        ids = one_of(dialect, tables.games.c.id, "ids")
        in_order = tables.games.c.id
        locked = rows.locked_heads(now_of(dialect)).where(ids).order_by(in_order)
        self._locked = Query(dialect, locked)
        self._unlocked = Query(dialect, rows.heads().where(ids).order_by(in_order))
        seeds = tables.seeds.c
        self._seeds = Query(
            dialect,
            select(seeds.game_id, seeds.seed)
            .where(one_of(dialect, seeds.game_id, "ids"))
            .order_by(seeds.game_id, seeds.epoch),
        )
        archived = tables.archived.c.game_id
        self._archived = Query(dialect, select(archived).where(one_of(dialect, archived, "ids")))
        players = tables.players.c
        gone = players.forgotten_at.is_not(None) | players.banned_at.is_not(None)
        sitters = select(players.id, gone).where(one_of(dialect, players.id, "ids"))
        self._sitters = Query(dialect, sitters.order_by(players.id).with_for_update(read=True))
        self._answers = Query(dialect, _answers_asked(dialect))
        self._time = Query(dialect, select(now_of(dialect)))
        held = tables.purses.c
        purses = (
            select(held.player_id, *(held[name] for name in STATE))
            .where(one_of(dialect, held.player_id, "ids"))
            .order_by(held.player_id)
        )
        self._purses = Query(dialect, purses)
        self._locked_purses = Query(dialect, purses.with_for_update())

    async def append(self, orders: Sequence[Order], tell: Tell | None = None) -> list[Outcome]:
        """As `app.ports.EventStore` says."""
        if not orders:
            return []
        found = await self._from_memory(orders, tell)
        left = [order for order, outcome in zip(orders, found, strict=True) if outcome is None]
        if not left:
            return [outcome for outcome in found if outcome is not None]
        rest = iter(await self._under_lock(left, tell))
        return [next(rest) if outcome is None else outcome for outcome in found]

    async def _under_lock(self, orders: Sequence[Order], tell: Tell | None) -> list[Outcome]:
        failed: Exception = LostRace()
        for pause in PAUSES_S:
            try:
                outcomes = await self._attempt(orders)
            except Exception as error:
                failed = error
            else:
                return told(orders, outcomes, tell)
            if fault_of(failed) is not Fault.CONFLICT:
                break
            await asyncio.sleep(pause)
        return await self._after(failed, orders, tell)

    async def _after(
        self, failed: Exception, orders: Sequence[Order], tell: Tell | None
    ) -> list[Outcome]:
        """Outcomes of orders whose transaction has failed."""
        if len(orders) == 1 or _strikes_all(failed):
            return told(orders, [as_app_error(failed) for _ in orders], tell)
        return await each_alone(orders, self._under_lock, tell)

    async def _from_memory(
        self, orders: Sequence[Order], tell: Tell | None
    ) -> Sequence[Outcome | None]:
        """None for each order that needs its game read under lock."""
        undecided: list[Outcome | None] = [None] * len(orders)
        heads = self.kept.of(orders)
        if not heads:
            return undecided
        asked = [order for order in orders if order.game_id in heads]
        try:
            found = await self._attempt_from(heads, asked)
        except Exception as error:
            self.kept.forget(heads)
            if fault_of(error) is Fault.CONFLICT:
                return undecided
            found = list[Outcome | None](await self._after(error, asked, tell))
        else:
            told(asked, found, tell)
        outcomes = iter(found)
        return [next(outcomes) if order.game_id in heads else None for order in orders]

    @to_the_end
    async def _attempt_from(
        self, heads: dict[str, Head], orders: Sequence[Order]
    ) -> list[Outcome | None]:
        """Raises: what a statement fails with; then nothing is written, or nobody can tell."""
        async with self._database.writing_lanes.lane() as lane:
            batch = await self._read_beside(lane, heads, orders)
            outcomes = [batch.run(order) for order in orders]
            if not batch.plays_on():
                return [None] * len(orders)
            passing("before_commit")
            await lane.commit_alone(writes_of(batch))
            passing("after_commit")
        self._committed(batch)
        return [
            outcome if isinstance(outcome, Done) and (outcome.events or outcome.repeated) else None
            for outcome in outcomes
        ]

    async def _read_beside(
        self, lane: Lane, heads: dict[str, Head], orders: Sequence[Order]
    ) -> Batch:
        """A batch of games whose heads are at hand: stored answers, and the time if need be."""
        dialect = self._database.dialect
        keys = sorted({(o.author, o.key) for o in orders if o.author and o.key})
        clocked = any(head.game.setup.clocks is not None for head in heads.values())
        asked: list[Asked] = []
        if keys:
            asked.append((self._answers, self._answers.bind(**paired(dialect, "asked", keys))))
        read_at = 0 if self._shared_clock is None else self._shared_clock.now()
        if clocked and self._shared_clock is None:
            asked.append((self._time, self._time.bind()))
        found = await lane.ask(asked) if asked else []
        if clocked and self._shared_clock is None:
            read_at = found.pop()[0][0]
        answers = _stored(found[0] if found else ())
        seeds = await self._seeds_of(lane, heads)
        batch = Batch(dict(heads), seeds, answers, {}, self._clock.now(), read_at=read_at)
        batch.due = self._due
        batch.notices = DueNotices() if self._notices else None
        return batch

    @to_the_end
    async def _attempt(self, orders: Sequence[Order]) -> list[Outcome]:
        async with self._database.writing_lanes.lane() as lane:
            batch, outcomes = await self._run(lane, orders)
            await self._check_sitters(lane, orders, batch)
            passing("before_commit")
            await lane.commit(writes_of(batch))
            passing("after_commit")
        self._committed(batch, orders)
        return outcomes

    def _committed(self, batch: Batch, read: Sequence[Order] = ()) -> None:
        """
        Args:
            read: orders whose games were read under lock for them.
        """
        moved = [head for _, _, head, _ in batch.moves()]
        if any(isinstance(head.game, Finished) and head.game.setup.counts for head in moved):
            self.some_ended.set()
        self.kept.keep(moved, read=bool(read))
        self._remember_seeds(batch)
        # What fell due by itself is no sign that anybody plays: a server that was away tells every
        # game of it, and would keep them all.
        unasked = {order.game_id for order in read if order.by_clock}
        self.kept.forget(unasked)
        for game_id in unasked:
            self._drawn.pop(game_id, None)

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
        answers = _stored(found[0] if found else ())
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
        archived = await self._archived_of(lane, heads)
        now = self._clock.now()

        def fresh() -> Batch:
            return Batch(
                *(heads, seeds, dict(answers), others, now),
                *(Purses(purses), read_at, self._due),
                DueNotices() if self._notices else None,
                archived=archived,
            )

        return fresh

    async def _archived_of(
        self, lane: Lane, heads: Mapping[str, Head | BrokenHistory]
    ) -> frozenset[str]:
        """Of games that are over; whoever archives one locks its row too."""
        over = [
            game_id
            for game_id, head in heads.items()
            if isinstance(head, Head) and isinstance(head.game, Finished)
        ]
        if not over:
            return frozenset()
        bound = self._archived.bind(**listed(self._database.dialect, "ids", over))
        return frozenset(row[0] for row in await lane.fetch(self._archived, bound))

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

        Raises: Unauthenticated, when an author is already; SittersGone, when somebody else is, whom
        a rematch or a series would seat.
        """
        if not (sitters := batch.sitters()):
            return
        bound = self._sitters.bind(**listed(self._database.dialect, "ids", sitters))
        gone = {row[0] for row in await lane.fetch(self._sitters, bound) if row[1]}
        if gone:
            if gone & {order.author for order in orders}:
                raise Unauthenticated()
            raise SittersGone(frozenset(gone))

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
        for asked, table in batch.tables.items():
            self._drawn.pop(asked, None)
            if table.head is not None:
                own = table.head.game.setup.game_id  # one text for all that is kept of it
                self._drawn[own] = table.seeds
        while len(self._drawn) > SEEDS_KEPT:
            del self._drawn[next(iter(self._drawn))]


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


def _stored(found: Rows) -> dict[tuple[str, str], Stored]:
    """By (player, key)."""
    return {(row[0], row[1]): Stored(row[2], row[3], Answer(*row[4:])) for row in found}


def _strikes_all(error: Exception) -> bool:
    """Whether one order alone would fare no better."""
    return fault_of(error) is Fault.UNAVAILABLE or isinstance(error, Overloaded)
