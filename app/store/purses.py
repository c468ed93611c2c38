"""
Purses inside of the append: what games spend from them, and what wins put in.

A purse is the fold of its journal, a numbered list of entries per player; the row in `purses` is
that fold, kept. Nothing here touches the database. The journal's key and the guard on the row's
number of entries are the judges: a transaction that knew another purse than the one that is there
is run again from fresh state. So a purse is never below zero, and no Wild Roll is spent twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from app.ports import Head
from app.statistics import LEAST_PEOPLE
from app.store import tables
from app.store.bulk import GuardedUpdate, Insert, Write
from engine.errors import NoWildRolls
from engine.rules import Rules
from engine.state import Finished, Game, Playing, Unstarted
from engine.units import Millis, Seat
from engine.worlds import worlds_reached

Kind = Literal["credited", "spent", "world", "voided"]
Rows = list[tuple[Any, ...]]

STATE = ("balance", "worlds", "entries")
_OPENED = Insert(tables.purses, ("player_id", *STATE))
_CHANGED = GuardedUpdate(tables.purses, STATE, key="player_id", guard="entries")
JOURNAL = ("player_id", "entry", "kind", "delta", "balance", "reference", "name", "at")
_JOURNAL = Insert(tables.purse_journal, JOURNAL)


class Purse(NamedTuple):
    balance: int = 0
    worlds: tuple[tuple[str, str], ...] = ()
    """(world, game that reached it), in the order of the worlds' names."""
    entries: int = 0


class Entry(NamedTuple):
    """A change of a purse; its number and the balance follow from the purse it is put into."""

    player_id: str
    kind: Kind
    delta: int
    reference: str
    """Unique among its kind. Of a game: its id, then what tells the entry apart."""
    name: str | None = None
    """Of the pack, or of the world."""


def worlds_text(worlds: Iterable[tuple[str, str]]) -> str:
    return json.dumps(dict(worlds), separators=(",", ":"))


def purse_of(balance: int, worlds: str, entries: int) -> Purse:
    return Purse(balance, tuple(sorted(json.loads(worlds).items())), entries)


def put(purse: Purse, entry: Entry) -> Purse:
    """The purse after an entry."""
    worlds = dict(purse.worlds)
    if entry.name is not None and entry.kind == "world":
        worlds[entry.name] = entry.reference.partition("/")[0]
    elif entry.name is not None and entry.kind == "voided":
        worlds.pop(entry.name, None)
    return Purse(purse.balance + entry.delta, tuple(sorted(worlds.items())), purse.entries + 1)


def journal_row(entry: Entry, after: Purse, at: Millis) -> tuple[Any, ...]:
    """In the order of `JOURNAL`."""
    return (
        *(entry.player_id, after.entries, entry.kind, entry.delta, after.balance),
        *(entry.reference, entry.name, at),
    )


def has_purses(rules: Rules) -> bool:
    """Whether a game by these rules may change a purse."""
    wild = rules.wild_rolls
    return wild is not None and (wild.purse or wild.world is not None)


def owners(game: Game) -> set[str]:
    """Whose purses a game may change."""
    if not has_purses(game.setup.rules):
        return set()
    return {place.player_id for place in game.setup.places if place.player_id}


def may_spend(game: Game) -> bool:
    """Whether the next command may spend from a purse, by what the game knows of it."""
    if not isinstance(game, Playing):
        return False
    seat = game.seats[game.turn.seat]
    return seat.purse > 0 and not seat.wild_rolls


