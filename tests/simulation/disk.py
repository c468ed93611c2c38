"""
The database that outlives every process, and one process' way to it.

The way is what fails: answers come late, connections break before the work or after the commit, and
nobody is told which. Two appends at once are judged as the real stores judge them, by the version
of the head: whoever comes second decides again from fresh state.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.bot_tables import bots_of
from app.errors import StoreUnavailable
from app.matching import is_waiting, match_key
from app.ports import AnotherWaits, Answer, Gap, Head, Recorded
from app.series.model import Recorded as SeriesResult
from app.series.model import Series
from app.store.batch import Batch, Stored
from app.store.purses import Purse
from engine.state import Finished
from engine.units import Millis
from tests.simulation.chance import Chance

Entry = tuple[Any, ...]
"""Of a purse's journal: `app.store.purses.JOURNAL`."""


class Meeting(NamedTuple):
    """A table of match-making, as one commit left it."""

    game_id: str
    wish: object
    """All that was agreed on."""
    waits: bool
    seated: tuple[str, ...]


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
    purses: dict[str, Purse] = field(default_factory=dict)
    journal: list[Entry] = field(default_factory=list)
    bot_tables: int = 1_000_000
    """As many tables with bots a player may have."""
    meetings: list[Meeting] = field(default_factory=list)
    """In the order of the commits."""
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
        if any(number > self.bot_room(player) for player, number in batch.adding.items()):
            self.conflicts += 1
            return False
        if not self._pay(batch):
            self.conflicts += 1
            return False
        for game_id, _, head, at in moves:
            self.heads[game_id], self.updated[game_id] = head, at
            self.waiting = {k: other for k, other in self.waiting.items() if other != game_id}
            if key := waits_under(head):
                self.waiting[key] = game_id
            self._meet(head)
            self._void(head)
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

    def _void(self, head: Head) -> None:
        """A game of a series that is void is so there, whatever was recorded."""
        game = head.game
        if isinstance(game, Finished) and game.result.reason == "voided":
            for series_id, ids in self.series_games.items():
                if game.setup.game_id in ids:
                    number = ids.index(game.setup.game_id)
                    self.series_results[series_id, number] = SeriesResult.of(game)

    def _pay(self, batch: Batch) -> bool:
        """Nothing, where a purse is not as it was read."""
        purses = batch.purses
        for player in purses.now:
            if self.purses.get(player, Purse()).entries != purses.stored[player].entries:
                return False
        self.purses |= purses.now
        self.journal += purses.journal
        return True

    def bot_room(self, player: str) -> int:
        """How many more tables with bots the player may have."""
        games = [head.game for head in self.heads.values()]
        has = sum(bots_of(g) == player for g in games if not isinstance(g, Finished))
        mine = [s for s in self.series.values() if s.owner == player]
        has += sum(s.bot_tables for s in mine if s.status in ("open", "running"))
        return self.bot_tables - has

    def _meet(self, head: Head) -> None:
        setup, game = head.game.setup, head.game
        if setup.host is None and not any(
            setup.game_id in ids for ids in self.series_games.values()
        ):
            wish = (setup.rules, len(setup.places), setup.clocks, setup.bots, setup.advice)
            seated = tuple(place.player_id for place in setup.places if place.player_id)
            self.meetings.append(Meeting(setup.game_id, wish, is_waiting(game), seated))


def waits_under(head: Head) -> str | None:
    """The key under which match-making finds the table."""
    return match_key(head.game.setup) if is_waiting(head.game) else None


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
