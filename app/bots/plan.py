"""
What a bot does next, and what it leads to: pure, and made for a thread.

A table with a pace gets one decision at a time, so that people see each; one without gets a few at
once, up to the next person's turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from app.ports import Head
from app.service.deciding import Seeds, entropy_of, revealed
from engine.bots import move_of
from engine.commands import Command, DropScript
from engine.deadlines import is_players
from engine.decide import transition
from engine.errors import ScriptMismatch, TimeIsUp
from engine.events import Event
from engine.state import Game, Playing
from engine.units import Millis


class Planned(NamedTuple):
    """The game as it will be."""

    events: tuple[Event, ...]
    game: Game
    decisions: int


def is_bots_turn(game: Game) -> bool:
    """Whether a bot is to move."""
    return isinstance(game, Playing) and not is_players(game, game.turn.seat)


def plan(
    head: Head, seeds: Seeds, at: Millis, most: int, before: Iterable[Command] = ()
) -> Planned:
    """
    The next decisions of the bots that are to move, at most so many.

    Args:
        at: when they act.
        before: what goes in front of them.
    """
    game, events, decisions = head.game, list[Event](), 0
    for command in before:
        step = transition(game, command)
        events += step.events
        game = step.game
    one_by_one = head.game.setup.bots.pace_ms > 0
    while isinstance(game, Playing) and is_bots_turn(game) and decisions < most:
        command = move_of(game).command(at, game.turn.seat, entropy_of(game, seeds))
        try:
            for asked in _fitting(game, command):
                step = transition(game, asked)
                events += step.events
                game = step.game
        except TimeIsUp:
            break  # the game clock has run out: what it leads to comes from elsewhere
        decisions += 1
        if one_by_one:
            break
    game = revealed(head.game, game, events, seeds)
    return Planned(tuple(events), game, decisions)


def _fitting(game: Game, command: Command) -> tuple[Command, ...]:
    """The command; before it goes a script that does not fit its roll."""
    try:
        transition(game, command)
    except ScriptMismatch:
        return DropScript(command.at), command
    return (command,)
