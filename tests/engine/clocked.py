"""Tables with clocks, and the commands that the server gives when one runs out."""

from __future__ import annotations

from typing import Any

from engine import commands as co
from engine import events as ev
from engine.deadlines import GRACE_MS
from engine.rules import Rules
from engine.state import Bots, Clocks, Playing
from tests.engine.spec import T, started

TURN_MS, GAME_MS = 60_000, 1_800_000
DEADLINE, GAME_DEADLINE = T + TURN_MS, T + GAME_MS
LATE = DEADLINE + GRACE_MS + 1
"""The first moment at which the clock of a turn that began at T fires."""
GAME_LATE = GAME_DEADLINE + GRACE_MS + 1


def clocked(
    rules: Rules, seats: str = "hh", *, absent: bool = False, missed: int = 0, **how: Any
) -> Playing:
    """A game with both clocks, in its first turn; `missed`: turns that seat 0 missed before."""
    game = started(rules, seats, **how)
    setup = game.setup._replace(
        clocks=Clocks(TURN_MS // 1000, GAME_MS // 1000), bots=Bots(0, absent)
    )
    first = game.seats[0]._replace(missed=missed)
    return game._replace(setup=setup, seats=(first, *game.seats[1:]))


TIME_OUT = co.TimeOut(LATE)
GAME_OVER = co.EndOnClock(GAME_LATE)


def timed_out(seat: int) -> ev.TurnTimedOut:
    return ev.TurnTimedOut(LATE, seat, DEADLINE)


def lapsed(seat: int, lost: int = 0, credited: int = 0, total: int = 0) -> ev.TurnLapsed:
    return ev.TurnLapsed(LATE, seat, lost, credited, total)
