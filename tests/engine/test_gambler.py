"""`gambler`: what it leaves in play and when it stops; and the chance it draws on."""

from __future__ import annotations

from hashlib import sha256
from hmac import digest

import pytest

from engine.bots import BotLuck, Luck, Move, NoLuck, move_of
from engine.commands import Selection
from engine.decide import transition
from engine.rules_text import rules_from_data
from engine.state import FinalRound, Finished, Game, Place, Playing
from tests.engine.random_rules import random_rules
from tests.engine.spec import bank, given, pick, roll, rules, started
from tests.engine.test_against_referee import SHIPPED
from tests.engine.walks import dice_of_walk
from tests.engine.walks import started as started_table
from tests.engine.walks import table as walked_table


def gambles(play: Playing) -> Playing:
    """The same game with gamblers at every seat."""
    places = tuple(
        place._replace(kind="bot", character="gambler", player_id=None)
        for place in play.setup.places
    )
    return play._replace(setup=play.setup._replace(places=places))


def after(play: Playing, *faces: int, luck: Luck | None = None) -> Move:
    """The move once these dice have fallen."""
    fallen = given(gambles(play)).after(roll(play.turn.seat, *faces)).play
    return move_of(fallen, luck or NoLuck())


class Once:
    """Luck that says: now."""

    def below(self, many: int) -> int:
        return 0


def test_it_keeps_a_combination_whole_and_leaves_loose_dice_in_play() -> None:
    game = started(rules("farkle"), on_board=(0,))
    assert after(game, 4, 4, 4, 1, 5, 2) == Move("roll", Selection((0, 1, 2)))


def test_of_single_dice_it_keeps_the_best_and_chases_the_rest() -> None:
    game = started(rules("farkle"), on_board=(0,))
    assert after(game, 1, 5, 5, 3, 4, 6) == Move("roll", Selection((0,)))
    assert after(game, 5, 5, 2, 3, 4, 6) == Move("roll", Selection((0,)))


def test_it_stops_at_seven_hundred_in_farkle_and_banks_the_whole_roll() -> None:
    game = started(rules("farkle"), on_board=(0,))
    assert after(game, 6, 6, 6, 1, 2, 3) == Move("bank", Selection((0, 1, 2, 3)))
    assert after(game, 6, 6, 6, 5, 2, 3) == Move("roll", Selection((0, 1, 2)))


def test_half_of_it_will_do_when_few_dice_are_left() -> None:
    game = started(rules("farkle"), on_board=(0,))
    four = given(gambles(game)).after(
        roll(0, 1, 1, 1, 2, 3, 4), roll(0, 5, 2, 6, keep=pick(0, 1, 2))
    )
    assert move_of(four.play, NoLuck()).name == "bank"  # 350, and two dice to roll
    two = given(gambles(game)).after(
        roll(0, 2, 2, 2, 6, 3, 4), roll(0, 1, 5, 6, keep=pick(0, 1, 2))
    )
    assert move_of(two.play, NoLuck()).name == "bank"  # 350 all told
    assert after(game, 1, 1, 1, 5, 2, 6).name == "roll"  # 350, but three dice to roll


def test_on_hot_dice_it_goes_for_three_times_as_much() -> None:
    game = started(rules("farkle"), on_board=(0,))
    assert after(game, 1, 2, 3, 4, 5, 6).name == "roll"
    assert after(game, 2, 2, 2, 3, 3, 3).name == "bank"


def test_now_and_then_it_rolls_once_more_but_not_when_that_could_cost_the_game() -> None:
    game = started(rules("farkle"), on_board=(0,))
    assert after(game, 6, 6, 6, 1, 2, 3, luck=Once()) == Move("roll", Selection((0, 1, 2)))
    close = started(rules("farkle"), totals=(9_500, 9_000))
    assert after(close, 6, 6, 6, 1, 2, 3, luck=Once()).name == "bank"


def test_off_the_board_it_goes_on_until_it_has_the_opening() -> None:
    assert after(started(rules("farkle")), 3, 3, 3, 5, 2, 6).name == "roll"


def test_it_takes_over_what_rolls_three_dice() -> None:
    game = given(gambles(started(rules("farkle", high_stakes=True), on_board=(0,))))
    three = game.after(roll(0, 1, 1, 1, 2, 3, 4), bank(0)).play
    assert move_of(three, NoLuck()) == Move("take-over")
    two = game.after(roll(0, 1, 1, 1, 5, 3, 4), bank(0)).play
    assert move_of(two, NoLuck()) == Move("roll")


def test_in_its_last_turn_it_goes_on_until_it_would_win() -> None:
    last = started(rules("farkle"), totals=(9_000, 10_200))._replace(
        final_round=FinalRound(1, (0,))
    )
    assert after(last, 1, 1, 1, 1, 2, 3).name == "roll"  # 10 000 reaches the target and loses
    assert after(last, 2, 2, 2, 2, 2, 3).name == "bank"  # 11 000


def test_luck_is_the_documented_formula() -> None:
    seed, game_id = bytes(range(32)), "g_1"
    message = b"\0\0\0\x07pf1/bot" + b"\0\0\0\x03g_1" + b"\0\0\0\x02" + b"\0\0\0\0\0\0\0\x2a"
    expected = digest(seed, message, sha256)
    luck = BotLuck(seed, game_id, 2, 42)
    assert luck.number() == expected
    assert luck.below(8) == int.from_bytes(expected, "big") % 8
    assert luck.below(8) == luck.below(8)
    others = {BotLuck(seed, game_id, seat, index).number() for seat in (1, 2) for index in (41, 42)}
    assert len(others) == 4


def played(game: Game, seed: int, most: int) -> Game:
    entropy = dice_of_walk(seed)
    for number in range(most):
        if not isinstance(game, Playing):
            return game
        luck = BotLuck(bytes(32), "walk", game.turn.seat, number)
        command = move_of(game, luck).command(3 + number, game.turn.seat, entropy)
        game = transition(game, command).game
    return game


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(2))
def test_shipped_rule_sets_are_played_to_their_end(name: str, seed: int) -> None:
    table = walked_table(rules_from_data(SHIPPED[name]), [True, True, True])
    places = tuple(Place("bot", "gambler") for _ in table.places)
    found, _ = started_table(table._replace(places=places))
    assert isinstance(played(found, seed, 20_000), Finished)


@pytest.mark.parametrize("seed", range(60))
def test_every_rule_set_is_played_without_a_refusal(seed: int) -> None:
    ruled = random_rules(seed)
    table = walked_table(ruled, [True] * max(2, ruled.seats_min))
    places = tuple(Place("bot", "gambler") for _ in table.places)
    found, _ = started_table(table._replace(places=places))
    played(found, seed, 300)
