"""
A series as it is kept, and what may be done to it. Nothing here touches the world.

    open ──> running ──> finished
      │          └─────> stopping ──> cancelled
      └────────────────────┘
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from app.errors import (
    AlreadyTakesPart,
    CodeNotFound,
    NotOwner,
    NotTakingPart,
    SeriesFull,
    SeriesOver,
)
from app.ports import BotName, Player
from app.series.plan import Pairing, games_in_all, plan, seed_of
from engine.state import Character, Finished, Place, SeededDice, Setup

SeriesStatus = Literal["open", "running", "finished", "stopping", "cancelled"]
"""`stopping`: cancelled, and games of it may run that have to be ended."""

UNCOUNTED = frozenset({"ended_early", "voided"})
"""Reasons of results that say nothing of who plays better."""


class Participant(NamedTuple):
    """A side of a series: a character of the server's, or a place for a player."""

    character: Character | None = None
    player_id: str | None = None
    name: str | None = None
    """As it was when the player took the place."""
    bot: bool = False
    """The player is a bot account."""

    @property
    def is_free(self) -> bool:
        return self.character is None and self.player_id is None


class Series(NamedTuple):
    id: str
    owner: str
    """The player id of who made it."""
    status: SeriesStatus
    join_code: str | None
    """None once nobody can join any more."""
    setup: Setup
    """The table of every game, nobody seated; its dice hold the seed of the whole series."""
    participants: tuple[Participant, ...]
    games: int
    """Of each group of participants that meets."""
    at_once: int
    """How many games run at a time."""
    created_at: int

    @property
    def seats(self) -> int:
        return len(self.setup.places)

    @property
    def planned(self) -> int:
        """Games in all."""
        return games_in_all(len(self.participants), self.seats, self.games)

    @property
    def bot_tables(self) -> int:
        """As how many tables with bots it counts for its owner, until it is over."""
        has_bots = any(side.character for side in self.participants)
        return min(self.at_once, self.planned) if has_bots else 0

    def plan(self) -> list[Pairing]:
        return list(plan(len(self.participants), self.seats, self.games))

    def is_member(self, player_id: str | None) -> bool:
        return player_id == self.owner or self.place_of(player_id) is not None

    def place_of(self, player_id: str | None) -> int | None:
        """Which participant this player is."""
        if player_id is None:
            return None
        held = [n for n, p in enumerate(self.participants) if p.player_id == player_id]
        return held[0] if held else None

    def table(self, game_id: str, pairing: Pairing) -> Setup:
        """The table of a game, everybody seated."""
        sides = [self.participants[number] for number in pairing.participants]
        places = [
            Place("bot", side.character) if side.character else Place("human", None, side.player_id)
            for side in sides
        ]
        dice = self.setup.dice
        if isinstance(dice, SeededDice):
            dice = SeededDice(seed_of(dice.seed, pairing.round))
        return self.setup._replace(game_id=game_id, places=tuple(places), dice=dice)

    def names(self, pairing: Pairing) -> tuple[str | None, ...]:
        """By seat."""
        sides = [self.participants[number] for number in pairing.participants]
        return tuple(
            BotName(side.name) if side.bot and side.name is not None else side.name
            for side in sides
        )


class Recorded(NamedTuple):
    """How a game of a series ended."""

    reason: str
    winners: tuple[int, ...]
    """Seats."""
    scores: tuple[int, ...]
    """By seat."""

    @classmethod
    def of(cls, game: Finished) -> Recorded:
        scores = tuple(seat.score for seat in game.seats)
        return cls(game.result.reason, game.result.winners, scores)

    @property
    def counts(self) -> bool:
        return self.reason not in UNCOUNTED


class SeriesGame(NamedTuple):
    """A game of a series as far as it has come."""

    number: int
    game_id: str
    is_open: bool
    """The game is there: it runs or is over."""
    is_over: bool
    result: Recorded | None
    """As it has been recorded, a moment after the end."""


Change = Callable[[Series], Series]


def begun(series: Series) -> Series:
    """It runs as soon as nobody is missing."""
    if series.status != "open" or any(p.is_free for p in series.participants):
        return series
    return series._replace(status="running", join_code=None)


def joined(series: Series, player: Player, *, has_code: bool) -> Series:
    """
    The player takes the first free place.

    Args:
        has_code: the player has said the join code.

    Raises: CodeNotFound, AlreadyTakesPart, SeriesFull.
    """
    if series.place_of(player.id) is not None:
        raise AlreadyTakesPart
    if series.status != "open":
        raise SeriesFull
    if not has_code:
        raise CodeNotFound
    free = next(n for n, p in enumerate(series.participants) if p.is_free)
    return begun(_with(series, free, Participant(None, player.id, player.name, player.bot)))


def left(series: Series, player_id: str) -> Series:
    """
    The player takes part no longer: a place is free again, or what runs already is cancelled.

    Raises: NotTakingPart, SeriesOver.
    """
    place = series.place_of(player_id)
    if place is None:
        raise NotTakingPart
    if series.status == "open":
        return _with(series, place, Participant())
    return ended(series)


def cancelled(series: Series, player_id: str) -> Series:
    """
    No further games; those that run are ended. Twice is fine.

    Raises: NotOwner, SeriesOver.
    """
    if series.owner != player_id:
        raise NotOwner
    return ended(series)


def finished(series: Series) -> Series:
    return series._replace(status="finished") if series.status == "running" else series


def gone(series: Series, player_id: str) -> Series:
    """A player was forgotten or banned: what is not over is cancelled."""
    if series.status == "finished" or not series.is_member(player_id):
        return series
    return ended(series)


def renamed(series: Series, player_id: str, name: str) -> Series:
    """The name under which the player is shown."""
    place = series.place_of(player_id)
    if place is None:
        return series
    return _with(series, place, series.participants[place]._replace(name=name))


def ended(series: Series) -> Series:
    """It is over before its end. Twice is fine. Raises: SeriesOver."""
    if series.status == "finished":
        raise SeriesOver
    if series.status in ("stopping", "cancelled"):
        return series
    stops: SeriesStatus = "stopping" if series.status == "running" else "cancelled"
    return series._replace(status=stops, join_code=None)


def stopped(series: Series) -> Series:
    """What ran when it was cancelled has ended."""
    return series._replace(status="cancelled") if series.status == "stopping" else series


def _with(series: Series, place: int, participant: Participant) -> Series:
    sides = series.participants
    return series._replace(participants=(*sides[:place], participant, *sides[place + 1 :]))
