"""Random legal games, told by one integer: the engine driven by what it says is legal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from engine.commands import (
    Bank,
    Command,
    Create,
    Entropy,
    Resign,
    Roll,
    Select,
    Selection,
    SkipNext,
    Start,
    TakeOver,
    WildRoll,
)
from engine.decide import transition
from engine.dice import NO_SEAL, Fair
from engine.events import Event
from engine.legal import Legal, legal
from engine.rules import Rules
from engine.state import Bots, Cheats, DiceSource, FairDice, Place, Playing, Setup

PLAYERS = tuple(f"player-{seat}" for seat in range(8))


def table(
    rules: Rules,
    seats: list[bool],
    cheats: Cheats | None = None,
    dice: DiceSource | None = None,
    start_seat: int = 0,
) -> Setup:
    """A table with every open seat held."""
    places = tuple(
        Place("human", None, PLAYERS[seat]) if playing else Place("closed")
        for seat, playing in enumerate(seats)
    )
    return Setup(
        game_id="walk",
        rules=rules,
        preset=None,
        places=places,
        host=PLAYERS[0],
        visibility="unlisted",
        dice=dice or FairDice(),
        clocks=None,
        pass_and_play=False,
        bots=Bots(),
        advice=False,
        cheats=cheats,
        start_seat=start_seat,
        server_commits=("00" * 32, "11" * 32),
    )


class Step(NamedTuple):
    """One accepted command of a walk."""

    before: Playing
    command: Command
    events: tuple[Event, ...]


def started(setup: Setup) -> tuple[Playing, tuple[Event, ...]]:
    """The game as play begins, and its log so far."""
    created = transition(None, Create(1, setup))
    begun = transition(created.game, Start(2, "22" * 32))
    assert isinstance(begun.game, Playing)
    return begun.game, created.events + begun.events


def dice_of_walk(seed: int) -> Entropy:
    return Fair(seed.to_bytes(32, "big"), "walk", 0, NO_SEAL)


def any_command(
    play: Playing, chance: Random, entropy: Entropy, at: int, quits: float = 0.004
) -> Command:
    """A legal command; banks more often than chance would, so that games end."""
    options = legal(play)
    name = chance.choice(options.commands)
    if "bank" in options.commands and chance.random() < 0.35:
        name = "bank"
    if chance.random() < quits:
        return Resign(at, chance.choice([s for s, x in enumerate(play.seats) if x.active]))
    if play.setup.cheats is not None and chance.random() < 0.02:
        return SkipNext(at, chance.choice([s for s, x in enumerate(play.seats) if x.active]))
    return command_of(name, options, chance, entropy, at)


def command_of(name: str, options: Legal, chance: Random, entropy: Entropy, at: int) -> Command:
    """A command by its name in the API, with arguments that are legal."""
    seat = options.seat
    asked: Selection | None = None
    if name == "select":
        choice = chance.choice(options.choices)
        return Select(at, seat, Selection(choice.dice, choice.wild_face or None))
    if name == "bank":
        return Bank(at, seat, asked)
    if name == "take-over":
        return TakeOver(at, seat, entropy)
    if name == "wild-roll":
        return WildRoll(at, seat, entropy, asked)
    return Roll(at, seat, entropy, asked)


def walk(setup: Setup, seed: int, most: int = 3000) -> Iterator[Step]:
    """A game by random legal commands until it ends, or after so many."""
    chance, entropy = Random(seed), dice_of_walk(seed)
    play, _ = started(setup)
    for number in range(most):
        command = any_command(play, chance, entropy, 3 + number)
        after = transition(play, command)
        yield Step(play, command, after.events)
        if not isinstance(after.game, Playing):
            return
        play = after.game
