"""Whole games by the policy of `players`, in this process: for the engine, and to grow logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.commands import Bank, Command, Create, Entropy, Roll, Select, Selection, Start
from engine.decide import Transition, transition
from engine.dice import NO_SEAL, Fair
from engine.events import Event
from engine.legal import legal
from engine.rules import Rules
from engine.scoring import scoring_of
from engine.state import Bots, FairDice, Game, Place, Playing, Setup, ToRoll


class Step(NamedTuple):
    """One accepted command."""

    before: Game
    command: Command
    after: Transition


def bank_from(rules: Rules) -> int:
    """From how many points of a turn the policy banks: 300 where 10 000 are played for."""
    return max(1, rules.target * 3 // 100)


def next_command(play: Playing, entropy: Entropy, at: int, enough: int) -> Command:
    """
    Roll; select what is worth most; bank from `enough` points, else roll on.

    Where the target must be met exactly, nothing is taken that passes it, if that can be helped.
    """
    turn, seat, rules = play.turn, play.turn.seat, play.setup.rules
    if isinstance(turn, ToRoll):
        return Roll(at, seat, entropy)
    at_stake = turn.carried + turn.banked
    room = None if rules.exact == "off" else rules.target - play.seats[seat].score
    if not turn.selected:
        table = scoring_of(rules).roll_table(turn.faces, turn.rolled, turn.wild, turn.sets)
        best = table.best(None if room is None else room - at_stake)
        if best is None and rules.exact == "bust":
            best = table.best()
        if best is not None:
            return Select(at, seat, Selection(best.dice, best.wild_face or None))
    elif at_stake + turn.points < (enough if room is None else min(enough, room)):
        return Roll(at, seat, entropy)
    may = legal(play).commands
    return Bank(at, seat) if "bank" in may else Roll(at, seat, entropy)


def played(play: Playing, entropy: Entropy, enough: int, at: int = 3) -> Iterator[Step]:
    """A game from here to its end."""
    game: Game = play
    while isinstance(game, Playing):
        command = next_command(game, entropy, at, enough)
        after = transition(game, command)
        yield Step(game, command, after)
        game, at = after.game, at + 1


def started(rules: Rules) -> tuple[Playing, tuple[Event, ...]]:
    """A two-seat game as play begins, and its log so far."""
    setup = Setup(
        game_id="bench",
        rules=rules,
        preset=None,
        places=(Place("human", None, "ana"), Place("human", None, "bo")),
        host="ana",
        visibility="unlisted",
        dice=FairDice(),
        clocks=None,
        pass_and_play=False,
        bots=Bots(),
        advice=False,
        cheats=None,
        start_seat=0,
        server_commits=("00" * 32, "11" * 32),
    )
    created = transition(None, Create(1, setup))
    begun = transition(created.game, Start(2, "22" * 32))
    assert isinstance(begun.game, Playing)
    return begun.game, created.events + begun.events


def dice(number: int) -> Entropy:
    """The dice of game `number`."""
    return Fair(number.to_bytes(32, "big"), "bench", 0, NO_SEAL)
