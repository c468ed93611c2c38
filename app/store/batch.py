"""
Orders at work inside one transaction: what was read, how each order moves it, what to write.

Nothing here touches the database. An order that fails leaves the batch as it found it; later orders
of the batch see what earlier ones did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.bot_tables import bots_of
from app.errors import GameArchived, GameNotFound, KeyReused, TooManyBotTables, VersionConflict
from app.ports import Answer, Decision, Done, GameExists, Head, Order, Outcome, Recorded
from app.store import rows
from app.store.chain import ORIGIN, link
from app.store.codec import encode
from app.store.due_notices import DueNotices
from app.store.purses import Entry, Purses
from engine.errors import BrokenHistory
from engine.state import Finished, Game, Playing, Unstarted
from engine.units import Millis

LOOK_AGAIN_MS = 1_000
"""Before a game is looked at again whose clock led to nothing."""


def never(head: Head) -> Millis | None:
    """When something falls due where nothing ever does."""
    return None


class Stored(NamedTuple):
    """An answer as it stands beside its key."""

    fingerprint: bytes
    game_id: str | None
    answer: Answer


class _Staged(NamedTuple):
    """What one order leads to, before it counts."""

    game_id: str
    before: Head | None
    head: Head
    records: tuple[Recorded, ...]
    answer: Answer
    seeds: tuple[bytes, ...] = ()
    updated_at: Millis = 0
    also: _Staged | None = None
    entries: tuple[Entry, ...] = ()
    """Of purses."""
    sets_clock: bool = False
    due_at: Millis | None = None
    adds_for: str | None = None
    """Whose table with bots this has become by the player's own order."""


class BotRoom(NamedTuple):
    """How many tables with bots players may still add."""

    limit: int
    left: Mapping[str, int]
    """By player; of whom it is not known is only noted, see `Batch.adding`."""


@dataclass(slots=True)
class Table:
    """A game as the batch moves it."""

    stored: Head | None
    head: Head | None
    seeds: tuple[bytes, ...] = ()
    updated_at: Millis = 0


