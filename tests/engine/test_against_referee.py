"""
The engine beside the referee, which shares no code with it and was written from the rules alone.

Both play the same random games; after each command every part of both states must be equal, and at
each state every command of the game is tried on both: accepted by both, or refused by both for
the same reason.
"""

from __future__ import annotations

import copy
from random import Random

import pytest

from engine.commands import (
    Bank,
    Command,
    EndOnClock,
    Resign,
    Roll,
    Select,
    Selection,
    SkipNext,
    TakeOver,
    TimeOut,
)
from engine.commands import WildRoll as Wild
from engine.deadlines import GRACE_MS
from engine.decide import transition
from engine.errors import Refusal
from engine.events import DiceRolled, Event
from engine.rules import Rules
from engine.rules_text import rules_from_data, rules_to_data
from engine.state import Cheats, Clocks, Finished, Game, Playing, ToSelect
from tests.engine.random_rules import random_rules
from tests.engine.views import view
from tests.engine.walks import any_command, dice_of_walk, started, table
from tests.referee import rulebook
from tests.referee.game import Game as Referee
from tests.referee.state import Refused
from tests.referee.view import view as referee_view

SHIPPED = {
    "farkle": rulebook.farkle(target=4000),
    "farkle, small target": rulebook.farkle(target=1500, opening=300),
    "farkle, no final round": rulebook.farkle(target=3000, final_round=False),
    "spicy": rulebook.farkle(target=5000, spicy=True),
    "spicy on ones": rulebook.farkle(target=5000, spicy=True, spicy_faces=[1, 1, 1, 5, 5, 5]),
    "high stakes": rulebook.farkle(target=4000, high_stakes=True),
    "spicy high stakes": rulebook.farkle(target=6000, spicy=True, high_stakes=True),
    "four and two": rulebook.farkle(target=4000, four_and_two_is_three_pairs=True),
    "house": rulebook.house(target=4000),
    "house, exact": rulebook.house(target=4000, exact=True),
    "house, roll hot dice": rulebook.house(target=4000, bank_on_hot_dice=False),
    "house, exact and hot": rulebook.house(target=4000, exact=True, bank_on_hot_dice=False),
    "house, odd values": rulebook.house(
        target=1000, opening=5, values={"single_1": 35, "three": {"1": 5, "6": 995}}
    ),
    "jester": rulebook.jester(),
    "jester, fortune": rulebook.jester(tier="fortune"),
}


def facts_of(events: tuple[Event, ...]) -> list[tuple[int, ...]]:
    """The dice each roll among these events showed."""
    return [event.dice for event in events if isinstance(event, DiceRolled)]


def give(referee: Referee, command: Command, shown: list[tuple[int, ...]]) -> None:
    """The same order to the referee, with the dice as they fell."""
    if isinstance(command, Roll):
        referee.roll(command.seat, shown[0])
    elif isinstance(command, Wild):
        referee.wild_roll(command.seat, shown[0])
    elif isinstance(command, TakeOver):
        referee.take_over(command.seat, shown[0])
    elif isinstance(command, Select):
        referee.select(command.seat, command.select.dice, command.select.wild_face)
    elif isinstance(command, Bank):
        referee.bank(command.seat)
    elif isinstance(command, Resign):
        referee.resign(command.seat)
    elif isinstance(command, SkipNext):
        referee.skip_next(command.seat)
    elif isinstance(command, TimeOut):
        referee.time_out()
    elif isinstance(command, EndOnClock):
        referee.game_clock()


def tries(play: Playing, chance: Random) -> list[Command]:
    """Commands of every kind, most of them out of order somewhere."""
    entropy = dice_of_walk(0)
    dice = play.setup.rules.dice
    seat, other = play.turn.seat, chance.randrange(len(play.seats))
    found: list[Command] = [
        *(kind(9, seat, entropy) for kind in (Roll, Wild, TakeOver)),
        *(kind(9, other, entropy) for kind in (Roll, Wild, TakeOver)),
        Bank(9, seat),
        Bank(9, other),
    ]
    for _ in range(6):
        picked = tuple(sorted(chance.sample(range(dice), chance.randint(1, dice))))
        face = chance.choice((None, None, chance.randint(1, 6)))
        found.append(Select(9, chance.choice((seat, seat, seat, other)), Selection(picked, face)))
    return found


