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
from engine.bots import VERSIONS, BotLuck, character_of, move_of
from engine.commands import Command, DropScript, NamePolicy
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
        seat, character = game.turn.seat, character_of(game)
        try:
            named = transition(game, NamePolicy(at, seat, character, VERSIONS[character]))
            index = head.version + len(events) + len(named.events)
            luck = BotLuck(seeds[game.epoch], game.setup.game_id, seat, index)
            command = move_of(game, luck).command(at, seat, entropy_of(game, seeds))
            step = transition(named.game, command)
        except ScriptMismatch:
            dropped = transition(game, DropScript(at))  # and it thinks again: it is a later moment
            events += dropped.events
            game = dropped.game
            continue
        except TimeIsUp:
            break  # the game clock has run out: what it leads to comes from elsewhere
        events += named.events + step.events
        game = step.game
        decisions += 1
        if one_by_one:
            break
    game = revealed(head.game, game, events, seeds)
    return Planned(tuple(events), game, decisions)
