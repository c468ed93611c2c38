"""What holds in every game of every rule set, on random games."""

from random import Random

import pytest

from tests.referee.checks import refused
from tests.referee.game import Game, Legal
from tests.referee.rulebook import RuleSet, farkle, house, jester
from tests.referee.state import Refused
from tests.referee.view import view

TABLES = {
    "farkle": farkle(target=3000),
    "spicy": farkle(spicy=True, target=4000, high_stakes=True, final_round=False),
    "house": house(target=3000),
    "exact house": house(target=2000, exact=True, bank_on_hot_dice=False),
    "jester": jester(),
    "stakes in jester": {**jester(), "take_over": True, "exact": "off", "final_round": "one_turn"},
    "farkle, selected": {**farkle(target=2000), "bank_takes": "selected", "exact": "refuse"},
}


def throw(game: Game, command: str, chance: Random) -> list[int]:
    wild, take_over = command == "wild-roll", command == "take-over"
    coming = game.next_throw(wild=wild, take_over=take_over)
    return [chance.randint(1, 6) for _ in coming.positions]


def play(game: Game, command: str, chance: Random, legal: Legal) -> None:
    if command == "select":
        choice = chance.choice(legal.selections)
        game.select(legal.seat, choice.dice, choice.wild_face)
    elif command == "bank":
        assert legal.bank is not None
        before = game.seats[legal.seat].total
        game.bank(legal.seat)
        total = game.seats[legal.seat].total
        assert total in (legal.bank.total, before)
    else:
        faces = throw(game, command, chance)
        do = {"roll": game.roll, "wild-roll": game.wild_roll, "take-over": game.take_over}
        do[command](legal.seat, faces)


def check(game: Game, legal: Legal) -> None:
    """What must hold between two commands."""
    assert game.turn is not None
    board = view(game)
    assert board["turn"]["phase"] == ("to_select" if legal.selections else "to_roll")
    assert board["turn"]["score"] >= board["turn"]["protected"] >= 0
    if game.final_round is not None:
        assert game.final_round.waiting[0] == legal.seat
    other = next((seat for seat in game.active_seats() if seat != legal.seat), None)
    if other is not None:
        with refused(game, "not_your_turn"):
            game.bank(other)
    if "take-over" not in legal.commands and game.offer is None:
        with refused(game, "no_take_over"):
            game.take_over(legal.seat, [])


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_random_games_end_and_keep_the_laws(rules: RuleSet) -> None:
    chance = Random(7)
    for seats in (rules["seats"]["min"], 3):
        game = Game(rules, [True] * seats)
        for _ in range(4000):
            legal = game.legal()
            if legal is None:
                break
            check(game, legal)
            play(game, chance.choice(legal.commands), chance, legal)
        if game.status == "playing":
            game.game_clock()
        assert game.legal() is None
        with refused(game, "game_over"):
            game.roll(0, [])


def test_a_selection_is_accepted_exactly_when_it_is_listed() -> None:
    chance = Random(11)
    for rules in (farkle(), house(exact=True), jester()):
        count = rules["dice"]["count"]
        for _ in range(15):
            game = Game(rules, [True, True], head_start={0: rules["target"] - 300})
            game.roll(0, [chance.randint(1, 6) for _ in range(count)])
            legal = game.legal()
            if legal is None or legal.seat != 0:
                continue
            listed = {choice.dice for choice in legal.selections}
            for mask in range(1, 2**count):
                dice = [die for die in range(count) if mask >> die & 1]
                if tuple(dice) in listed:
                    game.select(0, dice)
                    assert game.turn is not None
                    assert game.turn.selection in legal.selections
                else:
                    code = refusal(game, dice)
                    assert code in {"dice_do_not_score", "over_target"}


def refusal(game: Game, dice: list[int]) -> str:
    before = view(game)
    with pytest.raises(Refused) as no:
        game.select(0, dice)
    assert view(game) == before
    return no.value.code