def refusal_of_engine(game: Game, command: Command) -> str | None:
    try:
        transition(game, command)
    except Refusal as refusal:
        return refusal.code
    return None


def refusal_of_referee(referee: Referee, command: Command) -> str | None:
    """What the referee says, on a copy: its commands change it."""
    trial = copy.deepcopy(referee)
    count = 1
    if isinstance(command, TakeOver) and trial.offer is not None:
        count = len(trial.next_throw(take_over=True).positions)
    elif isinstance(command, Roll | Wild):
        count = len(trial.next_throw(wild=isinstance(command, Wild)).positions)
    faces = (1,) * count
    try:
        give(trial, command, [faces])
    except Refused as refused:
        return refused.code
    return None


TURN_S, GAME_S = 60, 7 * 24 * 3600


def run_out(play: Playing, chance: Random) -> Command | None:
    """Now and then a clock runs out: the turn's often enough, the game's once in a while."""
    if chance.random() < 0.08:
        return TimeOut(play.turn.began_at + 1000 * TURN_S + GRACE_MS + 1)
    if chance.random() < 0.003:
        return EndOnClock(play.started_at + 1000 * GAME_S + GRACE_MS + 1)
    return None


def play_both(
    rules: Rules,
    seed: int,
    cheats: Cheats | None = None,
    most: int = 400,
    clocks: Clocks | None = None,
) -> None:
    chance = Random(seed)
    seats = [chance.random() < 0.85 for _ in range(chance.randint(1, 4))]
    while sum(seats) < rules.seats_min:
        seats.append(True)
    open_seats = [seat for seat, playing in enumerate(seats) if playing]
    if cheats is None and chance.random() < 0.3:
        cheats = Cheats(skip_next=(chance.choice(open_seats),))
    entropy = dice_of_walk(seed)
    start = chance.choice(open_seats)
    game: Game
    game, _ = started(table(rules, seats, cheats, start_seat=start)._replace(clocks=clocks))
    referee = Referee(
        rules_to_data(rules),
        seats,
        start_seat=start,
        head_start=dict(cheats.head_start) if cheats else None,
        skip_next=cheats.skip_next if cheats else (),
    )
    for number in range(most):
        assert isinstance(game, Playing)
        assert view(game) == referee_view(referee), number
        if (number % 4 == 0 and isinstance(game.turn, ToSelect)) or number % 9 == 0:
            for attempt in tries(game, chance):
                said = refusal_of_engine(game, attempt)
                assert said == refusal_of_referee(referee, attempt), attempt
        command = any_command(game, chance, entropy, game.turn.began_at + 1)
        if clocks is not None:
            command = run_out(game, chance) or command
        after = transition(game, command)
        give(referee, command, facts_of(after.events))
        game = after.game
        if isinstance(game, Finished):
            break
    if isinstance(game, Finished):
        # What was a final round is over; the referee goes on showing it.
        assert view(game) == {**referee_view(referee), "final_round": None}


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize(
    "seed",
    [*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 4))],
)
def test_shipped_rule_sets_play_as_the_referee_plays_them(name: str, seed: int) -> None:
    play_both(rules_from_data(SHIPPED[name]), seed)


@pytest.mark.parametrize(
    "seed",
    [*range(20), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(20, 60))],
)
def test_random_rule_sets_play_as_the_referee_plays_them(seed: int) -> None:
    play_both(random_rules(seed), seed, most=120)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(100, 103))
def test_clocks_run_out_on_shipped_rule_sets_as_the_referee_has_it(name: str, seed: int) -> None:
    play_both(rules_from_data(SHIPPED[name]), seed, clocks=Clocks(TURN_S, GAME_S))


@pytest.mark.parametrize("seed", range(60))
def test_clocks_run_out_on_random_rule_sets_as_the_referee_has_it(seed: int) -> None:
    play_both(random_rules(seed), seed, most=120, clocks=Clocks(TURN_S, GAME_S))
