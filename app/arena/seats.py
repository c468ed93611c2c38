"""What may sit at a table of the arena: characters, `random`, functions of other people."""

from __future__ import annotations

import os
from random import Random
from typing import NamedTuple

from app.arena.at_random import at_random
from app.arena.minds import Begin, Mind
from app.arena.watch import Watch
from engine.bots import CHARACTERS
from engine.commands import Command, Entropy
from engine.state import Character, Place, Playing
from engine.units import Millis

RANDOM = "random"


class UnknownStrategy(Exception):
    """No strategy goes by this name."""


class Sitter(NamedTuple):
    """A strategy that is ready to play."""

    place: Place
    begin: Begin


def names() -> tuple[str, ...]:
    """Those that come with Hotdice."""
    return (*CHARACTERS, RANDOM)


def is_outside(name: str) -> bool:
    """Whether it names somebody's function."""
    return ":" in name or name.endswith(".py") or os.sep in name


def sitter(name: str, participant: int, watch: Watch) -> Sitter:
    """
    The strategy of this name.

    Args:
        participant: its number in the contest, from 0.
        watch: over the decisions of an outside one.
    Raises: UnknownStrategy; NotLoaded, where somebody's code cannot be used.
    """
    for character in CHARACTERS:
        if character == name:
            return Sitter(Place("bot", character), _character(character))
    place = Place("human", None, f"participant-{participant}")
    if name == RANDOM:
        return Sitter(place, at_random)
    if is_outside(name):
        from app.arena.outside import outside  # loads the API's views: only where they are needed

        return Sitter(place, outside(name, watch))
    known = ", ".join(names())
    raise UnknownStrategy(
        f"No strategy is called {name}. There are {known}; and functions of your own, as "
        "module:function or path/to/file.py:function."
    )


class _Drawn:
    """A character's luck, drawn from what is fixed for this game and seat."""

    def __init__(self, chance: Random) -> None:
        self.below = chance.randrange


def _character(character: Character) -> Begin:
    decide = CHARACTERS[character]

    def begin(chance: Random, names: tuple[str, ...]) -> Mind:
        luck = _Drawn(chance)

        def mind(play: Playing, at: Millis, entropy: Entropy) -> Command:
            return decide(play, luck).command(at, play.turn.seat, entropy)

        return mind

    return begin
