"""
Who plays whom, in which order, on which dice: a pure function of a few numbers.

Every group of participants that fits a table plays the same number of games. Seats rotate from game
to game, so that each begins as often as the others; games that differ in their seats alone roll the
same dice, where the dice are seeded.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from math import comb
from typing import NamedTuple


class Pairing(NamedTuple):
    """One game of a series."""

    number: int
    """From 0: the order in which games are opened."""
    round: int
    """Games of one round have the same dice, where these are seeded."""
    participants: tuple[int, ...]
    """By seat; seat 0 begins."""


def games_in_all(participants: int, seats: int, games: int) -> int:
    """How many games a series has, of so many for each group that meets."""
    return comb(participants, seats) * games


def plan(participants: int, seats: int, games: int) -> Iterator[Pairing]:
    """
    All games of a series. Groups take turns: after any number of games they have played equally
    often, give or take one.

    Args:
        participants: at least as many as there are seats.
        games: of each group.
    """
    number = 0
    for game in range(games):
        first = game % seats
        for group in combinations(range(participants), seats):
            yield Pairing(number, game // seats, (*group[first:], *group[:first]))
            number += 1


def seed_of(seed: str, round_number: int) -> str:
    """The seed of all games of a round: 64 characters, lower-case hex."""
    return sha256(f"hotdice/series {round_number} {seed}".encode()).hexdigest()
