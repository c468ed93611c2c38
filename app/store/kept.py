"""
Heads of running games that this process has led to, kept for their next command: for as long as
they may be used, which is ten seconds, and no more than so many. A game that nobody moves costs
nothing.

A kept head may be behind: another process may have moved the game. What is decided from it is
written only if the log says the same, and is not told to anybody otherwise: a refusal, too, is
decided again from the row under lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from app.ports import Clock, Head, Order
from app.store.purses import owners
from engine.state import Playing
from engine.units import Millis

MOST = 4_096
"""Games; two KiB each."""
MOST_DUE = 1_024
"""Games of which it is known when something falls due; else it is worked out, which takes 4 µs."""
READ_AGAIN_MS = 10_000
"""A name that is forgotten moves no version: no head is older than this, whatever the log says."""


class _Kept(NamedTuple):
    head: Head
    read_at: Millis
    """When its row was last read."""


class DueOnce:
    """When something falls due: what a command leads to is what the next one begins from."""

    def __init__(self, due: Callable[[Head], Millis | None], most: int = MOST_DUE) -> None:
        self._due = due
        self._most = most
        self._known: dict[str, tuple[Head, Millis | None]] = {}
        """Of running games, by their id: the head that was looked at last."""

    def __call__(self, head: Head) -> Millis | None:
        """None: never."""
        game_id = head.game.setup.game_id
        known = self._known.get(game_id)
        if known is not None and known[0] is head:
            return known[1]
        at = self._due(head)
        if isinstance(head.game, Playing):
            if known is None and len(self._known) >= self._most:
                del self._known[next(iter(self._known))]
            self._known[game_id] = head, at
        else:
            self._known.pop(game_id, None)
        return at


class KeptHeads:
    def __init__(self, clock: Clock, most: int = MOST) -> None:
        self._heads: dict[str, _Kept] = {}
        self._clock = clock
        self._most = most

    def __len__(self) -> int:
        return len(self._heads)

    def of(self, orders: Sequence[Order]) -> dict[str, Head]:
        """
        Of the games whose orders here can all be decided from memory.

        An order of the clock's sets a row that says when to look again, which goes by the row's own
        time; who opens a game finds it not there.
        """
        aside = {order.game_id for order in orders if order.opens or order.by_clock}
        oldest = self._clock.now() - READ_AGAIN_MS
        found: dict[str, Head] = {}
        for order in orders:
            kept = self._heads.get(order.game_id)
            if kept is not None and order.game_id not in aside and kept.read_at > oldest:
                found[order.game_id] = kept.head
        return found

    def keep(self, heads: Iterable[Head], *, read: bool) -> None:
        """
        After the commit; the one used longest ago goes first.

        Args:
            read: they follow from rows that were read just now, not from kept ones.
        """
        now = self._clock.now()
        for head in heads:
            game = head.game
            game_id = game.setup.game_id
            before = self._heads.pop(game_id, None)
            read_at = now if read or before is None else before.read_at
            # A purse that may be spent elsewhere has to be locked.
            if isinstance(game, Playing) and not owners(game):
                self._heads[game_id] = _Kept(head, read_at)
        self._let_go(now - READ_AGAIN_MS)

    def _let_go(self, oldest: Millis) -> None:
        """What is too much, and what nobody has used for so long that it would be read again."""
        while self._heads:
            first = next(iter(self._heads))
            if len(self._heads) <= self._most and self._heads[first].read_at > oldest:
                return
            del self._heads[first]

    def forget(self, game_ids: Iterable[str] | None = None) -> None:
        """These games; all where none are named."""
        for game_id in list(self._heads) if game_ids is None else game_ids:
            self._heads.pop(game_id, None)

    def moved(self, game_id: str, version: int) -> None:
        """A game has that version by now, somebody says; it may be a rumour."""
        kept = self._heads.get(game_id)
        if kept is not None and kept.head.version < version:
            del self._heads[game_id]