@dataclass(slots=True)
class Batch:
    """
    The games of a batch and the rows that its orders write.

    Args:
        heads: of the games there are, by id, read under lock.
        seeds: of these games.
        answers: to the keys of the batch, by (author, key), read under the same lock.
        elsewhere: heads of games that only a stored answer leads to.
        now: when answers are stored.
        purses: of those who sit at games that play with them.
        read_at: when the heads were read, by the clock that all processes share.
        due: when something falls due at a game; None: never.
        notices: of turns that have come; None where nobody polls for them.
        bot_room: None: no bounds.
    """

    heads: dict[str, Head | BrokenHistory]
    seeds: dict[str, tuple[bytes, ...]]
    answers: dict[tuple[str, str], Stored]
    elsewhere: dict[str, Head | BrokenHistory]
    now: Millis
    purses: Purses = field(default_factory=Purses)
    read_at: Millis = 0
    due: Callable[[Head], Millis | None] = field(default=never)
    notices: DueNotices | None = None
    bot_room: BotRoom | None = None
    archived: frozenset[str] = frozenset()
    """Games whose log is not here: nothing may be added to it."""
    adding: Counter[str] = field(default_factory=Counter)
    """Tables with bots that players add by these orders."""
    tables: dict[str, Table] = field(default_factory=dict)
    event_rows: list[tuple[Any, ...]] = field(default_factory=list)
    seed_rows: list[tuple[Any, ...]] = field(default_factory=list)
    answer_rows: list[tuple[Any, ...]] = field(default_factory=list)
    seats: dict[tuple[str, int, str], tuple[bool, bool]] = field(default_factory=dict)
    """By game, seat and player: whether they hold it, and in a game that is not over."""
    clock_rows: dict[str, tuple[Millis, str | None] | None] = field(default_factory=dict)
    """When to look at a game again, and whose bots sit there; None: no row any more."""

    def run(self, order: Order) -> Outcome:
        """One order; whatever it raises is its own outcome."""
        try:
            return self._run(order)
        except Exception as error:
            return error

    def _run(self, order: Order) -> Done:
        key = None if order.author is None or order.key is None else (order.author, order.key)
        # The key before the version: a retry that names the new version must not act twice.
        if key is not None and (stored := self.answers.get(key)) is not None:
            return self._again(order, stored)
        staged = self._stage(order)
        self._take(staged)
        if self.notices is not None and staged.records:
            before = None if staged.before is None else staged.before.game
            self.notices.move(before, staged.head, order.author, staged.updated_at)
        if key is not None:
            self.answers[key] = Stored(order.fingerprint, order.game_id, staged.answer)
            self.answer_rows.append(
                (*key, order.fingerprint, order.game_id, *staged.answer, self.now)
            )
        return Done(staged.answer, staged.head, staged.records, repeated=False)

    def _again(self, order: Order, stored: Stored) -> Done:
        game_id = stored.game_id
        if stored.fingerprint != order.fingerprint or game_id is None:
            raise KeyReused()
        head = self._table(game_id).head or _whole(self.elsewhere.get(game_id))
        if head is None:
            raise GameNotFound()
        return Done(stored.answer, head, (), repeated=True)

    def _stage(self, order: Order) -> _Staged:
        table = self._table(order.game_id)
        before = table.head
        if order.opens:
            if before is not None:
                raise GameExists
        elif before is None:
            raise GameNotFound()
        elif order.expected_version not in (None, before.version):
            raise VersionConflict(current_version=before.version)
        known = None if before is None else self.purses.known(before)
        if known is not None and known.read_at != self.read_at:
            known = known._replace(read_at=self.read_at)
        decision = order.decide(known, table.seeds)
        if not decision.events:
            # Nothing happened, so nothing may move: not the version, not the head.
            if before is None:
                raise ValueError("an order that opens a game must lead to an event")
            answer = decision.answer(before, ())
            still = _Staged(order.game_id, before, before, (), answer)
            return self._clocked(still, order, decision) if order.by_clock else still
        if order.game_id in self.archived:
            raise GameArchived()
        version, digest = (0, ORIGIN) if before is None else (before.version, before.hash)
        records: list[Recorded] = []
        for event in decision.events:
            version += 1
            data = encode(event)
            digest = link(order.game_id, version, digest, data)
            records.append(Recorded(version, data, digest))
        game = decision.game
        if game.setup.game_id != order.game_id:
            raise ValueError(f"an order for {order.game_id} decided {game.setup.game_id}")
        names, join_code, created_at = (
            ((None,) * len(game.setup.places), decision.join_code, decision.events[0].at)
            if before is None
            else (before.names, before.join_code, before.created_at)
        )
        head = Head(
            game,
            version,
            digest,
            names if decision.names is None else decision.names,
            join_code if isinstance(game, Unstarted) else None,
            created_at,
            decision.events[-1].at,
        )
        adds_for = self._adds_for(order, before, head)
        answer = decision.answer(head, records)
        also = None if decision.also is None else self._stage(decision.also)
        if also is not None and also.game_id == order.game_id:
            raise ValueError("a second order is for a second game")
        staged = _Staged(
            order.game_id,
            before,
            head,
            tuple(records),
            answer,
            decision.seeds,
            decision.events[-1].at,
            also,
            self.purses.due(None if before is None else before.game, head),
            adds_for=adds_for,
        )
        return self._clocked(staged, order, decision)

    def _adds_for(self, order: Order, before: Head | None, head: Head) -> str | None:
        """
        Who gets another table with bots by an order of its own. What comes to one by what others
        do, or by a clock, is not refused.

        Raises: TooManyBotTables.
        """
        room, player = self.bot_room, order.author
        if room is None or player is None or bots_of(head.game) != player:
            return None
        if before is not None and bots_of(before.game) == player:
            return None
        if self.adding[player] >= room.left.get(player, self.adding[player] + 1):
            raise TooManyBotTables(limit=room.limit)
        return player

    def _clocked(self, staged: _Staged, order: Order, decision: Decision) -> _Staged:
        """
        With its clock row, where that must be written.

        The row must not say too late. What it said was no later than what fell due before, unless
        that was past already and is being held off.
        """
        # First of the head before: where it is the one looked at last, that is remembered.
        before = None if staged.before is None else self.due(staged.before)
        due_at = self.due(staged.head)
        if order.by_clock:
            if decision.look_again_at is not None:
                due_at = decision.look_again_at
            elif due_at is not None and not staged.records:
                due_at = max(due_at, self.read_at + LOOK_AGAIN_MS)
            return staged._replace(sets_clock=True, due_at=due_at)
        if due_at is None and before is None:
            return staged  # it had no row
        if (
            staged.before is not None
            and before is not None
            and due_at is not None
            and staged.updated_at < before <= due_at
            and _same_bots(staged.before, staged.head)
        ):
            return staged
        return staged._replace(sets_clock=True, due_at=due_at)

    def _take(self, staged: _Staged) -> None:
        """Make it count."""
        if staged.sets_clock:
            at = staged.due_at
            self.clock_rows[staged.game_id] = (
                None if at is None else (at, bots_of(staged.head.game))
            )
        if staged.adds_for is not None:
            self.adding[staged.adds_for] += 1
        if staged.records:
            game_id, before, head = staged.game_id, staged.before, staged.head
            table = self._table(game_id)
            table.head = head
            table.updated_at = staged.updated_at
            last = head.version
            self.event_rows += [(game_id, *record, last) for record in staged.records]
            first = len(table.seeds)
            self.seed_rows += [(game_id, e, s) for e, s in enumerate(staged.seeds, first)]
            table.seeds += staged.seeds
            self.purses.take(staged.entries, staged.updated_at)
            self._seat(game_id, None if before is None else before.game, head.game)
        if staged.also is not None:
            self._take(staged.also)

    def _seat(self, game_id: str, before: Game | None, game: Game) -> None:
        is_over = isinstance(game, Finished)
        if before is None or before.setup is not game.setup or is_over:
            held = rows.holders(None if before is None else before.setup)
            holds = rows.holders(game.setup)
            came = holds if is_over and not isinstance(before, Finished) else holds - held
            self.seats |= {(game_id, *pair): (False, False) for pair in held - holds}
            self.seats |= {(game_id, *pair): (True, not is_over) for pair in came}

    def sitters(self) -> list[str]:
        """Players who sit down."""
        taken = {player for (_, _, player), standing in self.seats.items() if all(standing)}
        return sorted(taken)

    def plays_on(self) -> bool:
        """Whether nothing but play has happened: nobody sits down, no table is laid or renamed."""
        if self.sitters():
            return False
        return all(
            before is not None and rows.same_settled(before, head)
            for _, before, head, _ in self.moves()
        )

    def _table(self, game_id: str) -> Table:
        table = self.tables.get(game_id)
        if table is None:
            head = _whole(self.heads.get(game_id))
            table = Table(head, head, self.seeds.get(game_id, ()))
            self.tables[game_id] = table
        return table

    def moves(self) -> Iterable[tuple[str, Head | None, Head, Millis]]:
        """Of each game that is not as it was read: id, head before and now, time of the change."""
        for game_id, table in self.tables.items():
            if table.head is not None and table.head is not table.stored:
                yield game_id, table.stored, table.head, table.updated_at


def _same_bots(before: Head, head: Head) -> bool:
    """Whether a game counts as the same player's table with bots."""
    if before.game.setup is head.game.setup and isinstance(before.game, Playing):
        return isinstance(head.game, Playing) or bots_of(before.game) == bots_of(head.game)
    return bots_of(before.game) == bots_of(head.game)


def _whole(head: Head | BrokenHistory | None) -> Head | None:
    if isinstance(head, BrokenHistory):
        raise head
    return head