@dataclass(slots=True)
class Purses:
    """
    The purses that a batch may change, and the rows it writes of them.

    Args:
        stored: as they were read, empty ones included.
    """

    stored: Mapping[str, Purse] = field(default_factory=dict)
    now: dict[str, Purse] = field(default_factory=dict)
    journal: Rows = field(default_factory=list)

    def known(self, head: Head) -> Head:
        """The head with what the purses of its seats hold."""
        wild = head.game.setup.rules.wild_rolls
        if not self.stored or wild is None or not wild.purse:
            return head
        places = head.game.setup.places
        held = tuple(self._held(place.player_id) for place in places)
        return head._replace(purses=held)

    def _held(self, player_id: str | None) -> int | None:
        if player_id is None or player_id not in self.stored:
            return None
        return self.of(player_id).balance

    def of(self, player_id: str) -> Purse:
        """The purse as the batch has left it."""
        return self.now.get(player_id) or self.stored.get(player_id) or Purse()

    def due(self, before: Game | None, head: Head) -> tuple[Entry, ...]:
        """
        What a move of a game puts into purses, or takes out of them.

        Raises: NoWildRolls, rather than to let one fall below zero.
        """
        game = head.game
        if not has_purses(game.setup.rules) or isinstance(game, Unstarted):
            return ()
        entries = self._spent(before, game, head.version)
        if isinstance(game, Finished):
            if game.result.reason == "voided":
                if not isinstance(before, Finished) or before.result.reason != "voided":
                    entries += self._voided(game, entries)
            elif not isinstance(before, Finished):
                entries += self._awarded(game, head.people)
        return tuple(entries)

    def _spent(self, before: Game | None, game: Playing | Finished, version: int) -> list[Entry]:
        spent: Counter[str] = Counter()
        first: dict[str, Seat] = {}
        game_id, places = game.setup.game_id, game.setup.places
        known = None if before is None or isinstance(before, Unstarted) else before.seats
        for seat, state in enumerate(game.seats):
            count = state.from_purse - (known[seat].from_purse if known else 0)
            player = places[seat].player_id
            if count and player is not None:
                spent[player] += count
                first.setdefault(player, seat)
        for player, count in spent.items():
            if self.of(player).balance < count:
                raise NoWildRolls()
        return [
            Entry(player, "spent", -count, f"{game_id}/{version}/{first[player]}")
            for player, count in spent.items()
        ]

    def _awarded(self, game: Finished, people: set[str]) -> list[Entry]:
        """A world is for people, and reached where two or more of them played."""
        if len(people) < LEAST_PEOPLE:
            return []
        game_id = game.setup.game_id
        return [
            Entry(won.player_id, "world", 1, f"{game_id}/{won.seat}", won.world)
            for won in worlds_reached(game)
            if won.player_id in people and won.world not in dict(self.of(won.player_id).worlds)
        ]

    def _voided(self, game: Finished, spent: Iterable[Entry]) -> list[Entry]:
        """What was spent here comes back, and what was reached here goes, as far as it is there."""
        game_id, back = game.setup.game_id, Counter[str]()
        first: dict[str, Seat] = {}
        for seat, (place, state) in enumerate(zip(game.setup.places, game.seats, strict=True)):
            if place.player_id is not None:
                back[place.player_id] += state.from_purse
                first.setdefault(place.player_id, seat)
        taken: Counter[str] = Counter()
        for entry in spent:
            taken[entry.player_id] += entry.delta
        found = []
        for player, count in back.items():
            purse = self.of(player)
            lost = next((world for world, where in purse.worlds if where == game_id), None)
            delta = max(count - (lost is not None), -purse.balance - taken[player])
            if delta or lost is not None:
                reference = f"{game_id}/{first[player]}"
                found.append(Entry(player, "voided", delta, reference, lost))
        return found

    def take(self, entries: Iterable[Entry], at: Millis) -> None:
        """Make them count."""
        for entry in entries:
            after = self.now[entry.player_id] = put(self.of(entry.player_id), entry)
            self.journal.append(journal_row(entry, after, at))

    def writes(self) -> tuple[tuple[Write, Rows], ...]:
        opened: Rows = []
        changed: Rows = []
        for player_id, after in sorted(self.now.items()):
            before = self.stored.get(player_id) or Purse()
            values = (after.balance, worlds_text(after.worlds), after.entries)
            if before.entries:
                changed.append((*values, player_id, before.entries))
            else:
                opened.append((player_id, *values))
        return (_OPENED, opened), (_CHANGED, changed), (_JOURNAL, self.journal)
