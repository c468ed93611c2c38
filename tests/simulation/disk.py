"""
The database that outlives every process, and one process' way to it.

The way is what fails: answers come late, connections break before the work or after the commit, and
nobody is told which. Two appends at once are judged as the real stores judge them, by the version
of the head: whoever comes second decides again from fresh state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from app.accounts import Caller
from app.errors import Overloaded, StoreUnavailable
from app.faultpoints import passing
from app.matching import is_waiting, match_key
from app.ports import (
    AnotherWaits,
    Answer,
    Clock,
    Gap,
    Head,
    Order,
    Outcome,
    Player,
    Recorded,
    Sitting,
    Snapshot,
    Summary,
)
from app.series.model import Recorded as SeriesResult
from app.series.model import Series
from app.store.batch import Batch, Stored
from app.store.rows import status_of
from engine.units import Millis
from tests.simulation.chance import Chance

ATTEMPTS = 6


@dataclass
class Disk:
    """What is written stays written."""

    heads: dict[str, Head] = field(default_factory=dict)
    updated: dict[str, Millis] = field(default_factory=dict)
    log: dict[str, list[tuple[Recorded, int]]] = field(default_factory=dict)
    """By game: events, each with the last version of its command."""
    seeds: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    answers: dict[tuple[str, str], Stored] = field(default_factory=dict)
    seats: dict[tuple[str, int, str], tuple[bool, bool]] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    """Tables of match-making with a free seat, by their keys."""
    series: dict[str, Series] = field(default_factory=dict)
    series_games: dict[str, list[str]] = field(default_factory=dict)
    """Ids by number."""
    series_results: dict[tuple[str, int], SeriesResult] = field(default_factory=dict)
    presence: dict[str, tuple[Millis, set[tuple[str, int]]]] = field(default_factory=dict)
    clocks: dict[str, Millis] = field(default_factory=dict)
    beat_at: Millis | None = None
    gaps: list[Gap] = field(default_factory=list)
    commits: int = 0
    conflicts: int = 0

    def commit(self, batch: Batch) -> bool:
        """All of it, or nothing where somebody else was first."""
        moves = list(batch.moves())
        # A clock's row is written without a move too, and under the same lock.
        for game_id in (*(move[0] for move in moves), *batch.clock_rows):
            known, before = self.heads.get(game_id), batch.tables[game_id].stored
            if (known and known.version) != (before and before.version):
                self.conflicts += 1
                return False
        for game_id, _, head, _ in moves:
            if self.waiting.get(waits_under(head) or "", game_id) != game_id:
                raise AnotherWaits
        if any((row[0], row[1]) in self.answers for row in batch.answer_rows):
            self.conflicts += 1
            return False
        for game_id, _, head, at in moves:
            self.heads[game_id], self.updated[game_id] = head, at
            self.waiting = {k: other for k, other in self.waiting.items() if other != game_id}
            if key := waits_under(head):
                self.waiting[key] = game_id
        for game_id, version, data, digest, last in batch.event_rows:
            log = self.log.setdefault(game_id, [])
            assert version == len(log) + 1, "a gap in the log"
            log.append((Recorded(version, data, digest), last))
        for game_id, _, seed in batch.seed_rows:
            self.seeds[game_id] = (*self.seeds.get(game_id, ()), seed)
        for author, key, fingerprint, game_id, *answer, _ in batch.answer_rows:
            self.answers[author, key] = Stored(fingerprint, game_id, Answer(*answer))
        self.seats |= batch.seats
        for game_id, row in batch.clock_rows.items():
            self.clocks.pop(game_id, None)
            if row is not None:
                self.clocks[game_id] = row[0]
        self.commits += bool(moves)
        return True


@dataclass(frozen=True)
class Weather:
    """How bad the way to the database is, as odds for each use."""

    lost_before: float
    lost_after: float
    clogged: float


class Way:
    """One process' connection to the disk: every use takes its time, and may fail."""

    def __init__(self, chance: Chance, weather: Weather) -> None:
        self.is_cut = False
        """The process is dead: nothing it still does reaches the disk, or comes back."""
        self._chance = chance
        self._weather = weather

    async def there(self) -> None:
        """Raises: StoreUnavailable, and nothing was done."""
        await self._pass()
        if self._chance.happens(self._weather.lost_before):
            raise StoreUnavailable

    async def back(self) -> None:
        """Raises: StoreUnavailable, although it was done."""
        await self._pass()
        if self._chance.happens(self._weather.lost_after):
            raise StoreUnavailable

    async def _pass(self) -> None:
        long = self._chance.happens(self._weather.clogged)
        await asyncio.sleep(
            self._chance.uniform(0.2, 3.0) if long else self._chance.expovariate(400)
        )
        if self.is_cut:
            await asyncio.get_running_loop().create_future()


