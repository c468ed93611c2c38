"""
What players are told of their own games: where they sit, whose turn it is, what ended.

Each look compares the games a player sits at with those it was told of. Whatever came and went in
between is passed over, with one exception: a turn of the player is told although another one of
the same seat was told before, for whoever waits for its turn waits for this.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.clock import rfc3339
from app.live.connections import Connection
from app.live.frames import Frame
from app.live.source import Source
from app.live.watch import Watch, Watcher
from app.ports import Head, Summary
from app.service.members import seats_of
from engine.state import Finished, Game, Lobby, Playing, Sealing, ToRoll
from engine.units import Millis, Seat

_STATUS: dict[type[Game], str] = {
    Lobby: "lobby",
    Sealing: "sealing",
    Playing: "playing",
    Finished: "finished",
}


class Turn(NamedTuple):
    """What tells a player's turn from the ones before."""

    seat: Seat
    began_at: Millis
    rolls: int | None
    """How many the game had seen when the turn began; None once the turn itself has rolled."""


class Seen(NamedTuple):
    """A game as one of its players is told of it."""

    version: int
    status: str
    to_move: Seat | None
    seats: tuple[Seat, ...]
    """The player's own, those it resigned included."""
    turn: Turn | None
    """Where it is the player's."""


def seen(head: Head, player_id: str) -> Seen:
    game = head.game
    seats = seats_of(game.setup, player_id)
    if not isinstance(game, Playing):
        return Seen(head.version, _STATUS[type(game)], None, seats, None)
    seat = game.turn.seat
    turn = None
    if seat in seats:
        rolls = game.rolls if isinstance(game.turn, ToRoll) else None
        turn = Turn(seat, game.turn.began_at, rolls)
    return Seen(head.version, "playing", seat, seats, turn)


def is_new_turn(told: Turn | None, now: Turn | None) -> bool:
    """
    Whether the player has yet to be told of this turn.

    Times alone do not tell turns apart: two may begin in the same millisecond, or by the clocks of
    two servers. A turn that waits for its first roll has seen more rolls than any before it.
    """
    if now is None or told is None:
        return now is not None
    return now != told if now.rolls is not None else now[:2] != told[:2]


def kinds(told: Seen | None, now: Seen) -> tuple[str, ...]:
    """What the player is told, in this order; every message carries the newest state."""
    is_over = now.status == "finished"
    if told is None and (is_over or not now.seats):
        return ()
    if not now.seats:
        return ("unseated",)
    if is_over:
        return ("ended",)
    found = [
        kind
        for kind, holds in (
            ("seated", told is None),
            ("started", now.status == "playing" and (told is None or told.status != "playing")),
            ("your_turn", is_new_turn(told and told.turn, now.turn)),
        )
        if holds
    ]
    return tuple(found) or ("moved",)


class _Player:
    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.games: dict[str, Seen] = {}
        """As of the last look: what its watchers were told."""


class PlayersWatch(Watch):
    """The games of all players that watch them from here: one query for all."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._players: dict[str, _Player] = {}
        self._versions: dict[str, int] = {}

    def enter(self, connection: Connection, player_id: str) -> Watcher:
        """A new watcher: told the list by the next look. Call `leave` in the end."""
        watcher = Watcher(connection, self.looks)
        self._players.setdefault(player_id, _Player()).watchers.add(watcher)
        return watcher

    def leave(self, watcher: Watcher, player_id: str) -> None:
        """It has gone. Twice is fine."""
        player = self._players.get(player_id)
        if player is not None:
            player.watchers.discard(watcher)
            if not player.watchers:
                del self._players[player_id]

    def watchers(self) -> list[Watcher]:
        return [watcher for player in self._players.values() for watcher in player.watchers]

    def known(self, game_id: str) -> int | None:
        return self._versions.get(game_id)

    async def look(self) -> None:
        players = dict(self._players)
        if not players:
            self._versions = {}
            return
        store, look = self.source.store, self.looks
        sits: dict[str, dict[str, int]] = {player_id: {} for player_id in players}
        async with self.source.live:
            for player_id, game_id, version in await store.sittings(players):
                sits[player_id][game_id] = version
        asked = {g for p, games in sits.items() for g in _changed(players[p].games, games)}
        found: dict[str, Summary] = {}
        if asked:
            async with self.source.live:
                found = await store.summaries(asked)
        for number, (player_id, player) in enumerate(players.items(), 1):
            if self._players.get(player_id) is player:
                self._tell(player_id, player, sits[player_id], found, look)
            if number % 50 == 0:
                await asyncio.sleep(0)
        self._versions = {
            game_id: game.version
            for player in self._players.values()
            for game_id, game in player.games.items()
        }

    def _tell(
        self,
        player_id: str,
        player: _Player,
        sits: Mapping[str, int],
        found: Mapping[str, Summary],
        look: int,
    ) -> None:
        stamp, games, news = rfc3339(self.source.now()), player.games, list[Frame]()
        for game_id in sorted(games.keys() | sits.keys()):
            if game_id not in found:
                if game_id not in sits:  # and nobody can read it
                    del games[game_id]
                continue
            told, now = games.get(game_id), seen(found[game_id].head, player_id)
            if told is not None and now.version <= told.version:
                continue
            if now.seats and now.status != "finished":
                games[game_id] = now
            else:
                games.pop(game_id, None)
            said = _said(game_id, now)
            news += [_frame({"type": kind, **said, "now": stamp}) for kind in kinds(told, now)]
        lists: list[Frame] = []

        def whole() -> Frame:
            if not lists:
                items = [_said(game_id, game) for game_id, game in sorted(games.items())]
                lists.append(_frame({"type": "games", "games": items, "now": stamp}))
            return lists[0]

        for watcher in player.watchers:
            watcher.tell(news, whole, look)


def _changed(told: Mapping[str, Seen], sits: Mapping[str, int]) -> set[str]:
    """Games that are not as they were told: new ones, newer ones, gone ones."""
    gone = told.keys() - sits.keys()
    return gone | {g for g, version in sits.items() if g not in told or told[g].version < version}


def _said(game_id: str, game: Seen) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "version": game.version,
        "status": game.status,
        "to_move": game.to_move,
        "seats": game.seats,
    }


def _frame(message: dict[str, Any]) -> Frame:
    return Frame(message["type"], json.dumps(message, separators=(",", ":")).encode())
