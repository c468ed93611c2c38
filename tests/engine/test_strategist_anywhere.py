"""Every character at any table: a legal move on every state that play reaches, in bounded time."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import BotLuck, move_of
from engine.bots.knowledge import LIBRARY, Knowledge, modelled
from engine.commands import Command
from engine.decide import transition
from engine.odds.work import work
from engine.rules import Rules
from engine.state import Character, Place, Playing
from tests.engine.random_rules import random_rules
from tests.engine.walks import any_command, dice_of_walk, started, table

CHARACTERS: tuple[Character, ...] = get_args(Character)
MOST_WORK = 400_000
"""Of the analysis in these tests; rule sets that are more work are simplified further."""


def known(rules: Rules) -> Knowledge:
    """What the strategist goes by, made from simpler rules where that is quicker."""
    found = LIBRARY.find(rules)
    if found is None:
        found = Knowledge(rules, MOST_WORK)
        LIBRARY.keep(found)
    return found


def bots_play(rules: Rules, seed: int, most: int, wander: float = 0.0) -> int:
    """
    A game of all three characters by random dice; how many decisions they made.

    Args:
        wander: how often somebody does anything legal instead, so that positions come up that no
            character would reach.
    """
    seats = max(3, rules.seats_min)
    laid = table(rules, [True] * min(seats, rules.seats_max))
    chance, entropy = Random(seed), dice_of_walk(seed)
    places = tuple(Place("bot", CHARACTERS[(seed + at) % 3]) for at in range(len(laid.places)))
    play, _ = started(laid._replace(places=places))
    for number in range(most):
        seat = play.turn.seat
        move = move_of(play, BotLuck(bytes(32), "walk", seat, number))
        command: Command = move.command(3 + number, seat, entropy)
        after = transition(play, command).game  # what a refused move would raise fails the test
        if chance.random() < wander:
            after = transition(play, any_command(play, chance, entropy, 3 + number, 0)).game
        if not isinstance(after, Playing):
            return number + 1
        play = after
    return most


@pytest.mark.wide
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
def test_every_character_moves_legally_by_any_rules(seed: int) -> None:
    rules = random_rules(seed)
    known(rules)
    bots_play(rules, seed, 120, wander=0.3)


@pytest.mark.parametrize(
    "seed",
    # The last: selections that add no points.
    [*range(3), pytest.param(20_080, marks=pytest.mark.soak)],
)
def test_some_random_rule_sets_are_played_by_all_three(seed: int) -> None:
    rules = random_rules(seed)
    known(rules)
    assert bots_play(rules, seed, 150, wander=0.1)


@pytest.mark.parametrize("seed", [20_033, 20_258])
def test_sets_that_simpler_rules_never_lock_are_played_beside(seed: int) -> None:
    """Found by the longer run: in simpler rules another split was the best one."""
    rules = random_rules(seed)
    known(rules)
    assert bots_play(rules, seed, 1_000, wander=0.2)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20_000, 20_400))
def test_many_random_rule_sets_are_played_by_all_three(seed: int) -> None:
    rules = random_rules(seed)
    known(rules)
    assert bots_play(rules, seed, 3_000, wander=0.2)


@pytest.mark.parametrize("seed", [199, 65, 132])
def test_rules_that_are_too_much_work_are_simplified_and_stay_what_they_are(seed: int) -> None:
    """Seeds whose analysis would be the longest of the first two hundred."""
    rules = random_rules(seed)
    assert work(rules) > 100_000_000
    simpler = modelled(rules, MOST_WORK)
    assert work(simpler) < work(rules) / 5
    assert (simpler.dice, simpler.exact, simpler.winner) == (rules.dice, rules.exact, rules.winner)
    assert [c.id for c in simpler.combinations] == [c.id for c in rules.combinations]
    known(rules)
    assert bots_play(rules, seed, 60)
