"""
Given a game, when a command comes, then these events and no others, or a refusal.

    given(started(rules("farkle"))).when(roll(0, 1, 5, 2, 3, 4, 4)).then(
        rolled(0, 1, 5, 2, 3, 4, 4),
    )

Every step also checks that the game which comes out is the fold of its events, and that a refused
command changes nothing. Everything happens at `T`, so that events can be written out whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import (
    Command,
    Event,
    Finished,
    Game,
    Playing,
    Preset,
    Refusal,
    Rules,
    Setup,
    evolve,
    preset_from_text,
    transition,
)
from engine import commands as co
from engine import events as ev
from engine.state import Bots, Cheats, DiceSource, FairDice, Place, ToRoll, ToSelect

T = 1_767_225_600_000
COMMIT = "c0" * 32
SEAL = "8402cd3f5fa7f281e17c4513bd344b30ab4bc3b97d0078ad7945f21c39064b40"
"""Of `table()` without contributions, computed apart from the engine."""
PRESETS = Path(engine.__file__).parent / "presets"


@lru_cache
def preset(name: str) -> Preset:
    return preset_from_text((PRESETS / f"{name}.toml").read_text("utf-8"))


def rules(name: str, /, **options: object) -> Rules:
    """The rule set of a preset with options."""
    return preset(name).rules(options)


def table(rules: Rules, seats: str = "hh", **settings: Any) -> Setup:
    """A table by its seats: h human and held, e human and empty, b bot, c closed."""
    plain = Setup(
        game_id="g_spec",
        rules=rules,
        preset=None,
        places=tuple(_place(kind, seat) for seat, kind in enumerate(seats)),
        host="p0",
        visibility="private",
        dice=FairDice(),
        clocks=None,
        pass_and_play=False,
        bots=Bots(),
        advice=False,
        cheats=None,
        start_seat=0,
        server_commits=("a0" * 32, "b1" * 32),
    )
    return plain._replace(**settings)


def _place(kind: str, seat: int) -> Place:
    return {
        "h": Place("human", None, f"p{seat}"),
        "e": Place("human"),
        "b": Place("bot", "cautious"),
        "c": Place("closed"),
    }[kind]


def opened(setup: Setup) -> Game:
    """The lobby of a table."""
    return transition(None, co.Create(T, setup)).game


def started(
    rules: Rules,
    seats: str = "hh",
    *,
    totals: Sequence[int] = (),
    on_board: Sequence[int] = (),
    cheats: Cheats | None = None,
    dice: DiceSource | None = None,
    start_seat: int = 0,
) -> Playing:
    """
    A game in its first turn.

    Args:
        totals: what seats 0, 1, … have already; those with something are on the board.
        on_board: further seats on the board.
    """
    setup = table(rules, seats, cheats=cheats, dice=dice or FairDice(), start_seat=start_seat)
    game = transition(opened(setup), co.Start(T, COMMIT)).game
    assert isinstance(game, Playing)
    states = list(game.seats)
    for seat, total in enumerate(totals):
        states[seat] = states[seat]._replace(score=total, on_board=total > 0)
    for seat in on_board:
        states[seat] = states[seat]._replace(on_board=True)
    return game._replace(seats=tuple(states))


@dataclass(frozen=True)
class Shows:
    """Dice that show what the test says."""

    shown: tuple[int, ...]

    def faces(self, roll: int, count: int) -> tuple[int, ...]:
        assert count == len(self.shown), f"{count} dice are rolled, not {len(self.shown)}"
        return self.shown


def pick(*dice: int, wild: int | None = None) -> co.Selection:
    return co.Selection(dice, wild)


def roll(seat: int, *faces: int, keep: co.Selection | None = None) -> co.Roll:
    return co.Roll(T, seat, Shows(faces), keep)


def wild_roll(seat: int, *faces: int, keep: co.Selection | None = None) -> co.WildRoll:
    return co.WildRoll(T, seat, Shows(faces), keep)


def take_over(seat: int, *faces: int) -> co.TakeOver:
    return co.TakeOver(T, seat, Shows(faces))


def select(seat: int, *dice: int, wild: int | None = None) -> co.Select:
    return co.Select(T, seat, co.Selection(dice, wild))


def bank(seat: int, *dice: int, wild: int | None = None) -> co.Bank:
    return co.Bank(T, seat, co.Selection(dice, wild) if dice else None)


def rolled(
    seat: int,
    *faces: int,
    dice: Sequence[int] | None = None,
    number: int = 0,
    wild: bool = False,
    scripted: bool = False,
    fair: tuple[int, ...] | None = None,
) -> ev.DiceRolled:
    """`dice`: their positions, all from the first on unless given; `number`: of the roll."""
    positions = tuple(range(len(faces)) if dice is None else dice)
    return ev.DiceRolled(T, seat, 0, number, 6, positions, faces, wild, scripted, fair)


def selected(
    seat: int, dice: Sequence[int], points: int, protected: int = 0, wild: int | None = None
) -> ev.DiceSelected:
    return ev.DiceSelected(T, seat, tuple(dice), wild, points, protected)


def banked(
    seat: int,
    dice: Sequence[int],
    held: Sequence[int],
    score: int,
    total: int,
    wild: int | None = None,
) -> ev.TurnBanked:
    return ev.TurnBanked(T, seat, tuple(dice), wild, tuple(held), score, total)


def finished(reason: Any, winners: Sequence[int], *standings: tuple[int, int]) -> ev.GameFinished:
    return ev.GameFinished(T, reason, tuple(winners), standings)


@dataclass(frozen=True)
class Given:
    game: Game | None

    def when(self, command: Command) -> When:
        return When(self.game, command)

    def after(self, *commands: Command) -> Given:
        """The game some commands lead to, their events unlooked at."""
        game = self.game
        for command in commands:
            game = transition(game, command).game
        return Given(game)

    @property
    def play(self) -> Playing:
        assert isinstance(self.game, Playing)
        return self.game

    @property
    def turn(self) -> ToSelect:
        """The turn, with dice on the table."""
        assert isinstance(self.play.turn, ToSelect)
        return self.play.turn

    @property
    def to_roll(self) -> int:
        """The seat whose turn has just begun."""
        assert isinstance(self.play.turn, ToRoll)
        return self.play.turn.seat

    @property
    def totals(self) -> list[int]:
        assert isinstance(self.game, Playing | Finished)
        return [seat.score for seat in self.game.seats]


@dataclass(frozen=True)
class When:
    game: Game | None
    command: Command

    def then(self, *events: Event) -> Given:
        """Exactly these events follow. Hands back what they lead to."""
        found, after = transition(self.game, self.command)
        # Named tuples of two types may be equal: the names count too.
        assert [(type(e).__name__, e) for e in found] == [(type(e).__name__, e) for e in events]
        assert after == reduce(evolve, events, self.game)
        return Given(after)

    def refused(self, code: str, **facts: object) -> Given:
        """The rules say no, with these facts. Hands back the game as it was."""
        before = repr(self.game)
        with pytest.raises(Refusal) as refusal:
            transition(self.game, self.command)
        assert (refusal.value.code, refusal.value.facts) == (code, facts)
        assert repr(self.game) == before
        return Given(self.game)


def given(game: Game | None) -> Given:
    return Given(game)
