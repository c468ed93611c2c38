"""
What a game says of those who played it: turns, busts, points banked. Pure; a fold over the log.

A game counts when its dice were fair, nobody cheated, two or more different people sat down to
it and stayed, it was started, and it ended without being voided. Who sat there is settled at the
first roll: until then a seat whose contribution is not in the seal may be given up without loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engine import events as ev
from engine.errors import BrokenHistory
from engine.evolve import evolve
from engine.rules import Rules
from engine.state import Game, Playing, Setup
from engine.units import Millis, Points, Seat


class Figures(NamedTuple):
    """Counts and sums; a rate is derived from them where it is shown."""

    turns: int = 0
    """Turns that ended with a bank, a bust, or lost points. Skipped ones, and those that a
    resignation or the end of the game cut off, are none; nor is what a stand-in plays."""
    busts: int = 0
    banked_turns: int = 0
    banked_points: Points = 0
    """Of all banked turns."""
    best_turn: Points = 0
    """The most points that one turn brought: banked, or credited although the turn was lost."""
    hot_dice: int = 0
    """How often all dice were locked and rolled afresh."""

    def plus(self, other: Figures) -> Figures:
        return Figures(
            self.turns + other.turns,
            self.busts + other.busts,
            self.banked_turns + other.banked_turns,
            self.banked_points + other.banked_points,
            max(self.best_turn, other.best_turn),
            self.hot_dice + other.hot_dice,
        )


class SeatFigures(NamedTuple):
    seat: Seat
    player_id: str
    won: bool
    """Alone, or with others; not where a stand-in brought it home."""
    figures: Figures


class Counted(NamedTuple):
    """A game that counts."""

    rules: Rules
    preset: str | None
    ended_at: Millis
    seats: tuple[SeatFigures, ...]
    """The seats that people held; those of bots are left out, and those left without loss."""


class ScoreSheet:
    """A log on its way to figures; events are added in order, from the first."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._setup: Setup | None = None
        """Once the game has started."""
        self._seats: list[Figures] = []
        self._stand_ins: set[Seat] = set()
        """Where a bot plays for an absent player."""
        self._mixed: tuple[Seat, ...] = ()
        """Seats whose contributions are in the seal."""
        self._left: set[Seat] = set()
        """Given up without loss."""
        self._rolled = False
        self._end: ev.GameFinished | None = None
        self.may_count = True
        """False: whatever comes, the game counts for nothing; the rest need not be read."""

    def add(self, event: ev.Event) -> None:
        """Raises: BrokenHistory, where the event cannot follow."""
        if isinstance(event, ev.GameFinished):
            self._end = event
            self.may_count &= self._setup is not None and event.reason != "voided"
        elif isinstance(event, ev.ResultVoided):
            self.may_count = False
        elif isinstance(event, ev.BotTookSeat):
            self._stand_ins.add(event.seat)
        elif isinstance(event, ev.PlayerReturned):
            self._stand_ins.discard(event.seat)
        elif self._setup is None:
            self._before_play(event)
        elif isinstance(event, ev.DiceRolled):
            self._rolled = True
        elif isinstance(event, ev.SeatResigned):
            if not self._rolled and event.seat not in self._mixed:
                self._left.add(event.seat)
        elif (turn := _TURNS.get(type(event))) is not None:
            self._add(event, turn)

    def _before_play(self, event: ev.Event) -> None:
        if self._end is not None:
            return  # a lobby that was closed
        self._game = evolve(self._game, event)
        if isinstance(self._game, Playing):
            self._setup = setup = self._game.setup
            self._seats = [Figures()] * len(setup.places)
            self._mixed = self._game.mixed
            self._left = {s for s, seat in enumerate(self._game.seats) if not seat.active}
            self.may_count = setup.counts

    def _add(self, event: Any, turn: Callable[[Any], Figures]) -> None:
        seat: Seat = event.seat
        if not 0 <= seat < len(self._seats):
            raise BrokenHistory(f"no seat {seat}")
        self._rolled = True
        if seat not in self._stand_ins:
            self._seats[seat] = self._seats[seat].plus(turn(event))

    def counted(self) -> Counted | None:
        """None: the game is not over, or counts for nothing."""
        setup, end = self._setup, self._end
        if setup is None or end is None or not self.may_count:
            return None
        won = set(end.winners) - self._stand_ins
        seats = tuple(
            SeatFigures(seat, place.player_id, seat in won, self._seats[seat])
            for seat, place in enumerate(setup.places)
            if place.kind == "human" and place.player_id is not None and seat not in self._left
        )
        if len({row.player_id for row in seats}) < 2:
            return None
        return Counted(setup.rules, setup.preset, end.at, seats)


def counted(events: Iterable[ev.Event]) -> Counted | None:
    """
    A whole log; None where it counts for nothing.

    Raises: BrokenHistory.
    """
    sheet = ScoreSheet()
    for event in events:
        sheet.add(event)
    return sheet.counted()


def by_player(game: Counted) -> dict[str, SeatFigures]:
    """Who holds several seats plays one game, and wins it with any of them."""
    found: dict[str, SeatFigures] = {}
    for row in game.seats:
        other = found.get(row.player_id)
        found[row.player_id] = (
            row
            if other is None
            else other._replace(won=other.won or row.won, figures=other.figures.plus(row.figures))
        )
    return found


def _banked(event: ev.TurnBanked) -> Figures:
    return Figures(1, 0, 1, event.score, event.score)


def _busted(event: ev.TurnBusted) -> Figures:
    return Figures(turns=1, busts=1, best_turn=event.credited)


def _lost(event: ev.TurnOvershot) -> Figures:
    return Figures(turns=1, best_turn=event.credited)


def _lapsed(event: ev.TurnLapsed) -> Figures:
    return Figures(turns=int(event.lost + event.credited > 0), best_turn=event.credited)


def _hot(event: ev.HotDice) -> Figures:
    return Figures(hot_dice=1)


_TURNS: dict[type[ev.Event], Callable[[Any], Figures]] = {
    ev.TurnBanked: _banked,
    ev.TurnBusted: _busted,
    ev.TurnOvershot: _lost,
    ev.TurnLapsed: _lapsed,
    ev.HotDice: _hot,
}
