"""
The game service: who may, which command; orders go to the store, which runs the deciders.

    Opening   tables opened: created, rematches
    Matches   tables for strangers: waiting for others who want the same
    Tables    the lobby: settings, seats, joining, leaving, starting
    SeriesService   many games between the same sides
    Contributions   what seats contribute to the dice
    Play      the commands of a game that runs
    Repair    what an operator may do to any game
    Reads     games, lists, events, states, logs
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.errors import GameNotFound
from app.features import Features
from app.ids import new_id
from app.limits import JoinCodeGuard
from app.ports import (
    Announcer,
    Answer,
    Clock,
    Decision,
    EventStore,
    Gap,
    Head,
    Order,
    RandomBytes,
)
from app.rulebook import Rulebook
from app.series.store import SeriesStore
from app.service.advising import Advising, Knows, in_a_thread
from app.service.contributions import Contributions
from app.service.deciding import Seeds, decided
from app.service.desk import Desk
from app.service.matches import Matches
from app.service.members import is_member
from app.service.opening import Opening
from app.service.play import Play, resignations
from app.service.reads import Before, Decode, Reads
from app.service.repair import Repair
from app.service.series import Caps, SeriesService
from app.service.tables import Tables
from engine.commands import Command, Leave
from engine.state import Lobby
from engine.units import Millis

__all__ = ["GameService"]

PAGE = 100


class GameService:
    """Everything a route may ask of games."""

    def __init__(
        self,
        store: EventStore,
        announcer: Announcer,
        clock: Clock,
        random_bytes: RandomBytes,
        rulebook: Rulebook,
        features: Features,
        guard: JoinCodeGuard,
        decode: Decode,
        series: SeriesStore,
        series_caps: Caps,
        new_id: Callable[[], str] = new_id,
        gaps: Callable[[], Sequence[Gap]] = tuple,
        reveal_ms: Millis = 5_000,
        knows: Knows = in_a_thread,
    ) -> None:
        self.desk = self._desk = Desk(
            store, announcer, clock, random_bytes, new_id, gaps, reveal_ms
        )
        self.rulebook = rulebook
        self.opening = Opening(self._desk, rulebook, features)
        self.tables = Tables(self._desk, self.opening, guard)
        self.matches = Matches(self._desk, self.opening, features)
        self.series = SeriesService(self._desk, series, self.opening, guard, series_caps)
        self.contributions = Contributions(self._desk)
        self.play = Play(self._desk)
        self.advising = Advising(self._desk, knows)
        self.repair = Repair(self._desk)
        self.reads = Reads(self._desk, decode)
        self.now = self._desk.now
        self.stop = self._desk.stop

    async def drain(self) -> None:
        """For a stop: no more waiting for news; returns when running orders are through."""
        self.stop()
        await self.series.close()
        await self._desk.drain()

    async def forget(self, player_id: str) -> None:
        """Cancels the player's series, resigns its games, leaves its lobbies. May be repeated."""
        await self.series.forget(player_id)
        # The lobby twice: a sealing that fails may lead back there.
        for status in ("lobby", "sealing", "lobby", "playing"):
            before: Before = None
            while page := await self.reads.games_of(player_id, status, None, before, PAGE):
                for row in page:
                    await self._depart(row.head.game.setup.game_id, player_id)
                last = page[-1].head
                before = (last.created_at, last.game.setup.game_id)

    async def forget_names(self, player_id: str, name: str) -> None:
        """Replaces the player's name everywhere. May be repeated."""
        await self._desk.store.forget_names(player_id, name)
        await self.series.forget_names(player_id, name)

    async def _depart(self, game_id: str, player_id: str) -> None:
        at = self._desk.now()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            if head is None:
                raise GameNotFound
            setup = head.game.setup
            commands: list[Command] = list(resignations(head, player_id, at))
            if isinstance(head.game, Lobby) and is_member(setup, player_id):
                commands = [Leave(at, player_id)]
            return decided(head, seeds, commands, lambda *_: Answer(200, b""))

        await self._desk.run(Order(game_id, decide))
