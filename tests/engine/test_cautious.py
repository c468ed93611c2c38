"""`cautious`: what it takes and when it stops; and that it plays every rule set to its end."""

from __future__ import annotations

import pytest

from engine.bots import Move, NoLuck, move_of
from engine.commands import Selection
from engine.decide import transition
from engine.rules_text import rules_from_data
from engine.state import FinalRound, Finished, Game, Playing
from tests.engine.random_rules import random_rules
from tests.engine.spec import bank, given, roll, rules, started, wild_roll
from tests.engine.test_against_referee import SHIPPED
from tests.engine.walks import dice_of_walk
from tests.engine.walks import started as started_table
from tests.engine.walks import table as walked_table


def after(play: Playing, *faces: int) -> Move:
    """The move once these dice have fallen."""
    return move_of(given(play).after(roll(play.turn.seat, *faces)).play, NoLuck())


def test_it_takes_every_scoring_die_and_rolls_on_below_the_opening() -> None:
    game = started(rules("farkle"))
    assert move_of(game, NoLuck()) == Move("roll")
    assert after(game, 1, 5, 2, 3, 4, 4) == Move("roll", Selection((0, 1)))


def test_it_gets_on_the_board_at_the_first_chance() -> None:
    game = started(rules("farkle"))
    assert after(game, 5, 5, 5, 2, 3, 4) == Move("bank", Selection((0, 1, 2)))


def test_on_the_board_it_banks_small_turns_and_does_not_roll_few_dice() -> None:
    game = started(rules("farkle"), on_board=(0,))
    assert after(game, 1, 1, 1, 2, 3, 4).name == "bank"
    assert after(game, 1, 2, 3, 3, 4, 6) == Move("roll", Selection((0,)))
    assert after(game, 1, 5, 5, 3, 4, 6).name == "bank"


def test_it_rolls_hot_dice_where_it_must_not_stop_on_them() -> None:
    game = started(rules("house", bank_on_hot_dice=False), on_board=(0,))
    assert after(game, 1, 1, 1, 5, 5) == Move("roll", Selection((0, 1, 2, 3, 4)))
    assert after(started(rules("house"), on_board=(0,)), 1, 1, 1, 5, 5).name == "bank"


def test_it_hits_an_exact_target_and_does_not_pass_it() -> None:
    game = started(rules("jester"), totals=(4950, 0))
    assert after(game, 1, 5, 2, 3, 3) == Move("bank", Selection((1,)))
    lost = started(rules("jester"), totals=(4975, 0))
    assert after(lost, 1, 2, 3, 4, 6) == Move("bank", Selection((0,)))
    strict = started(rules("house", exact=True), totals=(9900, 0))
    assert after(strict, 1, 5, 2, 3, 3).name == "bank"


def test_wild_rolls_bring_it_on_the_board_and_the_purse_is_left_alone() -> None:
    game = started(rules("jester"))
    assert move_of(game, NoLuck()) == Move("wild-roll")
    wild = given(game).after(wild_roll(0, 2, 2, 3, 6)).play
    assert move_of(wild, NoLuck()).select is not None
    spent = game._replace(seats=(game.seats[0]._replace(wild_rolls=0, purse=5), *game.seats[1:]))
    assert move_of(spent, NoLuck()) == Move("roll")


def test_it_takes_over_what_rolls_many_dice() -> None:
    game = given(started(rules("farkle", high_stakes=True), on_board=(0,)))
    safe = game.after(roll(0, 1, 5, 2, 3, 4, 4), bank(0)).play
    assert move_of(safe, NoLuck()) == Move("take-over")
    risky = game.after(roll(0, 1, 1, 1, 2, 3, 4), bank(0)).play
    assert move_of(risky, NoLuck()) == Move("roll")


def test_in_its_last_turn_it_goes_on_until_it_would_win() -> None:
    game = started(rules("farkle"), totals=(600, 10_000))._replace(final_round=FinalRound(1, (0,)))
    assert after(game, 1, 1, 1, 2, 3, 4).name == "roll"
    close = started(rules("farkle"), totals=(9_900, 10_000))
    close = close._replace(final_round=FinalRound(1, (0,)))
    assert after(close, 1, 1, 1, 2, 3, 4).name == "bank"


def played(game: Game, seed: int, most: int) -> Game:
    entropy = dice_of_walk(seed)
    for number in range(most):
        if not isinstance(game, Playing):
            return game
        command = move_of(game, NoLuck()).command(3 + number, game.turn.seat, entropy)
        game = transition(game, command).game
    return game


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(3))
def test_shipped_rule_sets_are_played_to_their_end(name: str, seed: int) -> None:
    found, _ = started_table(walked_table(rules_from_data(SHIPPED[name]), [True, True, True]))
    assert isinstance(played(found, seed, 20_000), Finished)


@pytest.mark.parametrize("seed", range(80))
def test_every_rule_set_is_played_without_a_refusal(seed: int) -> None:
    ruled = random_rules(seed)
    seats = [True] * max(2, ruled.seats_min)
    found, _ = started_table(walked_table(ruled, seats))
    played(found, seed, 300)
