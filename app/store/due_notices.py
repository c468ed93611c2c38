"""
Notices of turns inside of the append: a turn that came, for a player who may be asleep.

A game has one notice at most: that of the turn that waits for its first command. It goes with that
command, and with whatever else ends the turn, in the same transaction. Nothing here touches the
database; whether the player wants to be told, the statement that writes it looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.ports import Head
from app.store import tables
from app.store.bulk import Delete, InsertWanted, Write
from engine.state import Game, Playing, ToRoll
from engine.units import Millis

Rows = list[tuple[Any, ...]]

NOTICE = ("game_id", "version", "seat", "player_id", "at")
_GONE = Delete(tables.notices, key="game_id")
_DUE = InsertWanted(tables.notices, NOTICE, wanted=tables.on_call, asker="player_id")


@dataclass(slots=True)
class DueNotices:
    """What a batch writes of them."""

    gone: set[str] = field(default_factory=set)
    """Games whose notice is moot."""
    due: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """By game, in the order of `NOTICE`."""

    def move(self, before: Game | None, head: Head, author: str | None, at: Millis) -> None:
        """
        A game has moved.

        Args:
            author: who moved it; nobody is told what it knows.
        """
        was, now = _waits(before), _waits(head.game)
        if was == now:
            return
        game_id = head.game.setup.game_id
        if was is not None:
            self.gone.add(game_id)
            self.due.pop(game_id, None)
        if now is not None and isinstance(head.game, Playing):
            place, state = head.game.setup.places[now.seat], head.game.seats[now.seat]
            sleeper = place.player_id
            # Where a bot stands in for the player, the turn does not wait for it.
            if sleeper not in (None, author) and state.stand_in is None:
                self.due[game_id] = (game_id, head.version, now.seat, sleeper, at)

    def writes(self) -> tuple[tuple[Write, Rows], ...]:
        return (
            (_GONE, [(game_id,) for game_id in sorted(self.gone)]),
            (_DUE, [row for _, row in sorted(self.due.items())]),
        )


def _waits(game: Game | None) -> ToRoll | None:
    """The turn that nobody has done anything in."""
    if isinstance(game, Playing) and isinstance(game.turn, ToRoll):
        return game.turn
    return None