class SimulatedStore:
    """`app.ports.EventStore`."""

    def __init__(
        self,
        disk: Disk,
        way: Way,
        clock: Clock,
        shared_clock: Clock,
        due: Callable[[Head], Millis | None],
    ) -> None:
        self.disk = disk
        self._way = way
        self._clock = clock
        self._shared_clock = shared_clock
        self._due = due

    async def append(self, orders: Sequence[Order]) -> list[Outcome]:
        try:
            for _ in range(ATTEMPTS):
                await self._way.there()
                batch = self._read(orders)
                outcomes = [batch.run(order) for order in orders]
                await self._way.there()
                passing("before_commit")
                if self.disk.commit(batch):
                    passing("after_commit")
                    await self._way.back()
                    return outcomes
        except (StoreUnavailable, AnotherWaits) as error:
            return [error for _ in orders]
        return [Overloaded() for _ in orders]

    def _read(self, orders: Sequence[Order]) -> Batch:
        disk, ids = self.disk, {order.game_id for order in orders}
        keys = [(o.author, o.key) for o in orders if o.author and o.key]
        answers = {key: disk.answers[key] for key in keys if key in disk.answers}
        elsewhere = {s.game_id for s in answers.values() if s.game_id} - ids
        return Batch(
            {game_id: disk.heads[game_id] for game_id in ids if game_id in disk.heads},
            {game_id: disk.seeds[game_id] for game_id in ids if game_id in disk.seeds},
            answers,
            {game_id: disk.heads[game_id] for game_id in elsewhere},
            self._clock.now(),
            read_at=self._shared_clock.now(),
            due=self._due,
        )

    async def _looked(self) -> Disk:
        await self._way.there()
        return self.disk

    async def answer_to(self, author: str, key: str, fingerprint: bytes) -> Answer | None:
        stored = (await self._looked()).answers.get((author, key))
        return stored and stored.answer

    async def remember_answer(
        self, author: str, key: str, fingerprint: bytes, answer: Answer
    ) -> Answer:
        disk = await self._looked()
        return disk.answers.setdefault((author, key), Stored(fingerprint, None, answer)).answer

    async def expire_answers(self, before: Millis) -> int:
        await self._looked()
        return 0

    async def head(self, game_id: str) -> Head | None:
        return (await self._looked()).heads.get(game_id)

    async def events(self, game_id: str, after: int, limit: int) -> list[Recorded]:
        log = (await self._looked()).log.get(game_id, [])
        return [record for record, _ in log[after : after + limit]]

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        log = (await self._looked()).log.get(game_id, [])
        until = log[min(after + limit, len(log)) - 1][1] if after < len(log) else after
        return [
            tuple(record for record, _ in rows)
            for _, rows in groupby(log[after:until], key=lambda row: row[1])
        ]

    async def snapshot(self, game_id: str, version: int) -> Snapshot | None:
        """None is kept here: everything is folded from the log."""
        return None

    async def versions(self, game_ids: Collection[str]) -> dict[str, int]:
        heads = (await self._looked()).heads
        return {game_id: heads[game_id].version for game_id in game_ids if game_id in heads}

    async def sittings(self, player_ids: Collection[str]) -> list[Sitting]:
        disk = await self._looked()
        return [
            Sitting(player, game_id, disk.heads[game_id].version)
            for (game_id, _, player), (_, running) in disk.seats.items()
            if running and player in player_ids
        ]

    async def lobby(self, limit: int) -> dict[str, int]:
        found = await self.public_games(status="lobby", preset=None, before=None, limit=limit)
        return {row.head.game.setup.game_id: row.head.version for row in found}

    async def summaries(self, game_ids: Collection[str]) -> dict[str, Summary]:
        disk = await self._looked()
        known = [game_id for game_id in game_ids if game_id in disk.heads]
        return {game_id: Summary(disk.heads[game_id], disk.updated[game_id]) for game_id in known}

    async def seeds(self, game_id: str) -> tuple[bytes, ...]:
        return (await self._looked()).seeds.get(game_id, ())

    async def public_games(
        self,
        *,
        status: str | None,
        preset: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        disk = await self._looked()
        return self._page(disk.heads, status, before, limit, lambda h: _is_listed(h, preset))

    async def games_of(
        self,
        player_id: str,
        *,
        status: str | None,
        to_move: bool | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        disk = await self._looked()
        mine = {game_id for game_id, _, player in disk.seats if player == player_id}
        return self._page(mine, status, before, limit, lambda _: True)

    def _page(
        self,
        game_ids: Iterable[str],
        status: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
        is_meant: Callable[[Head], bool],
    ) -> list[Summary]:
        rows = [
            ((head.created_at, game_id), Summary(head, self.disk.updated[game_id]))
            for game_id in game_ids
            if is_meant(head := self.disk.heads[game_id]) and status in (None, status_of(head.game))
        ]
        rows.sort(key=lambda row: row[0], reverse=True)
        return [row for place, row in rows if before is None or place < before][:limit]

    async def waiting_table(self, match_key: str) -> str | None:
        return (await self._looked()).waiting.get(match_key)

    async def ever_sat(self, game_id: str, player_id: str) -> bool:
        seats = (await self._looked()).seats
        return any((game, player) == (game_id, player_id) for game, _, player in seats)

    async def game_by_code(self, join_code: str) -> str | None:
        heads = (await self._looked()).heads
        return next((game_id for game_id, h in heads.items() if h.join_code == join_code), None)

    async def forget_names(self, player_id: str, name: str) -> None:
        await self._looked()


def waits_under(head: Head) -> str | None:
    """The key under which match-making finds the table."""
    return match_key(head.game.setup) if is_waiting(head.game) else None


def _is_listed(head: Head, preset: str | None) -> bool:
    setup = head.game.setup
    return (
        setup.visibility == "public"
        and setup.dice.kind == "fair"
        and preset in (None, setup.preset)
    )


class SimulatedPresence:
    """`app.ports.PresenceStore`."""

    FORGOTTEN_MS = 10_000

    def __init__(self, disk: Disk, way: Way, clock: Clock, process: str) -> None:
        self._disk = disk
        self._way = way
        self._clock = clock
        self._process = process

    async def show(self, came: Iterable[tuple[str, int]], went: Iterable[tuple[str, int]]) -> bool:
        await self._way.there()
        known = self._process in self._disk.presence
        _, seats = self._disk.presence.get(self._process, (0, set()))
        self._disk.presence[self._process] = (self._clock.now(), (seats | set(came)) - set(went))
        return known

    async def withdraw(self) -> None:
        await self._way.there()
        self._disk.presence.pop(self._process, None)

    async def sweep(self) -> None:
        await self._way.there()
        for process, (seen_at, _) in list(self._disk.presence.items()):
            if seen_at < self._clock.now() - self.FORGOTTEN_MS:
                del self._disk.presence[process]

    async def elsewhere(self, game_ids: Collection[str]) -> set[tuple[str, int]]:
        await self._way.there()
        alive = self._clock.now() - self.FORGOTTEN_MS
        return {
            held
            for process, (seen_at, seats) in self._disk.presence.items()
            if process != self._process and seen_at >= alive
            for held in seats
            if held[0] in game_ids
        }


class SimulatedClockRows:
    """`app.clocks.rows.ClockRows`."""

    def __init__(self, disk: Disk, way: Way, shared_clock: Clock) -> None:
        self._disk = disk
        self._way = way
        self._shared_clock = shared_clock

    async def due(self, most: int) -> list[str]:
        await self._way.there()
        now = self._shared_clock.now()
        found = sorted((at, game_id) for game_id, at in self._disk.clocks.items() if at <= now)
        return [game_id for _, game_id in found[:most]]

    async def postpone(self, game_id: str, by_ms: Millis) -> None:
        await self._way.there()
        self._disk.clocks[game_id] = self._shared_clock.now() + by_ms

    async def games(self, after: str, most: int) -> list[str]:
        await self._way.there()
        return sorted(game_id for game_id in self._disk.clocks if game_id > after)[:most]

    async def beat(self, gap_ms: Millis) -> list[Gap]:
        await self._way.there()
        now, disk = self._shared_clock.now(), self._disk
        if disk.beat_at is not None and now - disk.beat_at > gap_ms:
            disk.gaps.append(Gap(len(disk.gaps) + 1, disk.beat_at, now, False))
        disk.beat_at = now
        return list(disk.gaps)

    async def credited(self, number: int) -> None:
        await self._way.there()
        self._disk.gaps[number - 1] = self._disk.gaps[number - 1]._replace(credited=True)


class NobodysTokens:
    """`app.ports.Accounts`, as far as streams ask: every token lives."""

    async def create(self, player: Player, token_hash: bytes) -> None: ...

    async def by_token(self, token_hash: bytes) -> Caller | None:
        return None

    async def rotate(self, player_id: str, token_hash: bytes, now: Millis) -> None: ...

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        return set(token_hashes)

    async def get(self, player_id: str) -> Player | None:
        return None

    async def rename(self, player_id: str, name: str) -> None: ...

    async def unseat(self, player_id: str, now: Millis) -> None: ...

    async def forget(self, player_id: str) -> None: ...
